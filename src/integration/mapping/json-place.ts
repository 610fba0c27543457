import type { Json } from '../connector.ts';

/**
 * A copy of `tree` with a value at a place: names, and indices of lists, with dots between them. A list that is at the place gets the value as one more
 * element; what else is there is replaced. Objects on the way are made; an index that a list does not have changes nothing.
 */
export function placed(tree: Json, place: string, value: Json): Json {
  return put(tree, place.split('.'), value);
}

/** Whether a value can be put there: what it would be a part of is in the tree. */
export function hasPlace(tree: Json, place: string): boolean {
  const names = place.split('.');
  const last = names.pop() ?? '';
  let found: Json | undefined = tree;
  for (const name of names) found = partOf(found, name);
  return Array.isArray(found) ? Object.hasOwn(found, last) : isObject(found);
}

function put(found: Json | undefined, names: readonly string[], value: Json): Json {
  const [name, ...rest] = names;
  if (name === undefined) return Array.isArray(found) ? [...found, value] : value;
  if (Array.isArray(found))
    return found.map((one, index) => (String(index) === name ? put(one, rest, value) : one));
  const object = isObject(found) ? found : {};
  return { ...object, [name]: put(partOf(object, name), rest, value) };
}

function partOf(found: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(found)) return Object.hasOwn(found, name) ? found[Number(name)] : undefined;
  return isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
}

function isObject(value: Json | undefined): value is { readonly [field: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
