import { AppError, hasCode } from '../../base/errors.ts';

/** The cursor parameters of a list. */
interface Cursors {
  readonly starting_after?: string | undefined;
  readonly ending_before?: string | undefined;
}

/**
 * The cursors by the core's names.
 * @throws CURSORS_CONFLICT when both are sent.
 */
export function cursorsOf({ starting_after, ending_before }: Cursors): {
  startingAfter?: string;
  endingBefore?: string;
} {
  if (starting_after !== undefined && ending_before !== undefined) {
    throw new AppError('CURSORS_CONFLICT', 'Send starting_after or ending_before, not both', {
      context: { param: 'ending_before' },
    });
  }
  return {
    ...(starting_after === undefined ? {} : { startingAfter: starting_after }),
    ...(ending_before === undefined ? {} : { endingBefore: ending_before }),
  };
}

/** Runs a look-up and names the parameter when its cursor is unknown. */
export function atCursor<T>({ starting_after }: Cursors, look: () => T): T {
  try {
    return look();
  } catch (cause) {
    if (!hasCode(cause, 'CURSOR_UNKNOWN')) throw cause;
    const param = starting_after === undefined ? 'ending_before' : 'starting_after';
    throw new AppError('CURSOR_UNKNOWN', `${param} names nothing that is kept here`, {
      cause,
      context: { param },
    });
  }
}
