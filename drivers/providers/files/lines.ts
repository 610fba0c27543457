const QUOTE = 0x22;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** The longest record of a file, bytes; a longer one has an unclosed quotation mark. */
export const LONGEST_RECORD = 65_536;

/** The bytes of one record without its end of line, and whether its quotation marks are paired. */
export interface CutRecord {
  readonly bytes: Uint8Array;
  readonly closed: boolean;
}

/** The whole records in a chunk of a file, and how many bytes they take. */
export interface Cut {
  readonly records: readonly CutRecord[];
  readonly consumed: number;
}

/**
 * Cuts a chunk of CSV into records: an end of line inside quotation marks belongs to the record. An unfinished record at the end
 * stays for the next chunk, unless `last` says that the file ends there. A record that does not end within {@link LONGEST_RECORD}
 * has lost a quotation mark: only its first line is cut off, so that the rest of the file is read. After `enough` bytes
 * no further record is started.
 * Works on bytes: delimiter, quotation mark and ends of line are the same in UTF-8 and Latin-1.
 */
export function cutRecords(
  piece: Uint8Array,
  delimiter: number,
  last: boolean,
  enough = Number.POSITIVE_INFINITY,
): Cut {
  const records: CutRecord[] = [];
  let at = 0;
  while (at < Math.min(piece.length, enough)) {
    const { end, state } = endOfRecord(piece, at, delimiter);
    const tooLong = end - at > LONGEST_RECORD;
    const isWhole = !tooLong && (state === 'ended' || (state === 'unfinished' && last));
    if (!isWhole && !tooLong && !last && (state === 'unfinished' || state === 'open')) break;
    const stop = isWhole ? end : endOfLine(piece, at);
    records.push({ bytes: withoutReturn(piece.subarray(at, stop)), closed: isWhole });
    at = stop + 1;
  }
  return { records, consumed: Math.min(at, piece.length) };
}

/**
 * `ended`: with an end of line · `unfinished`: the chunk ends outside quotation marks · `open`: it ends inside them · `broken`: text
 * follows a closing quotation mark, so an earlier one is missing.
 */
interface RecordEnd {
  readonly end: number;
  readonly state: 'ended' | 'unfinished' | 'open' | 'broken';
}

function endOfRecord(piece: Uint8Array, from: number, delimiter: number): RecordEnd {
  let fieldBegins = true;
  for (let at = from; at < piece.length; at += 1) {
    const byte = piece[at];
    if (byte === NEWLINE) return { end: at, state: 'ended' };
    if (byte === QUOTE && fieldBegins) {
      const closing = closingQuote(piece, at + 1);
      if (closing === -1) return { end: piece.length, state: 'open' };
      const follows = piece[closing + 1];
      if (![undefined, delimiter, NEWLINE, RETURN].includes(follows))
        return { end: closing, state: 'broken' };
      at = closing;
    }
    fieldBegins = byte === delimiter;
  }
  return { end: piece.length, state: 'unfinished' };
}

/** The end of a field whose quotation mark was opened before `from`; two in a row are one character of it. */
function closingQuote(piece: Uint8Array, from: number): number {
  for (let at = piece.indexOf(QUOTE, from); at !== -1; at = piece.indexOf(QUOTE, at + 2)) {
    if (piece[at + 1] !== QUOTE) return at;
  }
  return -1;
}

function endOfLine(piece: Uint8Array, from: number): number {
  const at = piece.indexOf(NEWLINE, from);
  return at === -1 ? piece.length : at;
}

function withoutReturn(line: Uint8Array): Uint8Array {
  return line.at(-1) === RETURN ? line.subarray(0, -1) : line;
}
