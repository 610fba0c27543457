import type { Json, JsonObject } from './connector.ts';

/** What stands in quotes as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** JSON whose keys are in order, so that a source may give them in any. Every record of every page passes here. */
export function canonical(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Array.isArray(value) ? `[${value.map(canonical).join(',')}]` : objectText(value as JsonObject);
}

function objectText(value: JsonObject): string {
  let text = '';
  for (const key of Object.keys(value).sort())
    text += `${text === '' ? '' : ','}${quoted(key)}:${canonical(value[key] ?? null)}`;
  return `{${text}}`;
}

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
