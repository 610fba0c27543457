import { type ConnectorContext, type SourceFile, sourceError } from '../../../src/driver-kit/provider.ts';
import { cutRecords, LONGEST_RECORD } from './lines.ts';
import { readRows } from './rows.ts';
import type { FileResource } from './settings.ts';

/** The first line of a file: the names of its columns, and where its records begin. */
export interface Header {
  readonly columns: readonly string[];
  /** Offset of the first record, bytes. */
  readonly end: number;
}

/**
 * Reads the header of a file.
 * @throws SOURCE_MALFORMED when it is not a header, names a column twice, or lacks a configured one: the file's shape has changed
 */
export async function readHeader(
  context: ConnectorContext,
  file: SourceFile,
  format: FileResource,
): Promise<Header> {
  const piece = await context.readFile(file.name, 0, LONGEST_RECORD);
  const marked = markOf(piece, file.name);
  const { records } = cutRecords(
    piece.subarray(marked),
    format.delimiter.charCodeAt(0),
    piece.length === file.bytes,
  );
  const first = records[0];
  const row = first ? readRows([first], format)[0] : undefined;
  if (!first || row?.kind !== 'row') throw wrong(file, 'its first line is no header');
  const columns = row.fields.map((name) => name.trim());
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) throw wrong(file, `it has the column "${twice}" twice`);
  const needed = [
    format.id,
    ...Object.values(format.fields),
    ...(format.deleted ? [format.deleted.column] : []),
  ];
  const missing = needed.find((name) => !columns.includes(name));
  if (missing !== undefined) {
    throw wrong(
      file,
      `it has no column "${missing}"; it has ${columns.map((name) => `"${name}"`).join(', ')}`,
    );
  }
  return { columns, end: marked + endOfLine(piece, marked, first.bytes.length) };
}

/** Bytes of the byte order mark. @throws SOURCE_MALFORMED for UTF-16 */
function markOf(piece: Uint8Array, name: string): number {
  if (piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf) return 3;
  if ((piece[0] === 0xff && piece[1] === 0xfe) || (piece[0] === 0xfe && piece[1] === 0xff)) {
    throw sourceError('SOURCE_MALFORMED', `${name} is UTF-16: write it as UTF-8 or Latin-1`);
  }
  return 0;
}

/** The offset after the end of the line, which may be two bytes. */
function endOfLine(piece: Uint8Array, marked: number, length: number): number {
  return length + (piece[marked + length] === 0x0d ? 2 : 1);
}

function wrong({ name }: SourceFile, words: string) {
  return sourceError('SOURCE_MALFORMED', `${name} cannot be read: ${words}`);
}
