import { accessSync, constants, statfsSync } from 'node:fs';
import { messageOf } from '../../../base/errors.ts';
import { paymentRateIn } from '../../../store/inspection/open-questions.ts';
import { type CheckResult, fail, ok } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

const DAY_MS = 86_400_000;
const MONTH_DAYS = 31;
const MEBIBYTE = 1_048_576;
/** Assumptions without a history: a busy shop, and the bytes of a payment with its journal, events and report in a large database. */
const USUAL = { perDay: 300, bytes: 16_384 } as const;
/** Fewer payments do not show the size of one: the empty database has pages of its own. */
const FEW = 200;
/** Free space that must remain: tilld stops selling below it. */
const RESERVE_BYTES = 128 * MEBIBYTE;

/** Disk space for a month of unreported payments. */
export function checkMonth({ options, database, files, now }: DiagnosticContext): readonly CheckResult[] {
  if (!options.offline) return [];
  const { bavail, bsize } = statfsSync(files.folder);
  return [
    monthFinding({ ...paymentRateIn(database(), now - MONTH_DAYS * DAY_MS, now), free: bavail * bsize }),
  ];
}

interface Month {
  readonly payments: number;
  readonly bytes: number;
  /** Payments of the last days, and the number of these days. */
  readonly lately: number;
  readonly days: number;
  readonly free: number;
}

/** `payments` in a database of `bytes`; `free` bytes on its disk. */
export function monthFinding({ payments, bytes, lately, days, free }: Month): CheckResult {
  const each = payments < FEW ? USUAL.bytes : Math.ceil(bytes / payments);
  const perDay = lately < FEW ? Math.max(USUAL.perDay, lately) : Math.ceil(lately / Math.max(days, 1));
  const needed = each * perDay * MONTH_DAYS;
  const words = `${MONTH_DAYS} days of ${perDay} payments of ${Math.ceil(each / 1024)} KiB need ${Math.ceil(needed / MEBIBYTE)} MiB, ${Math.floor(free / MEBIBYTE)} MiB are free`;
  if (free - RESERVE_BYTES >= needed) return ok('offline-room', words);
  return fail('offline-room', {
    what: words,
    why: 'with the service away every report stays here; a full disk stops the sale',
    fix: 'make room: du -xh / | sort -h | tail -20',
  });
}

/** Whether the database can record a sale. */
export function checkWritable({ options, files, hasDatabase }: DiagnosticContext): readonly CheckResult[] {
  if (!options.offline) return [];
  const id = 'offline-writable';
  const paths = hasDatabase ? [files.folder, files.database] : [files.folder];
  try {
    for (const path of paths) accessSync(path, constants.R_OK | constants.W_OK);
    return [ok(id, `${paths.join(' and ')} can be written`)];
  } catch (error) {
    return [
      fail(id, {
        what: `cannot be written: ${messageOf(error)}`,
        why: 'nothing is sold that cannot be written down',
        fix: 'ask as the user that runs tilld (sudo -u tilld tillctl doctor --offline); if it is that one: chown it',
      }),
    ];
  }
}
