import {
  at,
  isJsonObject,
  type Json,
  type JsonObject,
  type SampledRecord,
  type SourceRequest,
} from '../../../src/driver-kit/provider.ts';
import type { MappedRecord } from './mapping.ts';
import type { Resource } from './recipe.ts';
import type { TimeRule } from './time-format.ts';

const LOCAL_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

const PATHS = /[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*/g;

/** Path, query and body as they are sent, without the credential. */
export function requestText({ path, query = {}, body, form }: SourceRequest): string {
  const pairs = new URLSearchParams();
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) pairs.append(name, String(value));
  const text = decodeURIComponent(String(pairs).replaceAll('+', ' '));
  const posted = body ?? form;
  const address = `${path}${text === '' ? '' : `?${text}`}`;
  return posted === undefined ? `GET ${address}` : `POST ${address} ${JSON.stringify(posted)}`;
}

/** A record beside what its recipe makes of it, with what its author probably did not mean. */
export function sampledRecord(
  resource: Resource,
  raw: Json,
  mapped: MappedRecord,
  { zone }: TimeRule,
): SampledRecord {
  if (mapped.kind === 'bad') return { raw, mapped: null, problem: mapped.bad.reason, warnings: [] };
  const { record, changed, warnings: found } = mapped;
  const source = isJsonObject(raw) ? raw : {};
  const warnings = [
    ...found,
    ...(typeof changed === 'string' && LOCAL_TIME.test(changed)
      ? [`"updatedAt" has no time zone: it is read as one of ${zone ?? 'none'}`]
      : []),
    ...Object.entries(resource.fields).flatMap(([name, expression]) =>
      fieldWarnings(name, expression, record.fields[name] ?? null, source),
    ),
  ];
  return { raw, mapped: record, problem: null, warnings };
}

function fieldWarnings(name: string, expression: string, value: Json, raw: JsonObject): readonly string[] {
  if (value === null) return [`"${name}" is null: \`${expression}\` gives nothing here`];
  const paths = expression.match(PATHS) ?? [];
  if (isJsonObject(value) && paths.some((path) => throughListOfOne(path, raw)))
    return [
      `"${name}" is no list, because the list at the source has one element here: put the expression into brackets, \`[${expression}]\``,
    ];
  if (typeof value !== 'string') return [];
  return LOCAL_TIME.test(value) ? [`"${name}" is a time without a time zone: ${value}`] : [];
}

/** Whether a path goes through a list of the source that has one element: JSONata gives that element instead of a list. */
function throughListOfOne(path: string, raw: JsonObject): boolean {
  const names = path.split('.');
  return names.some((_, index) => {
    const found = at(raw, names.slice(0, index + 1).join('.'));
    return Array.isArray(found) && found.length === 1;
  });
}

/** Whether a fixed parameter narrows the list; an order, or a choice of fields, does not. */
export function isFilter(parameter: string): boolean {
  return !/sort|order|field|include|expand|embed|context|locale|lang/i.test(parameter);
}
