import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** An answer as it came over the wire; header names in lower case. */
export interface SeenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Headers that a client can do something with: none of them may come without a description. */
const DESCRIBED =
  /^(x-ratelimit-\w+|retry-after|www-authenticate|sunset|deprecation|idempotent-replayed|location|payment-status|x-request-id|service-version)$/;
const ID = 'openapi.json';

type Json = Readonly<Record<string, unknown>>;

/**
 * An OpenAPI document held against what is really said, by a validator that has nothing to do with the schemas that the document is made of
 * (Ajv in its strict mode, JSON Schema 2020-12).
 */
export class Description {
  readonly #document: Json;
  readonly #ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
  });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: Json) {
    this.#document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({
      $id: ID,
      $defs: retold(members(at(document, 'components', 'schemas')), '#/$defs/'),
    });
  }

  /** What the answer says that the document does not; empty when all of it is described. */
  faultsOf(method: string, target: string, answer: SeenAnswer): readonly string[] {
    const operation = this.#operation(method, target.split('?')[0] ?? '');
    if (operation === undefined) return this.#unroutedFaults(answer);
    const response = this.#resolved(at(operation, 'responses', String(answer.status)));
    if (response === undefined) return [`status ${answer.status} is not described`];
    return [
      ...this.#headerFaults(members(at(response, 'headers')), answer.headers),
      ...(method === 'HEAD' ? [] : this.#bodyFaults(members(at(response, 'content')), answer)),
    ];
  }

  /** What is wrong with a value by one schema of the document. */
  schemaFaults(schema: unknown, value: unknown): readonly string[] {
    const text = JSON.stringify(schema);
    const validate =
      this.#validators.get(text) ?? this.#ajv.compile(retold(members(schema), `${ID}#/$defs/`));
    this.#validators.set(text, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'body'} ${message}`);
  }

  #unroutedFaults({ status, text }: SeenAnswer): readonly string[] {
    const schemas = ['FlatError', 'ErrorEnvelope'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    return text === '' ? [] : this.schemaFaults(status === 404 ? schemas[0] : schemas[1], JSON.parse(text));
  }

  #operation(method: string, path: string): unknown {
    const wanted = path.split('/');
    const name = method === 'HEAD' ? 'get' : method.toLowerCase();
    const paths = Object.entries(members(at(this.#document, 'paths')));
    const fitting = paths.filter(
      ([template, item]) => fits(template.split('/'), wanted) && at(item, name) !== undefined,
    );
    // The address that is spelt out goes before one with a name in its place.
    const [first] = fitting.toSorted(([one], [other]) => one.split('{').length - other.split('{').length);
    return at(first?.[1], name);
  }

  #headerFaults(described: Json, seen: Readonly<Record<string, unknown>>): readonly string[] {
    const rows = Object.entries(described).map(
      ([name, header]) => [name.toLowerCase(), this.#resolved(header)] as const,
    );
    const known = new Map(rows);
    const strange = Object.keys(seen).filter((name) => DESCRIBED.test(name) && !known.has(name));
    return [
      ...strange.map((name) => `header ${name} is not described`),
      ...rows.flatMap(([name, header]) => this.#oneHeader(name, header, seen[name])),
    ];
  }

  #oneHeader(name: string, header: unknown, value: unknown): readonly string[] {
    if (value === undefined) return at(header, 'required') === true ? [`header ${name} is missing`] : [];
    const schema = at(header, 'schema');
    const faults = this.schemaFaults(schema, at(schema, 'type') === 'integer' ? Number(value) : value);
    return faults.map((fault) => `header ${name}: ${fault}`);
  }

  #bodyFaults(described: Json, { headers, text }: SeenAnswer): readonly string[] {
    const mediaType = String(headers['content-type']).split(';')[0] ?? '';
    const schema = at(described, mediaType, 'schema');
    if (schema === undefined) return [`${mediaType} is not described`];
    return this.schemaFaults(schema, mediaType === 'application/json' ? JSON.parse(text) : text);
  }

  #resolved(value: unknown): unknown {
    const pointer = at(value, '$ref');
    return typeof pointer === 'string' ? at(this.#document, ...pointer.replace('#/', '').split('/')) : value;
  }
}

/** The members of an object; of anything else none. */
function members(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The same schemas with their pointers to where the validator has them. */
function retold(schemas: Json, place: string): Json {
  return JSON.parse(JSON.stringify(schemas).replaceAll('"$ref":"#/components/schemas/', `"$ref":"${place}`));
}

/** What lies below a value under these names; undefined when nothing does. */
function at(value: unknown, ...names: readonly string[]): unknown {
  let current: unknown = value;
  for (const name of names) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = Reflect.get(current, name);
  }
  return current;
}

function fits(template: readonly string[], path: readonly string[]): boolean {
  return (
    template.length === path.length &&
    template.every((part, index) => part === path[index] || (part.startsWith('{') && path[index] !== ''))
  );
}
