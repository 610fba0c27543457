import { AppError } from './errors.ts';

/**
 * Checks a condition that must be true before a write and after a read.
 * @throws INVARIANT_BROKEN when `condition` is false. This is a bug. It stops the terminal that it concerns, not the others.
 */
export function invariant(
  condition: unknown,
  message: string,
  context: Record<string, unknown> = {},
): asserts condition {
  if (!condition)
    throw new AppError('INVARIANT_BROKEN', message, {
      retry: 'after_recovery',
      moneyMoved: 'unknown',
      context,
    });
}

/** Closes a `switch` over a union: a missing case is a type error. */
export function assertNever(value: never): never {
  throw new AppError('INVARIANT_BROKEN', `unhandled case ${JSON.stringify(value)}`);
}
