import { maskCardNumbers } from './card-number.ts';
import { maskCredentials } from './credential.ts';
import { isUuid } from './ids.ts';

/** Redacts card numbers and API keys in free text; a UUID stays unchanged, whatever its digits look like. */
export function guardText(text: string): string {
  return isUuid(text) ? text : maskCredentials(maskCardNumbers(text));
}

/** Redacts card numbers and API keys in the texts, names and long numbers of a JSON value. Depth is bounded where JSON enters. */
export function guardJson(value: unknown): unknown {
  if (typeof value === 'string') return guardText(value);
  if (typeof value === 'number') return guardNumber(value);
  if (Array.isArray(value)) return value.map(guardJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [guardText(name), guardJson(item)]));
}

function guardNumber(value: number): number | string {
  const text = String(value);
  const masked = maskCardNumbers(text);
  return masked === text ? value : masked;
}
