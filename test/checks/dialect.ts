import { parseSync, Visitor } from 'oxc-parser';

/** A word that is not used any more, and the field's word in its place. */
export interface Retired {
  /** Regular expression over lower-case words with one blank between them: `giving back`. */
  readonly word: string;
  readonly use: string;
  /** Only in names of files and of code: sentences may have the word. */
  readonly inNames?: true;
}

/**
 * Words that were retired (`src/README.md`, Words). They are looked for in identifiers (`givingBack` reads as `giving back`), comments, file
 * names and READMEs. Not in strings and in lower-case names with an underscore: names of the database, the wire and the configuration stay as they are. Not
 * in the code of a README.
 */
export const RETIRED: readonly Retired[] = [
  { word: 'newborns?', use: 'created attempt' },
  { word: 'births?', use: 'createAttempt' },
  { word: 'custod(y|ian|ians)', use: 'continuity, ContinuityTracker' },
  { word: 'desks?', use: 'service, or the API by its name' },
  { word: 'admissions?', use: 'preconditions' },
  { word: 'rivals?', use: 'possible duplicate' },
  { word: 'audiences?', use: 'outbound events' },
  { word: 'waiting rooms?', use: 'queue limits' },
  { word: 'bells?|rung|(since|on) ring', use: 'wakeup, notify' },
  { word: 'couriers?', use: 'deliverer' },
  { word: 'trips?', use: 'delivery attempt' },
  { word: 'ballast', use: 'reserve file' },
  { word: 'told twice|told once', use: 'attempt codec' },
  { word: 'chores?', use: 'scheduled jobs' },
  { word: 'signs? of life', use: 'heartbeat' },
  { word: 'stints?', use: 'request quota' },
  { word: 'halves', use: 'bisecting batch' },
  { word: 'fetchers?', use: 'page reader' },
  { word: 'tall(y|ies)', use: 'run counters' },
  { word: 'rosters?', use: 'terminal registry' },
  { word: 'whims?', use: 'fault injection' },
  { word: 'faceplates?', use: 'terminal display' },
  { word: 'wish|wishes|wished', use: 'options, request' },
  { word: 'lanes|lane runners?', use: 'terminal queues, workers' },
  { word: 'budget lanes?|lane waits?|(a|the|its|every|this|another) lane', use: 'priority, terminal queue' },
  { word: 'fates', use: 'status' },
  { word: 'harden|when sure', use: 'flush, onDurable' },
  { word: 'patients?', use: 'diagnostic context' },
  { word: 'make way|breathes?|breaths?', use: 'yieldToPayments' },
  { word: 'an end that was none', use: 'unclean shutdown' },
  { word: 'ow(e|ed|es)', use: 'pending, requested' },
  { word: 'patience', use: 'time limit' },
  { word: 'seats?', use: 'terminal and its state' },
  { word: 'guests?', use: 'waiting request' },
  { word: 'lessons?', use: 'sample, example' },
  { word: 'nobody reads', use: 'no scan runs' },
  { word: 'overboard', use: 'reserve file, deleted' },
  // `story` is a field of the interface, `stories` a column.
  { word: '(whole|its|a|the|this) stor(y|ies)|stories of', use: 'timeline, scenario' },
  { word: 'tend(ed|s)?', use: 'maintain' },
  { word: 'lost memory|memory (shown|unread)', use: 'restored database, DatabaseIdentity' },
  { word: 'doors?', use: 'endpoint, request pipeline', inNames: true },
  { word: 'brought', use: 'imported', inNames: true },
  { word: 'lights', use: 'indicators', inNames: true },
  { word: 'consequences?', use: 'effect', inNames: true },
  // `slot` alone is a column, a field of the log and of the origin of an imported record; `SLOT_NOT_ACTIVE` and its like are codes of the interface.
  {
    word: 'slots|slot (badge|config|desk|names|of|options|settings|snapshot|stats|store)|(checked|oauth|served) slot',
    use: 'integration',
    inNames: true,
  },
  {
    word: '(credential|invoice|mapping|refresh|reservation|response|schema) books?',
    use: 'store, lookup, cache, queue or registry, by what it does',
    inNames: true,
  },
  { word: 'held ports?|held by', use: 'open ports, opened by', inNames: true },
  { word: 'truths?', use: 'ledger view', inNames: true },
  { word: 'paces?', use: 'polling interval, timeouts, rate', inNames: true },
  {
    word: 'said (already|of|once)|(is|most|nothing|terminal) said',
    use: 'reported, decided, message',
    inNames: true,
  },
  // `tellsFrom`, `tellsSerial` and `tellsWhy` are keys of files of the sandbox.
  { word: 'told|tell|tells(?! (from|serial|why)\\b)', use: 'reported, sent, published', inNames: true },
];

