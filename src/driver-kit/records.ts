import type { BadRecord, Json, JsonObject } from '../integration/connector.ts';

/** The longest excerpt of an unreadable record, in characters. */
const LONGEST_EXCERPT = 2_000;

/** The longest id that the engine accepts, in characters. */
const LONGEST_ID = 256;

/** A record to be quarantined; `raw` is the source's text or value. */
export function badRecord(id: string | null, reason: string, raw: unknown): BadRecord {
  const text = typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? '');
  return { id, reason: reason.slice(0, 500), excerpt: text.slice(0, LONGEST_EXCERPT) };
}

/** An id as text, or the reason why it is none. A number beyond 2^53 is no id: JSON has rounded it, and two records would become one. */
export function readId(value: unknown): { readonly id: string } | { readonly problem: string } {
  if (value === undefined || value === null || value === '') return { problem: 'it has no id' };
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return { id: String(value) };
    return { problem: `its id is the number ${value}, which is not exact` };
  }
  if (typeof value !== 'string') return { problem: `its id is ${kindOf(value)}, not text or a number` };
  if (value.length > LONGEST_ID) return { problem: `its id has more than ${LONGEST_ID} characters` };
  return { id: value };
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value at a path of names with dots between them; the empty path is the value itself, undefined: no value there.
 * It finds only the sender's own fields, never an inherited property.
 */
export function at(value: Json, path: string): Json | undefined {
  let found: Json | undefined = value;
  for (const name of path === '' ? [] : path.split('.')) {
    if (!isJsonObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}

/** The kind of a value, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
