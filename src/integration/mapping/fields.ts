import type { Json, JsonObject, SourceRecord } from '../connector.ts';
import { canonical } from '../page/canonical.ts';
import type { Mapped } from '../ports.ts';

/** A record cannot be mapped, for a reason that a person understands; it is quarantined. */
export class Unfit extends Error {
  /** The external id of the product whose mapping would help; null: none. */
  readonly needs: string | null;

  constructor(reason: string, needs: string | null = null) {
    super(reason);
    this.needs = needs;
  }
}

/** Runs a mapping whose functions throw {@link Unfit}. */
export function fitted(map: () => Mapped): Mapped {
  try {
    return map();
  } catch (error) {
    if (error instanceof Unfit) return { kind: 'park', reason: error.message, needs: error.needs };
    throw error;
  }
}

/**
 * A text, or a number as text. Undefined: the source does not send the field, so tilld does not send it; null: the source says that there is none.
 * @throws Unfit for anything else
 */
export function textIn(fields: JsonObject, name: string, most: number): string | null | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (value === null) return null;
  if (typeof value !== 'string' && typeof value !== 'number') throw new Unfit(`its "${name}" is not a text`);
  const text = String(value).trim();
  if (text.length > most) throw new Unfit(`its "${name}" has more than ${most} characters`);
  return text === '' ? null : text;
}

/** An amount in minor units; null: the source sends none. @throws Unfit where it is no whole number, or below zero */
export function minorIn(fields: JsonObject, name: string): number | null {
  const value = fields[name] ?? null;
  if (value === null) return null;
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new Unfit(`its "${name}" is not a whole number of minor units`);
  if (value < 0) throw new Unfit(`its "${name}" is below zero`);
  return value;
}

/** @throws Unfit where it is missing */
export function required<T>(value: T | null | undefined, name: string): T {
  if (value === null || value === undefined) throw new Unfit(`it has no "${name}"`);
  return value;
}

/** Maximum length of the metadata as JSON, characters. */
const MOST_METADATA = 6_000;

/**
 * The origin of a record, and its fields that the service has no field for: `{tilld: {slot, external_id}, source: {…}}`.
 * `tilld.left_out` names the fields that do not fit.
 */
export function metadataOf(
  integration: string,
  { id, fields }: SourceRecord,
  used: readonly string[],
): JsonObject {
  const [source, leftOut]: [Record<string, Json>, string[]] = [{}, []];
  let room = MOST_METADATA;
  for (const name of Object.keys(fields).sort()) {
    const value = fields[name] ?? null;
    if (used.includes(name) || value === null) continue;
    const size = canonical(name).length + canonical(value).length;
    if (size <= room) source[name] = value;
    else leftOut.push(name.slice(0, 64));
    if (size <= room) room -= size;
  }
  const tilld = {
    slot: integration,
    external_id: id,
    ...(leftOut.length > 0 ? { left_out: leftOut.slice(0, 20) } : {}),
  };
  return { tilld, ...(Object.keys(source).length > 0 ? { source } : {}) };
}

/** Only the fields that the source sends. */
export function spoken(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
