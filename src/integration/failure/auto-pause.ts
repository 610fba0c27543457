import { assertNever } from '../../base/invariant.ts';
import type { PauseReason } from '../integration.ts';
import type { Failure } from './failure.ts';

/** What the end of a run does to its integration. */
export interface AfterRun {
  /** Null: the counter stays. 0: it begins anew. */
  readonly count: number | null;
  readonly pause: PauseReason | null;
}

/**
 * The table "When it fails": what a failed run does to its integration (auto-pause).
 * Counted per resource: a resource that always works does not hide one that always fails.
 */
export function afterFailure({ effect }: Failure, before: number, maxErrors: number): AfterRun {
  switch (effect) {
    case 'pause':
      return { count: null, pause: 'credentials' };
    case 'pause_stream':
      return { count: before + 1, pause: null };
    case 'wait':
      return { count: null, pause: null };
    case 'retry':
    case 'fail': {
      const count = before + 1;
      return { count, pause: count >= maxErrors ? 'errors' : null };
    }
    default:
      return assertNever(effect);
  }
}
