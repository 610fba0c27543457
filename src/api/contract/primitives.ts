import { z } from 'zod';
import { canonicalId } from '../../base/ids.ts';
import { currencies } from '../../base/money.ts';

/** Converts a UUID to its canonical form. */
export const Uuid = z
  .uuid()
  .overwrite(canonicalId)
  .describe('Any RFC 9562 UUID; upper and lower case are the same.');

/** Any text: the look-up rejects an id that names no item (`resource_missing`), whatever its form. */
export const Cursor = z.string().describe('The id of the item up to which the list was read.');

export const AmountMinor = z
  .int()
  .positive()
  .describe('Minor currency units (1234 is 12.34 in euros and 1234 in yen); more than zero.');

export const CurrencyCode = z
  .enum(currencies as [(typeof currencies)[number], ...typeof currencies])
  .describe('ISO 4217 alphabetic code.');

export const Timestamp = z.iso.datetime().describe('ISO 8601 date-time, UTC.');

export const Reference = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[\P{C}]+$/u, 'must hold printable characters only')
  .describe(
    "The merchant's own reference: 1 to 64 printable characters; blanks around it are no part of it.",
  );

/** Any JSON value; one schema, so that the OpenAPI document names it once. */
export const Json = z.json();

export const Words = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[\P{C}]+$/u, 'must hold printable characters only')
  .describe('What a person says: 1 to 200 printable characters.');

/** Limited, so that one request cannot fill the disk. */
export const Metadata = z
  .record(z.string(), Json)
  .refine((value) => JSON.stringify(value).length <= 8192, 'must be at most 8192 bytes of JSON')
  .describe('Free-form properties; at most 8 KiB as JSON. Card numbers in it are masked.');

/** `{data: …}`: the wrapper of a single resource. */
export function dataOf<T extends z.ZodType>(resource: T) {
  return z.object({ data: resource });
}

/** The list object of version 2026-05-01. */
export function listOf<T extends z.ZodType>(resource: T) {
  return z.object({
    object: z.literal('list'),
    data: z.array(resource),
    has_more: z.boolean(),
    url: z.string(),
  });
}

/** The list object of version 2026-01-15: `total` and `offset` where the list is paged by offset. */
export function pageOf<T extends z.ZodType>(resource: T) {
  return z.object({
    data: z.array(resource),
    pagination: z.object({
      limit: z.int(),
      offset: z.int().optional(),
      total: z.int().optional(),
      hasMore: z.boolean(),
    }),
  });
}

/** A plain JSON object with any field names. */
export const JsonRecord = z.record(z.string(), Json);
