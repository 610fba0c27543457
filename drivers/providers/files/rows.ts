import { parse } from 'csv-parse/sync';
import { type BadRecord, badRecord, messageOf } from '../../../src/driver-kit/provider.ts';
import type { CutRecord } from './lines.ts';
import type { FileResource } from './settings.ts';

/** The fields of one record, or the reason why it cannot be read. */
export type Row =
  | { readonly kind: 'row'; readonly fields: readonly string[] }
  | { readonly kind: 'bad'; readonly bad: BadRecord };

const BLANK = 0x20;

/** Reads records: all at once, and item by item when one of them is invalid, so that only that one is rejected. */
export function readRows(records: readonly CutRecord[], format: FileResource): readonly Row[] {
  const written = records.filter(({ bytes }) => bytes.some((byte) => byte > BLANK));
  return together(written, format) ?? written.map((record) => alone(record, format));
}

function together(records: readonly CutRecord[], format: FileResource): readonly Row[] | null {
  if (records.some(({ closed }) => !closed)) return null;
  try {
    const decoder = decoderOf(format);
    const rows = parsed(records.map(({ bytes }) => decoder.decode(bytes)).join('\n'), format);
    return rows.length === records.length ? rows.map((fields) => ({ kind: 'row', fields })) : null;
  } catch {
    return null;
  }
}

function alone({ bytes, closed }: CutRecord, format: FileResource): Row {
  const excerpt = new TextDecoder(format.encoding === 'utf-8' ? 'utf-8' : 'windows-1252').decode(
    bytes.subarray(0, 4_000),
  );
  if (!closed)
    return { kind: 'bad', bad: badRecord(null, 'a quotation mark in this line is never closed', excerpt) };
  try {
    const text = decoderOf(format).decode(bytes);
    const [fields, more] = parsed(text, format);
    if (fields && !more) return { kind: 'row', fields };
    return { kind: 'bad', bad: badRecord(null, 'this line is not one record', excerpt) };
  } catch (error) {
    const words = error instanceof TypeError ? `it is not ${format.encoding}` : messageOf(error);
    return { kind: 'bad', bad: badRecord(null, `this line cannot be read: ${words}`, excerpt) };
  }
}

function parsed(text: string, { delimiter }: FileResource): readonly (readonly string[])[] {
  return parse(text, {
    delimiter,
    bom: false,
    relax_column_count: true,
    record_delimiter: ['\n'],
    skip_empty_lines: true,
  });
}

/** A byte that the encoding does not have is an error: a name must not lose a character. */
function decoderOf({ encoding }: FileResource) {
  return new TextDecoder(encoding === 'utf-8' ? 'utf-8' : 'windows-1252', { fatal: true, ignoreBOM: true });
}
