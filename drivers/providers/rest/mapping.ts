import {
  at,
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
import { compileExpression, type Evaluate } from './expressions.ts';
import type { JoinedNulls } from './null-safe.ts';
import type { Resource } from './recipe.ts';
import { readTime, type TimeRule } from './time-format.ts';

/** The largest record, in characters of JSON. */
const LARGEST_RECORD = 200_000;

/** Fields that are lists: JSONata makes a value of a list with one element. */
const LISTS = new Set(['lines']);
/** Values of a failing expression that a reason names. */
const MOST_READ = 4;

export type MappedRecord =
  | {
      readonly kind: 'record';
      readonly record: SourceRecord;
      /** Its time of change, before it is read; undefined: it has none. */
      readonly changed: Json | undefined;
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'bad'; readonly bad: BadRecord };

/** Maps a source's records to ours by the expressions of its recipe; all expressions of a resource are compiled as one object. */
export class Mapping {
  readonly #resource: Resource;
  readonly #values: Readonly<Record<string, string>>;
  readonly #together: Evaluate;
  /** Where each expression ends in all of them together. */
  readonly #ends: readonly (readonly [name: string, end: number])[];

  constructor(resource: Resource, values: Readonly<Record<string, string>>) {
    this.#resource = resource;
    this.#values = values;
    const parts = asParts(expressionsOf(resource));
    this.#together = compiled(`{${parts.map(({ text }) => text).join(',')}}`);
    let end = 1;
    this.#ends = parts.map(({ name, text }) => {
      end += text.length + 1;
      return [name, end];
    });
  }

  async map(raw: Json, rule: TimeRule): Promise<MappedRecord> {
    if (!isJsonObject(raw)) return bad(null, `it is ${kindOf(raw)}, not an object`, raw);
    if (JSON.stringify(raw).length > LARGEST_RECORD) {
      return bad(null, `it has more than ${LARGEST_RECORD} characters`, raw);
    }
    const nulls: JoinedNulls = new Set();
    let found: JsonObject;
    try {
      found = plain(await this.#together(raw, this.#values, { nulls }));
    } catch (error) {
      return bad(await this.#idOf(raw), await this.#culprit(raw, error), raw);
    }
    return this.#record(raw, found, rule, this.#warnings(nulls));
  }

  #record(raw: JsonObject, found: JsonObject, rule: TimeRule, warnings: readonly string[]): MappedRecord {
    const id = readId(found['@id']);
    if ('problem' in id) return bad(null, id.problem, raw);
    const updatedAt = this.#updatedAt(found['@updatedAt'], rule);
    if (typeof updatedAt === 'string') return bad(id.id, updatedAt, raw);
    const deleted = found['@deleted'] ?? false;
    if (typeof deleted !== 'boolean')
      return bad(id.id, `"deleted" gives ${kindOf(deleted)}, not true or false`, raw);
    const fields = this.#fields(raw, found);
    const record = { id: id.id, updatedAt, deleted, fields };
    return { kind: 'record', record, changed: found['@updatedAt'], warnings };
  }

  /** The id alone, where another expression fails: a record that is known by its id is not taken for one that is gone. */
  async #idOf(raw: JsonObject): Promise<string | null> {
    try {
      const id = readId(await compiled(this.#resource.id)(raw, this.#values));
      return 'id' in id ? id.id : null;
    } catch {
      return null;
    }
  }

  #warnings(nulls: JoinedNulls): readonly string[] {
    const fields = [...nulls].map((place) => this.#ends.find(([, end]) => Number(place) < end)?.[0] ?? '');
    return [...new Set(fields)].map(
      (name) =>
        `"${name.replace('@', '')}" joins a null with &, which counts as nothing: $join([…], " ") leaves it out`,
    );
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
    const values = named.map((name): [string, Json] => [name, asListed(name, found[name] ?? null)]);
    return Object.fromEntries([...values, ...kept]);
  }

  /** Finds the expression that fails on this record. */
  async #culprit(raw: JsonObject, error: unknown): Promise<string> {
    for (const [name, text] of expressionsOf(this.#resource)) {
      try {
        await compiled(text)(raw, this.#values);
      } catch (failure) {
        return `"${name.replace('@', '')}" cannot be worked out: ${messageOf(failure)}${kindsRead(text, raw)}`;
      }
    }
    return `it cannot be mapped: ${messageOf(error)}`;
  }
}

function asListed(name: string, value: Json): Json {
  return LISTS.has(name) && value !== null && !Array.isArray(value) ? [value] : value;
}

/** What the fields that an expression names are in this record. */
function kindsRead(text: string, raw: JsonObject): string {
  const withoutTexts = text.replaceAll(/"[^"]*"|'[^']*'/g, '');
  const named = withoutTexts.match(/(?<![$\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/g) ?? [];
  const paths = [...new Set(named)].filter((path) => Object.hasOwn(raw, path.split('.')[0] ?? ''));
  const kinds = paths.slice(0, MOST_READ).map((path) => `${path} is ${kindOf(at(raw, path))}`);
  return kinds.length === 0 ? '' : `; ${kinds.join(', ')}`;
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
function asParts(expressions: readonly (readonly [name: string, text: string])[]) {
  return expressions.map(([name, text]) => ({ name, text: `${JSON.stringify(name)}: (${text}\n)` }));
}

function compiled(text: string): Evaluate {
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
