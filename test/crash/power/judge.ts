import { existsSync } from 'node:fs';
import { z } from 'zod';
import { type Money, openMoney } from '../../../src/agent/money.ts';
import { messageOf } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import { Archiver } from '../../../src/store/archive/archiver.ts';
import type { Database } from '../../../src/store/database.ts';
import { JournalAnchors } from '../../../src/store/journal/journal-anchors.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { type Content, contentOf } from './content.ts';
import type { Accusation, Crime } from './crimes.ts';
import type { Answered, Expectation } from './expectation.ts';
import { judgeArchive } from './judge-archive.ts';
import { folderAfterKill } from './shop.ts';

/** After every scenario. */
const NEXT_MONTH = Date.UTC(2026, 1, 5, 9, 0, 0);

/** What may be in the database: the content before the first commit, and after each one. */
export interface Contents {
  readonly before: Content;
  readonly after: readonly Content[];
}

/**
 * Starts the agent's memory on what a power cut has left, with the product's own code, and compares it with what was acknowledged.
 * The folder is changed by it, as by every start.
 */
export async function judgeImage(
  folder: string,
  expected: Expectation,
  contents: Contents,
  startTwice: boolean,
): Promise<readonly Accusation[]> {
  const accusations: Accusation[] = [];
  const accuse = (crime: Crime, text: string) => void accusations.push({ crime, text });
  try {
    const found = await startOn(folder, (money) => {
      judgeDatabase(money.database, accuse);
      judgeContent(contentOf(money.database), expected, contents, accuse);
      judgeMoney(money.database, expected, accuse);
      judgeMemory(money, expected, accuse);
      judgeArchive(money, accuse);
      if (startTwice) money.anchorJournal();
      return startTwice ? contentOf(money.database) : null;
    });
    if (found !== null) await startAgain(folder, found, accuse);
    if (existsSync(folderAfterKill(folder).archiveDatabase))
      await startOn(folder, (money) => archiveOn(money, accuse));
    return accusations;
  } catch (error) {
    accuse('integrity', `it does not start: ${messageOf(error)}`);
  }
  return accusations;
}

function startAgain(folder: string, found: Content, accuse: Accuse): Promise<void> {
  return startOn(folder, (money) => {
    judgeSecondStart(money, folder, accuse);
    if (!isSame(contentOf(money.database), found))
      accuse('half_written', 'the second start holds something else');
  });
}

/** What the power cut has left of the archiving goes on from where it is. */
function archiveOn(money: Money, accuse: Accuse): void {
  const { database, archive } = money;
  const archiver = new Archiver({ money: database, archive: () => archive.archive() });
  while (archiver.turn(NEXT_MONTH, NEXT_MONTH) !== 'nothing') judgeArchive(money, accuse);
}

/** The content of a folder that no power cut has touched. */
export async function contentAtRest(folder: string): Promise<Content> {
  return startOn(folder, ({ database }) => contentOf(database));
}

/** One start and one orderly stop. */
async function startOn<T>(folder: string, look: (money: Money) => T): Promise<T> {
  const lifecycle = new Lifecycle(silentLog);
  const clock = new VirtualClock(NEXT_MONTH);
  // No page is read first: the file itself must be right, and is looked through below.
  const ports = { version: '0.1.0', clock, ids: systemIds, log: silentLog, lifecycle, atOnceBytes: 0 };
  try {
    return look(openMoney({ folder: folderAfterKill(folder), ...ports }));
  } finally {
    await lifecycle.stop();
  }
}

type Accuse = (crime: Crime, text: string) => void;

function judgeDatabase(database: Database, accuse: Accuse): void {
  const integrity = z
    .array(z.object({ integrity_check: z.string() }))
    .parse(database.all('PRAGMA integrity_check'))
    .map((row) => row.integrity_check);
  if (integrity.join() !== 'ok') accuse('integrity', `integrity_check: ${integrity.slice(0, 3).join('; ')}`);
  const strangers = database.all('PRAGMA foreign_key_check');
  if (strangers.length > 0) accuse('integrity', `foreign_key_check: ${JSON.stringify(strangers[0])}`);
}

/** The content is that of one commit, which is not older than the last acknowledged one and not younger than the one under way. */
function judgeContent(
  found: Content,
  expected: Expectation,
  { before, after }: Contents,
  accuse: Accuse,
): void {
  const all = [before, ...after];
  const allowed = all.slice(expected.sure, expected.commits + 2);
  if (allowed.some((content) => isSame(content, found))) return;
  const at = all.findLastIndex((content) => isSame(content, found));
  if (at === -1)
    accuse('half_written', `the content is that of no commit (${expected.commits} have returned)`);
  else accuse('lost_acknowledged', `${expected.commits} commits have returned, ${at} are there`);
}

function isSame(one: Content, other: Content): boolean {
  if (one.content === null || other.content === null) return one.oldContent === other.oldContent;
  return one.content === other.content;
}

