import type { z } from 'zod';
import { JsonRecord } from '../contract/primitives.ts';

/** Facts of the core as plain JSON: values that JSON cannot express are left out. */
export function jsonRecord(facts: Readonly<Record<string, unknown>>): z.infer<typeof JsonRecord> {
  return JsonRecord.parse(JSON.parse(JSON.stringify(facts)));
}

/** The same for facts with internal names: `settleMs` becomes `settle_ms`, at every depth. */
export function namedAsOutside(facts: Readonly<Record<string, unknown>>): z.infer<typeof JsonRecord> {
  return JsonRecord.parse(snakeNames(jsonRecord(facts)));
}

function snakeNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [snakeName(name), snakeNames(item)]));
}

function snakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
