/** Fewest characters of a scan, and of one without a key at its end. */
const FEWEST = 4;
const FEWEST_WITHOUT_END = 8;
/** Between the keys of a scan on average, the last one included; and the longest pause: a busy machine may hand keys over late. */
const USUAL_GAP_MS = 50;
const LONGEST_GAP_MS = 100;
/** Behind a scan: some scanners send more than one key at the end. */
const QUIET_MS = 300;
const ENDS = ['Enter', 'Tab'];
/** Keys that a scanner or a keyboard layout sends between characters. */
const BETWEEN = ['Shift', 'CapsLock', 'AltGraph', 'Dead', 'Unidentified', 'Process'];

/**
 * A key: `at` its time stamp; `isHeld` it repeats by itself; `isChord` with Ctrl, Alt or Meta.
 * @typedef {{ key: string, at: number, isHeld?: boolean, isChord?: boolean, isBackward?: boolean }} Key
 */
/**
 * What a key is: `first` a character behind a pause; `more` one right behind another; `scan` the end of a scan of `text`; `echo` a further key at the end of
 * one; `other` anything else.
 * @typedef {{ kind: 'first' | 'more' | 'echo' | 'other', text?: undefined } | { kind: 'scan', text: string }} Judged
 */

/**
 * Distinguishes a scanner, which is a keyboard, from a person by speed: at least four characters with 50 ms between two keys on average, then Enter or Tab. A
 * scanner that sends no key at the end is recognized by a pause behind eight characters.
 */
export class ScanDetector {
  #text = '';
  #since = 0;
  #last = Number.NEGATIVE_INFINITY;
  #quietUntil = Number.NEGATIVE_INFINITY;

  /** @param {Key} pressed @returns {Judged} */
  press({ key: pressed, at, isHeld = false, isChord = false, isBackward = false }) {
    if (BETWEEN.includes(pressed)) return { kind: 'other' };
    const key = isChord && /^[jm]$/i.test(pressed) ? 'Enter' : pressed;
    if (ENDS.includes(key) && !isHeld && !isBackward) return this.#end(at);
    if ([...key].length !== 1 || isHeld || isChord) return this.#forget('other');
    const isMore = this.#text !== '' && at - this.#last <= LONGEST_GAP_MS;
    if (!isMore) this.#since = at;
    this.#text = isMore ? this.#text + key : key;
    this.#last = at;
    return { kind: isMore ? 'more' : 'first' };
  }

  /** A pause behind the last key: the text of a scan without a key at its end; null: there was none. @returns {string | null} */
  pause() {
    const text = this.#text;
    if ([...text].length < FEWEST_WITHOUT_END || !this.#isFast(this.#last, [...text].length - 1)) return null;
    return this.#scanned(this.#last);
  }

  /** Milliseconds of a pause. */
  get pauseMs() {
    return LONGEST_GAP_MS;
  }

  /** @param {number} at @returns {Judged} */
  #end(at) {
    const count = [...this.#text].length;
    if (count >= FEWEST && at - this.#last <= LONGEST_GAP_MS && this.#isFast(at, count))
      return { kind: 'scan', text: this.#scanned(at) };
    return this.#forget(at <= this.#quietUntil ? 'echo' : 'other');
  }

  /** @param {number} at @param {number} gaps */
  #isFast(at, gaps) {
    return at - this.#since <= gaps * USUAL_GAP_MS;
  }

  /** @param {number} at */
  #scanned(at) {
    const text = this.#text;
    this.#text = '';
    this.#quietUntil = at + QUIET_MS;
    return text;
  }

  /** @param {'echo' | 'other'} kind @returns {Judged} */
  #forget(kind) {
    this.#text = '';
    return { kind };
  }
}
