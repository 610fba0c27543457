import { AppError } from '../../base/errors.ts';

/** Why nothing more can be stored. */
export interface DiskShortage {
  readonly kind: 'disk_full' | 'read_only' | 'storage_failed';
  /** The fault and its remedy, for staff. */
  readonly message: string;
}

/** The disk as payments see it. */
export interface DiskSpace {
  /** Why the effects of one more payment beside the running ones might not be stored; null: there is space for all of it. */
  shortage(): DiskShortage | null;
  /** The same for callers that start no payment: no space is prepared for one more. */
  trouble(): DiskShortage | null;
}

/** For a disk that is not watched. */
export const UNWATCHED_DISK: DiskSpace = { shortage: () => null, trouble: () => null };

/**
 * Nothing is started whose outcome might not be stored.
 * @param nothing what did not happen, for staff: `Nothing was charged.`
 * @throws STORAGE_FULL, STORAGE_FAILED
 */
export function checkDiskSpace(disk: DiskSpace, nothing: string): void {
  const shortage = disk.shortage();
  if (!shortage) return;
  const code = shortage.kind === 'disk_full' ? 'STORAGE_FULL' : 'STORAGE_FAILED';
  throw new AppError(code, `${nothing} ${shortage.message}`, {
    retry: 'safe',
    context: { details: { reason: shortage.kind } },
  });
}

/**
 * Stores the beginning of an operation. If that fails it has not begun: no terminal gets it, not even when the disk turns out to hold it after all.
 * @param nothing what did not happen, for staff
 * @throws what the work throws
 */
export function begun<T>(nothing: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('STORAGE_')) throw error;
    const { code, message, context } = error;
    throw new AppError(code, `${nothing} It could not be stored: ${message}.`, {
      retry: 'safe',
      context,
      cause: error,
    });
  }
}