const Half = z.object({ id: z.string(), what: z.string() });
/** What belongs to one commit, and is there in part. */
const HALF_WRITTEN = [
  `SELECT id, 'has ended and no report of it is owed, or more than one' AS what FROM attempts WHERE completed_at IS NOT NULL
    AND (SELECT count(*) FROM outbox WHERE attempt_id = attempts.id AND kind = 'result') <> 1`,
  `SELECT id, 'has ended, and its event is missing or there twice' AS what FROM attempts WHERE completed_at IS NOT NULL
    AND (NOT EXISTS (SELECT 1 FROM archived_chunks) OR EXISTS (SELECT 1 FROM events WHERE attempt_id = attempts.id AND type LIKE '%.requested'))
    AND (SELECT count(*) FROM events WHERE attempt_id = attempts.id AND type LIKE '%.' || status) <> 1`,
  `SELECT id, 'was begun here and its create is not owed' AS what FROM attempts WHERE origin = 'local'
    AND (SELECT count(*) FROM outbox WHERE attempt_id = attempts.id AND kind = 'create') <> 1`,
  `SELECT id, 'is in another state than its journal says' AS what FROM attempts WHERE state <> (SELECT to_state FROM journal
    WHERE attempt_id = attempts.id ORDER BY seq DESC LIMIT 1)`,
  `SELECT attempt_id AS id, 'a report of an end that did not come' AS what FROM outbox WHERE kind = 'result'
    AND attempt_id IN (SELECT id FROM attempts WHERE completed_at IS NULL)`,
];

const Row = z.object({
  id: z.string(),
  version: z.int(),
  state: z.string(),
  dispatched_at: z.int().nullable(),
});
type Row = z.infer<typeof Row>;

function judgeMoney(database: Database, { answered, ledger }: Expectation, accuse: Accuse): void {
  for (const sql of HALF_WRITTEN) {
    for (const row of database.all(sql)) {
      const { id, what } = Half.parse(row);
      accuse('half_written', `${id} ${what}`);
    }
  }
  const attempts = new Map(
    database.all('SELECT id, version, state, dispatched_at FROM attempts').map((raw) => {
      const row = Row.parse(raw);
      return [row.id, row] as const;
    }),
  );
  for (const [id, what] of answered) judgeAnswered(id, what, attempts.get(id), accuse);
  for (const { line, attempt } of ledger) {
    if (attempt === null) continue;
    const row = attempts.get(attempt);
    if (!row || row.dispatched_at === null) {
      accuse('double_charges', `the terminal has worked on ${attempt}, and the books would send it again`);
      continue;
    }
    const lines = ledger.filter((other) => other.attempt === attempt).map((other) => other.line);
    const isUndone = ledger.some(({ line: other }) => other.undoes === line.sequence);
    const isCharged = lines.some(({ result, reversed }) => result === 'approved' && (!reversed || isUndone));
    if (row.state === 'succeeded' && !isCharged)
      accuse('lost_outcomes', `${attempt} succeeded, and the terminal did not charge`);
    if (['declined', 'cancelled', 'error'].includes(row.state) && isCharged)
      accuse('lost_outcomes', `${attempt} is ${row.state}, and the terminal has charged it`);
  }
}

function judgeAnswered(
  id: string,
  { whom, version, state }: Answered,
  row: Row | undefined,
  accuse: Accuse,
): void {
  if (!row) accuse('lost_acknowledged', `the ${whom} was told of ${id}, which is gone`);
  else if (row.version < version)
    accuse('lost_acknowledged', `the ${whom} was told that ${id} is ${state}, and it is ${row.state}`);
}

function judgeMemory(
  { epoch, journal }: Money,
  { opened, firstEpoch, anchored }: Expectation,
  accuse: Accuse,
): void {
  if (journal.kind === 'broken')
    accuse('integrity', `the journal is broken at row ${journal.seq}: ${journal.what}`);
  else if (journal.count < anchored)
    accuse('lost_acknowledged', `${anchored} rows were anchored, ${journal.count} are there`);
  const wasLost = firstEpoch !== 'new' && firstEpoch !== 'same';
  const mayBe = opened > 0 ? ['same'] : wasLost ? [firstEpoch, 'foreign', 'same'] : [firstEpoch, 'same'];
  if (!mayBe.includes(epoch.kind))
    accuse('epoch', `this memory is taken for ${epoch.kind}, not for ${mayBe.join(' or ')}`);
  if (wasLost && epoch.since === 0) accuse('epoch', 'the memory was lost, and nobody knows it any more');
  if (!wasLost && epoch.kind === 'same' && epoch.since > 0)
    accuse('epoch', 'the memory was never lost, and is taken for lost');
}

function judgeSecondStart({ epoch, journal }: Money, folder: string, accuse: Accuse): void {
  if (epoch.kind !== 'same') accuse('epoch', `the second start takes this memory for ${epoch.kind}`);
  if (journal.kind === 'broken') {
    accuse('integrity', `the second start finds the journal broken: ${journal.what}`);
    return;
  }
  const anchor = new JournalAnchors(folderAfterKill(folder).journalAnchors).read().at(-1);
  if (journal.count > 0 && anchor?.count !== journal.count)
    accuse(
      'anchors',
      `the journal has ${journal.count} rows and is anchored at ${anchor?.count ?? 'none'} after a stop in order`,
    );
}
