import {
  isJsonObject,
  type Json,
  type JsonObject,
  type PageToken,
  placed,
  type SourceRequest,
  type SyncWindow,
  sourceError,
} from '../../../src/driver-kit/provider.ts';
import { requestOf } from './pages.ts';
import type { Body, Resource } from './recipe.ts';
import { queryText } from './recipe-rules.ts';
import { type AskedBound, windowBounds } from './window-query.ts';

/** What a request is made of beside its resource. */
export interface Around {
  readonly zone: string | null;
  readonly values: Readonly<Record<string, string>>;
  /** The absolute address of a page that the source named. */
  absolute(address: string, path: string): string;
}

type Query = NonNullable<SourceRequest['query']>;

/** The request for one page of a list. @throws SOURCE_REFUSED when the token is of another style, or a value is not set */
export function listRequest(
  resource: Resource,
  window: SyncWindow,
  token: PageToken | null,
  around: Around,
): SourceRequest {
  const { path, body, statement } = resource;
  const page = requestOf(resource.page, token);
  const bounds = windowBounds(resource, window, around.zone);
  const headers = headersOf(bounds);
  if ('address' in page) return { path: around.absolute(page.address, path), ...headers };
  const asked = bounds.filter((bound) => bound.in === 'request');
  if (body) {
    const all = [
      ...asked,
      ...Object.entries(page.parameters).map(([name, value]) => ({ parameter: name, value })),
    ];
    return { path, query: resource.query, ...headers, ...posted(body, all, around.values) };
  }
  const shown = texts(page.parameters);
  if (statement) {
    const text = marked(statement.text, { ...texts(joined(asked)), ...shown });
    return { path, query: { ...resource.query, [statement.parameter]: text }, ...headers };
  }
  return { path, query: { ...resource.query, ...boundsIn(resource.query, asked), ...shown }, ...headers };
}

/** The request for one record. */
export function getRequest(
  { path, body, id: parameter }: NonNullable<Resource['get']>,
  id: string,
  values: Around['values'],
): SourceRequest {
  const whole = path.replaceAll('{id}', encodeURIComponent(id));
  if (!body) return { path: whole };
  return { path: whole, ...posted(body, parameter === undefined ? [] : [{ parameter, value: id }], values) };
}

type Asked = Pick<AskedBound, 'parameter' | 'value'>;

/** Values take their places by structure: none is ever joined to the text of a query. */
function posted(body: Body, asked: readonly Asked[], values: Around['values']): Omit<SourceRequest, 'path'> {
  const inTree = (tree: JsonObject): JsonObject =>
    asked.reduce<JsonObject>((made, { parameter, value }) => {
      const next = placed(made, parameter, value);
      return isJsonObject(next) ? next : made;
    }, tree);
  if (body.as === 'graphql')
    return { isRead: true, body: { query: queryText(body), variables: inTree(body.variables) } };
  if (body.as === 'form') return { isRead: true, form: { ...body.fields, ...boundsIn(body.fields, asked) } };
  const own = withValues(body.value, values);
  return { isRead: true, body: inTree(isJsonObject(own) ? own : {}) };
}

/** A parameter that comes twice, or is fixed beside, is repeated. */
function boundsIn(fixed: Query, asked: readonly Asked[]): Query {
  const made: Record<string, string[]> = {};
  for (const { parameter, value } of asked)
    made[parameter] = [...(made[parameter] ?? [fixed[parameter] ?? []].flat()), textOf(value)];
  return made;
}

function joined(asked: readonly Asked[]): Record<string, string> {
  const made: Record<string, string> = {};
  for (const { parameter, value } of asked)
    made[parameter] = made[parameter] === undefined ? textOf(value) : `${made[parameter]} ${textOf(value)}`;
  return made;
}

function headersOf(bounds: readonly AskedBound[]): Pick<SourceRequest, 'headers'> {
  const own = bounds.filter((bound) => bound.in === 'header');
  if (own.length === 0) return {};
  return { headers: Object.fromEntries(own.map(({ parameter, value }) => [parameter, textOf(value)])) };
}

/** Marks are replaced by whole numbers and times, which hold nothing of the source. */
function marked(text: string, values: Readonly<Record<string, string>>): string {
  const replaced = text.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : '',
  );
  return replaced.replaceAll(/ {2,}/g, ' ').trim();
}

function withValues(tree: Json, values: Around['values']): Json {
  if (Array.isArray(tree)) return tree.map((one: Json) => withValues(one, values));
  if (!isJsonObject(tree)) return tree;
  const entries = Object.entries(tree);
  const [name, of] = entries[0] ?? [];
  if (entries.length === 1 && typeof of === 'string') {
    if (name === '$value') return neededValue(of, values);
    if (name === '$number') return numberOf(of, values);
  }
  return Object.fromEntries(entries.map(([key, one]) => [key, withValues(one, values)]));
}

/** @throws SOURCE_REFUSED when it is empty */
export function neededValue(name: string, values: Around['values']): string {
  const value = values[name] ?? '';
  if (value === '') throw sourceError('SOURCE_REFUSED', `the recipe needs "settings.values.${name}"`);
  return value;
}

function numberOf(name: string, values: Around['values']): number {
  const text = neededValue(name, values);
  if (!/^\d{1,15}$/.test(text))
    throw sourceError('SOURCE_REFUSED', `"settings.values.${name}" must be a whole number`);
  return Number(text);
}

function texts(parameters: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
