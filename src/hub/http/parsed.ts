import { z } from 'zod';
import { AppError } from '../../base/errors.ts';

/** The JSON of a body, as its schema has it. @throws REQUEST_INVALID */
export function parsed<T>(schema: z.ZodType<T>, body: Buffer): T {
  return checked(schema, jsonOf(body));
}

/** @throws REQUEST_INVALID */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new AppError('REQUEST_INVALID', 'the body is not JSON', { cause });
  }
}

/** @throws REQUEST_INVALID with the words of every fault */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new AppError('REQUEST_INVALID', z.prettifyError(result.error).slice(0, 1_000));
}
