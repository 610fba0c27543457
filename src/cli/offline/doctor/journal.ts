import { counted } from '../../../base/counted.ts';
import { hasCode } from '../../../base/errors.ts';
import { type EpochKind, epochKind } from '../../../store/epoch/epoch.ts';
import { firstEntryAfter } from '../../../store/inspection/checks.ts';
import {
  type Beside,
  checkJournal,
  checkJournalSince,
  type Looked,
  NOTHING_BESIDE,
} from '../../../store/inspection/journal-check.ts';
import type { ChainCheck } from '../../../store/journal/journal-chain.ts';
import type { Readable } from '../../../store/read-only-database.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

const COMPARE =
  'keep a copy of the state folder, compare that payment with the receipts of the terminal (tillctl explain ID), then stop tilld and: tillctl restore FILE';
const START =
  'systemctl start tilld (or npm start): it shows what each terminal did last and asks before the next sale (tillctl tasks)';

/** Reading a journal of this many rows takes about a second. */
const READ_WHOLE_ROWS = 20_000;
const DAY_MS = 86_400_000;
/** An anchor is written on every day with a payment. */
const ANCHOR_DUE_MS = 2 * DAY_MS;

/** Every row of the journal, or of a long one those since its last daily anchor; and the anchors that confirm them. */
export function checkChain(context: DiagnosticContext): readonly CheckResult[] {
  const beside: Beside = {
    note: legible(context.note, NOTHING_BESIDE.note),
    anchors: legible(() => context.anchors.read(), []),
  };
  const chain = chainOf(context, beside);
  return [chainFinding(chain), ...anchorFindings(context, chain)];
}

/** An unreadable file beside the database confirms nothing here; another check reports it. */
function legible<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** If the whole database is damaged, not even the first row is readable. @throws where it only denies access to the caller */
function chainOf({ database, options }: DiagnosticContext, beside: Beside): Looked {
  try {
    if (options.full) return { ...checkJournal(database(), beside), since: null };
    return checkJournalSince(database(), beside, READ_WHOLE_ROWS);
  } catch (error) {
    if (!hasCode(error, 'STORAGE_DAMAGED')) throw error;
    const what = `the row cannot be read: ${error.message}`;
    return { kind: 'broken', seq: 1, attemptId: null, what, since: null };
  }
}

function chainFinding(chain: Looked): CheckResult {
  const id = 'journal-chain';
  if (chain.kind === 'whole' && chain.since !== null)
    return ok(
      id,
      `${counted(
        chain.count - chain.since.count,
        `row since the anchor at row ${chain.since.count} fits its chain`,
        `rows since the anchor at row ${chain.since.count} fit their chain`,
      )} (--full reads them all)`,
    );
  if (chain.kind === 'whole')
    return ok(
      id,
      counted(chain.count, 'row of the journal fits its chain', 'rows of the journal fit their chain'),
    );
  const { seq, attemptId, what } = chain;
  return fail(id, {
    what: `row ${seq} of the journal is the first broken one${attemptId === null ? '' : ` (payment ${attemptId})`}: ${what}`,
    why: 'from this row on the books do not prove what was charged: the disk damaged it, or a person changed it',
    fix: COMPARE.replace('ID', attemptId ?? 'ID'),
  });
}

function anchorFindings(
  { anchors, files, database, now }: DiagnosticContext,
  chain: ChainCheck,
): readonly CheckResult[] {
  const id = 'journal-anchors';
  const { lines, cutShort } = anchors.damage();
  const overruled = chain.kind === 'whole' ? (chain.overruled ?? []) : [];
  const trouble = {
    why: 'each anchor proves the journal up to its row; the others still prove theirs',
    fix: `cp ${files.anchors} ${files.anchors}.kept, and look for who or what changed it; the next anchor follows within a day`,
  };
  const findings = [
    ...lines.map((line) => fail(id, { what: `line ${line} of ${files.anchors} is no anchor`, ...trouble })),
    ...overruled.map(({ count }) =>
      fail(id, {
        what: `what is noted beside the database of row ${count} was changed: the journal is whole there`,
        ...trouble,
      }),
    ),
    ...(cutShort
      ? [warn(id, { what: `the last line of ${files.anchors} is cut short, as by a power cut`, ...trouble })]
      : []),
    ...overdueFindings(database(), anchors.read().at(-1), now),
  ];
  return findings.length > 0 ? findings : [ok(id, anchorWords(anchors.read().at(-1)))];
}

/** The journal grew without an anchor. */
function overdueFindings(
  database: Readable,
  newest: { readonly on: string; readonly count: number } | undefined,
  now: number,
): readonly CheckResult[] {
  const first = firstEntryAfter(database, newest?.count ?? 0);
  if (first === null || now - first < ANCHOR_DUE_MS) return [];
  return [
    warn('journal-anchors', {
      what: `what was written since ${new Date(first).toISOString()} was never anchored`,
      why: 'tilld anchors the journal once a day while no payment runs: it was not running, or could not write',
      fix: 'systemctl restart tilld while no payment runs (it anchors at its start)',
    }),
  ];
}

function anchorWords(newest: { readonly on: string; readonly count: number } | undefined): string {
  return newest
    ? `the newest anchor is of ${newest.on} and proves ${counted(newest.count, 'row', 'rows')}`
    : 'there is no anchor yet: the first follows within a day of the first payment';
}

/** Whether the note beside the database belongs to it; what the next start does about it. */
export function checkEpochNote({ database, note, files, hasDatabase }: DiagnosticContext): CheckResult {
  const id = 'epoch';
  const found = note();
  if (!hasDatabase)
    return found.kind === 'missing' ? ok(id, 'nothing was here before') : goneFinding(id, files.database);
  const kind = epochKind(database(), found);
  if (kind === 'same') return ok(id, `${files.epoch} is about this database`);
  if (kind === 'new') return ok(id, 'the database is new');
  const restored = (found.kind === 'note' || found.kind === 'bare') && found.note.restored === true;
  if (restored)
    return warn(id, {
      what: 'a backup was put in the place of the database, and tilld was not started since',
      why: 'what was sold after the backup is not in it',
      fix: START,
    });
  return fail(id, {
    what: `${files.epoch} ${noteWords(found.kind, kind)}`,
    why: 'the next start treats it as a restored database: payments may be missing in it',
    fix: START,
  });
}

function goneFinding(id: string, database: string): CheckResult {
  return fail(id, {
    what: `${database} is gone: there were books here before`,
    why: 'the next start begins with empty ones, and it is not known what was charged',
    fix: 'before the next start: tillctl restore FILE',
  });
}

function noteWords(found: string, kind: EpochKind): string {
  if (found === 'missing') return 'is gone';
  if (found === 'unreadable') return 'cannot be read';
  if (kind === 'older')
    return 'knows of a journal that had come further: an older copy was put in its place, or its end was cut off';
  return 'is about another database';
}
