import {
  type BadRecord,
  badRecord,
  isJsonObject,
  type Json,
  type JsonObject,
  kindOf,
  messageOf,
  readId,
  type SourceRecord,
} from '../../../src/driver-kit/provider.ts';
import { compileExpression } from './expressions.ts';
import type { Resource } from './recipe.ts';
import { readTime, type TimeRule } from './time-format.ts';

/** The largest record, in characters of JSON. */
const LARGEST_RECORD = 200_000;

export type MappedRecord =
  | { readonly kind: 'record'; readonly record: SourceRecord }
  | { readonly kind: 'bad'; readonly bad: BadRecord };

/** Maps a source's records to ours by the expressions of its recipe; all expressions of a resource are compiled as one object. */
export class Mapping {
  readonly #resource: Resource;
  readonly #values: Readonly<Record<string, string>>;
  readonly #together: (input: unknown, values: unknown) => Promise<unknown>;

  constructor(resource: Resource, values: Readonly<Record<string, string>>) {
    this.#resource = resource;
    this.#values = values;
    this.#together = compiled(asOneObject(expressionsOf(resource)));
  }

  async map(raw: Json, rule: TimeRule): Promise<MappedRecord> {
    if (!isJsonObject(raw)) return bad(null, `it is ${kindOf(raw)}, not an object`, raw);
    if (JSON.stringify(raw).length > LARGEST_RECORD) {
      return bad(null, `it has more than ${LARGEST_RECORD} characters`, raw);
    }
    let found: JsonObject;
    try {
      found = plain(await this.#together(raw, this.#values));
    } catch (error) {
      return bad(null, await this.#culprit(raw, error), raw);
    }
    return this.#record(raw, found, rule);
  }

  #record(raw: JsonObject, found: JsonObject, rule: TimeRule): MappedRecord {
    const id = readId(found['@id']);
    if ('problem' in id) return bad(null, id.problem, raw);
    const updatedAt = this.#updatedAt(found['@updatedAt'], rule);
    if (typeof updatedAt === 'string') return bad(id.id, updatedAt, raw);
    const deleted = found['@deleted'] ?? false;
    if (typeof deleted !== 'boolean')
      return bad(id.id, `"deleted" gives ${kindOf(deleted)}, not true or false`, raw);
    return { kind: 'record', record: { id: id.id, updatedAt, deleted, fields: this.#fields(raw, found) } };
  }

  /** Ms, null where the record has none, or the error text. */
  #updatedAt(value: Json | undefined, rule: TimeRule): number | null | string {
    const wanted = this.#resource.updatedAt;
    if (!wanted || value === undefined || value === null || value === '') return null;
    const time = readTime(value, wanted.format, rule);
    return 'ms' in time ? time.ms : `its time of change is wrong: ${time.problem}`;
  }

  /** Mapped fields have our names; the others are kept unchanged. */
  #fields(raw: JsonObject, found: JsonObject): JsonObject {
    const named = Object.keys(this.#resource.fields);
    const kept = Object.entries(raw).filter(
      ([name]) => !named.includes(name) && !this.#resource.drop.includes(name),
    );
    return Object.fromEntries([...named.map((name): [string, Json] => [name, found[name] ?? null]), ...kept]);
  }

  /** Finds the expression that fails on this record. */
  async #culprit(raw: JsonObject, error: unknown): Promise<string> {
    for (const [name, text] of expressionsOf(this.#resource)) {
      try {
        await compiled(text)(raw, this.#values);
      } catch (failure) {
        return `"${name.replace('@', '')}" cannot be worked out: ${messageOf(failure)}`;
      }
    }
    return `it cannot be mapped: ${messageOf(error)}`;
  }
}

function expressionsOf({
  id,
  updatedAt,
  deleted,
  fields,
}: Resource): readonly (readonly [name: string, text: string])[] {
  return [
    ['@id', id],
    ...(updatedAt ? [['@updatedAt', updatedAt.value] as const] : []),
    ...(deleted === undefined ? [] : [['@deleted', deleted] as const]),
    ...Object.entries(fields),
  ];
}

/** Each expression was compiled alone before, so that none can close the brackets early. */
function asOneObject(expressions: readonly (readonly [name: string, text: string])[]): string {
  return `{${expressions.map(([name, text]) => `${JSON.stringify(name)}: (${text}\n)`).join(',')}}`;
}

function compiled(text: string): (input: unknown, values: unknown) => Promise<unknown> {
  const result = compileExpression(text);
  if (result.problem !== null) throw new Error(result.problem);
  return result.evaluate;
}

/** Plain JSON: no functions, no infinite numbers, none of the library's own lists. */
function plain(value: unknown): JsonObject {
  const copy: Json = JSON.parse(JSON.stringify(value));
  if (!isJsonObject(copy)) throw new Error('it maps to no object');
  return copy;
}

function bad(id: string | null, reason: string, raw: unknown): MappedRecord {
  return { kind: 'bad', bad: badRecord(id, reason, raw) };
}
