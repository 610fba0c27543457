import { z } from 'zod';

/** Text that a database keeps as it is: no U+0000, no half of a surrogate pair. At most so many UTF-16 units. */
export function text(most: number) {
  return z
    .string()
    .min(1)
    .max(most)
    .refine(
      (value) => !value.includes('\u0000') && value.isWellFormed(),
      'has a character that no database keeps',
    );
}