/** Words that tests do not have. `held` is no such word: it is a field of streams and reports. */
export const RETIRED_IN_TESTS: readonly Retired[] = [
  { word: 'wish|wishes|wished', use: 'options, request' },
  { word: 'ow(e|ed|es)', use: 'pending, enqueue' },
  { word: 'patience', use: 'time limit' },
  { word: 'newborns?', use: 'created attempt' },
  { word: 'births?', use: 'create, createAttempt' },
  { word: 'tall(y|ies)', use: 'counts, counters' },
  { word: 'rivals?', use: 'possible duplicate' },
  { word: 'halves', use: 'credentials, half' },
  { word: 'lanes|lane runners?', use: 'terminal queues, workers' },
  { word: 'fates', use: 'status' },
  { word: 'bells?', use: 'wakeup' },
  { word: 'chores?', use: 'scheduled jobs' },
  { word: 'signs? of life', use: 'heartbeat' },
  { word: 'ballast', use: 'reserve file' },
  { word: 'waiting rooms?', use: 'queue limits' },
  { word: 'make way|breathes?|breaths?', use: 'yieldToPayments' },
  { word: 'an end that was none', use: 'unclean shutdown' },
  { word: 'lost memory|memory (shown|unread)', use: 'restored database, DatabaseIdentity' },
  { word: 'doors?', use: 'endpoint, what is waited for', inNames: true },
  { word: 'lights', use: 'indicators', inNames: true },
  { word: 'consequences?', use: 'effect', inNames: true },
  { word: 'paces?', use: 'intervals', inNames: true },
  { word: 'held ports?|held by', use: 'open ports, opened by', inNames: true },
  { word: 'desks?', use: 'payments, service, source', inNames: true },
  { word: 'truths?', use: 'movement, written rows, expected', inNames: true },
  { word: 'said', use: 'output, printed, written, answered, stated', inNames: true },
  // `tellsFrom`, `tellsSerial` and `tellsWhy` are keys of files of the sandbox.
  {
    word: 'told|tell|tells(?! (from|serial|why)\\b)',
    use: 'reported, shown, answered, sent',
    inNames: true,
  },
];

export interface Violation extends Retired {
  readonly file: string;
  readonly line: number;
  /** What was found, in lower case. */
  readonly found: string;
}

/** The retired words of one file: of its name, and of its identifiers and comments, or of its prose. */
export function retiredWords(
  file: string,
  text: string,
  retired: readonly Retired[] = RETIRED,
): readonly Violation[] {
  const inNames = patternOf(retired);
  const inSentences = patternOf(retired.filter(({ inNames: only }) => !only));
  const pieces = file.endsWith('.md') ? proseOf(text) : wordsOf(file, text);
  return [{ at: 0, words: spaced(file), isName: true }, ...pieces].flatMap(({ at, words, isName }) =>
    [...words.matchAll(isName ? inNames : inSentences)].map((match) => ({
      ...retiredBy(match, retired),
      file,
      line: text.slice(0, at).split('\n').length,
      found: match[0],
    })),
  );
}

interface Piece {
  readonly at: number;
  readonly words: string;
  readonly isName: boolean;
}

function wordsOf(file: string, text: string): readonly Piece[] {
  const { program, comments } = parseSync(file, text);
  const pieces: Piece[] = comments.map(({ start, value }) => ({
    at: start,
    words: plain(value),
    isName: false,
  }));
  const identifier = ({ start, name }: { readonly start: number; readonly name: string }) =>
    isOutside(name) || pieces.push({ at: start, words: spaced(name), isName: true });
  new Visitor({ Identifier: identifier, PrivateIdentifier: identifier }).visit(program);
  return pieces;
}

/** `device_id`: a name of the database, the wire or the configuration. `DEVICE_ID` is a constant of ours. */
function isOutside(name: string): boolean {
  return name.includes('_') && name !== name.toUpperCase();
}

/** Markdown without its code and the targets of its links. */
function proseOf(text: string): readonly Piece[] {
  const prose = text.replace(/\]\([^)\n]*\)|```[\s\S]*?```|`[^`\n]*`/g, (code) =>
    code.replace(/[^\n]/g, ' '),
  );
  return prose.split('\n').map((line, index, lines) => ({
    at: lines.slice(0, index).join('\n').length + (index === 0 ? 0 : 1),
    words: plain(line),
    isName: false,
  }));
}

/** `OwedReports` and `owed-reports` are `owed reports`. */
function spaced(name: string): string {
  return plain(name.replace(/([a-z0-9])([A-Z])/g, '$1 $2'));
}

/** Lower case, and one blank where something is that is no letter. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, ' ');
}

/** Finds nothing where there are no words. */
function patternOf(words: readonly Retired[]): RegExp {
  if (words.length === 0) return /$^/g;
  return new RegExp(`\\b(?:${words.map(({ word }) => `(${word})`).join('|')})\\b`, 'g');
}

function retiredBy(match: RegExpMatchArray, retired: readonly Retired[]): Retired {
  const found = retired.find(({ word }) => new RegExp(`^(?:${word})$`).test(match[0]));
  if (!found) throw new Error(`"${match[0]}" is of no retired word`);
  return found;
}
