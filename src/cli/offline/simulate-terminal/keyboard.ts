/** Keys that are a complete command. */
const ORDERS: Readonly<Record<string, string>> = {
  a: 'approve',
  d: 'decline',
  p: 'wrong_pin',
  x: 'abort',
  w: 'walk_away',
  e: 'end_of_day',
  c: 'cut',
  i: 'silence',
  o: 'power_loss',
  l: 'ledger',
  q: 'quit',
};

/** Keys that start a line; Enter completes it and Escape discards it. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  s: 'sale ',
  r: 'refund ',
  v: 'void ',
  f: 'fault ',
  ':': '',
};

/** The help for the keys. */
export const KEY_HELP = `keys:  a approve   d decline   p wrong PIN   x abort   w walk away
       s sale…     r refund…   v void…   e end of day   : any order
       c cut   i silence   o power loss   f fault…   (c, i, o: when the next result is told)
       l ledger   h help   q quit`;

const [CTRL_C, CTRL_D, BACKSPACE, ESCAPE, DELETE] = ['\u0003', '\u0004', '\b', '\u001b', '\u007f'];

/** The result of a key press: a command line, text to show, or nothing yet. */
export type Stroke =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'echo'; readonly text: string }
  | { readonly kind: 'help' };

/** Arrows and function keys: ESC [ … letter, ESC O letter. They are ignored. */
const SEQUENCES = new RegExp(`${ESCAPE}(?:\\[[0-9;]*[ -/]*[@-~]|O.)`, 'g');
/** Characters of the longest line that can be typed. */
const LONGEST_LINE = 80;

/** Converts single keys of a keyboard in raw mode to commands; some start a line. */
export class Keyboard {
  #line: string | undefined;

  /** The results of one chunk of keyboard input. */
  strokes(chunk: string): readonly Stroke[] {
    return Array.from(chunk.replace(SEQUENCES, '')).flatMap((sign) => this.#stroke(sign));
  }

  #stroke(sign: string): readonly Stroke[] {
    if (sign === CTRL_C || sign === CTRL_D) return [{ kind: 'line', text: 'quit' }];
    if (sign === ESCAPE) return this.#forget();
    if (this.#line !== undefined) return this.#typed(this.#line, sign);
    if (sign === 'h' || sign === '?') return [{ kind: 'help' }];
    const order = ORDERS[sign.toLowerCase()];
    if (order !== undefined) return [{ kind: 'line', text: order }];
    const beginning = BEGINNINGS[sign.toLowerCase()];
    if (beginning === undefined) return [];
    this.#line = beginning;
    return [{ kind: 'echo', text: `> ${beginning}` }];
  }

  #typed(line: string, sign: string): readonly Stroke[] {
    if (sign === '\r' || sign === '\n') {
      this.#line = undefined;
      return [
        { kind: 'echo', text: '\n' },
        { kind: 'line', text: line },
      ];
    }
    if (sign === BACKSPACE || sign === DELETE) {
      this.#line = line.slice(0, -1);
      return line === '' ? [] : [{ kind: 'echo', text: '\b \b' }];
    }
    if (!/^[ -~]$/.test(sign) || line.length >= LONGEST_LINE) return [];
    this.#line = line + sign;
    return [{ kind: 'echo', text: sign }];
  }

  #forget(): readonly Stroke[] {
    if (this.#line === undefined) return [];
    this.#line = undefined;
    return [{ kind: 'echo', text: ' (forgotten)\n' }];
  }
}
