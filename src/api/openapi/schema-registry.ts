import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { EXAMPLES } from './examples.ts';
import { NAMED } from './schemas.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;
type Direction = 'input' | 'output';

/** Bounds of every JavaScript integer; the document leaves them out. */
const SAFE = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** Formats that JSON Schema knows; zod's other formats have a pattern that is enough. */
const FORMATS: readonly unknown[] = ['uuid', 'date-time', 'ipv4', 'ipv6', 'uri'];

/** Converts zod schemas to JSON Schema 2020-12 and collects the named ones under `components.schemas`. */
export class SchemaRegistry {
  readonly #registry = z.registry<{ id: string }>();
  readonly #components = new Map<string, JsonSchema>();
  /** A conversion visits everything below a schema, and most schemas are requested repeatedly. */
  readonly #known = { input: new Map<z.ZodType, JsonSchema>(), output: new Map<z.ZodType, JsonSchema>() };

  constructor() {
    for (const [id, schema] of Object.entries(NAMED)) this.#registry.add(schema, { id });
  }

  /**
   * `input`: what a client may send, nothing else; `output`: what it receives, more fields may come at any time.
   * @throws INVARIANT_BROKEN when one name has two meanings.
   */
  of(schema: z.ZodType, io: Direction): JsonSchema {
    const known = this.#known[io].get(schema) ?? this.#convert(schema, io);
    this.#known[io].set(schema, known);
    return known;
  }

  #convert(schema: z.ZodType, io: Direction): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...own
    } = z.toJSONSchema(schema, {
      metadata: this.#registry,
      io,
      target: 'draft-2020-12',
      override: ({ zodSchema, jsonSchema }) => {
        tidy(jsonSchema, io);
        const description = z.globalRegistry.get(zodSchema)?.description;
        if (description !== undefined) jsonSchema.description = description;
      },
    });
    for (const [name, definition] of Object.entries($defs ?? {})) this.#keep(name, definition);
    const id = this.#registry.get(schema)?.id;
    if (id === undefined) return pointed(own);
    if ($defs?.[id] === undefined) this.#keep(id, own);
    return { $ref: `#/components/schemas/${id}` };
  }

  get components(): Readonly<Record<string, JsonSchema>> {
    const rows = [...this.#components].map(([name, schema]) => [name, withExample(name, schema)] as const);
    return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #keep(name: string, definition: object): void {
    const schema = pointed(withoutId(definition));
    const before = this.#components.get(name);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(schema))
      throw new AppError('INVARIANT_BROKEN', `${name} would mean two things in the OpenAPI document`);
    this.#components.set(name, schema);
  }
}

function tidy(schema: z.core.JSONSchema.BaseSchema, io: Direction): void {
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  if (!FORMATS.includes(schema.format)) delete schema.format;
  if (schema.minimum === SAFE.minimum) delete schema.minimum;
  if (io === 'output' && schema.maximum === SAFE.maximum) delete schema.maximum;
}

function withExample(name: string, schema: JsonSchema): JsonSchema {
  const example = Object.hasOwn(EXAMPLES, name) ? EXAMPLES[name] : undefined;
  return example === undefined ? schema : { ...schema, examples: [example] };
}

function pointed(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

function withoutId(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== 'id' && name !== '$id'));
}
