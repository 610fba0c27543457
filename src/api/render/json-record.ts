import { z } from 'zod';
import { Json } from '../contract/primitives.ts';

const JsonRecord = z.record(z.string(), Json);

/** Facts of the core as plain JSON: what JSON cannot hold is left out. */
export function jsonRecord(facts: Readonly<Record<string, unknown>>): z.infer<typeof JsonRecord> {
  return JsonRecord.parse(JSON.parse(JSON.stringify(facts)));
}
