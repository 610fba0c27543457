import type { StaffedTerminal, TerminalSnapshot } from '../../../sandbox/controllable-terminal.ts';
import { entryLine, screenLine } from './orders.ts';

/** Polling interval of the screen. */
const LOOK_MS = 100;

/** Prints changes of a terminal: its screen and its ledger. The returned function ends it after a last poll. */
export function watch(terminal: StaffedTerminal, say: (line: string) => void): () => void {
  let [screen, known] = ['', linesOf(terminal.snapshot())];
  const look = () => {
    const line = screenLine(terminal);
    if (line !== screen) say(line);
    screen = line;
    const lines = linesOf(terminal.snapshot());
    for (const [sequence, entry] of lines) if (known.get(sequence) !== entry) say(`ledger: ${entry}`);
    known = lines;
  };
  look();
  const eyes = setInterval(look, LOOK_MS);
  return () => {
    clearInterval(eyes);
    look();
  };
}

function linesOf({ ledger }: TerminalSnapshot): ReadonlyMap<number, string> {
  return new Map(ledger.map((entry) => [entry.sequence, entryLine(entry)]));
}
