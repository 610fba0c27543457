import { fstatSync } from 'node:fs';
import type { LineSink } from './standard-error.ts';

/** The priorities of syslog(3), which `journalctl -p` filters by. */
const PRIORITIES: Readonly<Record<string, number>> = { trace: 7, debug: 7, info: 6, warn: 4, error: 3 };
const NOTICE = 5;
const LEVEL = /^\{"level":"([a-z]+)"/;

/** Marks each line with its priority, `<3>{"level":"error",…}`; journald takes the mark off. @see sd-daemon(3) */
export function withJournalPriority(sink: LineSink): LineSink {
  return { write: (line) => sink.write(`<${priorityOf(line)}>${line}`) };
}

function priorityOf(line: string): number {
  return PRIORITIES[LEVEL.exec(line)?.[1] ?? ''] ?? NOTICE;
}

/**
 * Whether a file of this process, standard error if not said otherwise, is the journal's: systemd names it in `JOURNAL_STREAM`, which a child whose
 * output was redirected inherits all the same. @see systemd.exec(5)
 */
export function isJournal(env: Readonly<Record<string, string | undefined>>, file = 2): boolean {
  const stream = env['JOURNAL_STREAM'];
  if (stream === undefined) return false;
  const { dev, ino } = fstatSync(file);
  return stream === `${dev}:${ino}`;
}
