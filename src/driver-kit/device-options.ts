import { z } from 'zod';

/** The option `customer_ms`: the customer's time, 180 s where a device sets none. @param least ms */
export function customerMs(least = 10_000, meaning = 'Longest that a customer takes, ms.') {
  return z.int().min(least).max(900_000).default(180_000).describe(meaning);
}

/** The option `path` of requests over HTTP. @param usual where a device sets none */
export function httpPath(usual: string) {
  return z
    .string()
    .regex(/^\/[\x21-\x7e]{0,127}$/)
    .default(usual)
    .describe('Path of the requests.');
}
