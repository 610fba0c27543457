import { parse } from 'node:path';

type Node = Readonly<Record<string, unknown>>;

/** Records that are looked at: what one leaves out, another may have. */
const MOST_RECORDS = 100;
const DEEPEST = 4;
/** Numbers beside a list that mostly have the names of the parameters by which its pages are asked for. */
const PARAMETERS = /^(offset|skip|page|limit|per_?page|page_?size|take)$/i;

/**
 * An answer of a source with a list of records, as the OpenAPI document that would describe it (`x-answer`); null: there is no list in it.
 * @param name of the file, or its address; its last part says what the records are: `customers.json`
 */
export function documentOfAnswer(answer: unknown, name: string): Node | null {
  const lists = Array.isArray(answer) ? [answer] : Object.values(objectOf(answer)).filter(Array.isArray);
  if (!lists.some((list) => list.some(isObject))) return null;
  const url = /^https?:/.test(name) ? new URL(name) : null;
  const { dir, name: last } = parse(url?.pathname ?? name);
  const servers = url ? [{ url: `${url.origin}${dir}` }] : [];
  const response = { content: { 'application/json': { schema: schemaOf(answer) } } };
  const get = { parameters: parametersIn(answer), responses: { 200: response } };
  return { openapi: '3.1.0', 'x-answer': true, servers, paths: { [`/${last}`]: { get } } };
}

/** Not `page` where the first one is not 1: the draft would begin at the second. */
function parametersIn(answer: unknown): readonly Node[] {
  const places = [answer, ...Object.values(objectOf(answer))].filter(isObject);
  const numbers = places.flatMap(Object.entries<unknown>).filter(([, value]) => typeof value === 'number');
  return numbers
    .filter(([name, value]) => PARAMETERS.test(name) && (!/^page$/i.test(name) || value === 1))
    .map(([name]) => ({ in: 'query', name }));
}

function schemaOf(value: unknown, depth = 0): Node {
  if (depth > DEEPEST) return {};
  if (Array.isArray(value)) {
    const records = value.slice(0, MOST_RECORDS).filter(isObject);
    return {
      type: 'array',
      items: schemaOf(Object.assign({}, ...records, ...records.map(known)), depth + 1),
    };
  }
  if (isObject(value)) {
    const properties = Object.entries(value).map(([name, one]) => [name, schemaOf(one, depth + 1)]);
    return { type: 'object', properties: Object.fromEntries(properties) };
  }
  return value === null ? {} : { type: Number.isInteger(value) ? 'integer' : typeof value };
}

/** Without what is null: that says nothing of its kind. */
function known(record: Node): Node {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

function isObject(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): Node {
  return isObject(value) ? value : {};
}
