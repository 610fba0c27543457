import { messageOf } from '../../base/errors.ts';
import type { BadRecord, JsonObject, SourcePage, SourceRecord } from '../connector.ts';
import type { Mapped, Mapper, Parked, RowMark, RowWrite } from '../ports.ts';
import { CanonicalText, canonical } from './canonical.ts';
import { storedLabel } from './package-label.ts';
import { changeOf, type KnownRow, type RecordChange } from './record-change.ts';

const MOST_ID = 256;
const MOST_EXCERPT = 2_000;
const LATEST = 8.64e15;

/** A text's fingerprint: at least 32 hexadecimal digits, always the same for the same text. */
export type Digest = (text: string) => string;

/** What of a record is kept in its row: imports keep nothing, and of packages what people call them. */
export type KeptBody = 'all' | 'label' | 'nothing';

/** A record of a page, and what to do with it. */
export interface Work {
  readonly record: SourceRecord;
  /** Its content as JSON, independent of the order of its fields. */
  readonly text: string;
  /** Of that text. */
  readonly hash: string;
  readonly verdict: RecordChange;
  readonly row: KnownRow | undefined;
  /** For what is created or updated. */
  readonly mapped: Mapped | null;
}

/** The usable records of a page, and the unusable ones. */
export function sorted(page: SourcePage): {
  readonly good: readonly SourceRecord[];
  readonly bad: readonly BadRecord[];
} {
  const good: SourceRecord[] = [];
  const bad: BadRecord[] = [...page.bad];
  for (const record of page.records) {
    const reason = flawOf(record);
    if (reason === null) good.push(record);
    else bad.push({ id: null, reason, excerpt: canonical(record.fields).slice(0, MOST_EXCERPT) });
  }
  return { good, bad };
}

function flawOf({ id, updatedAt }: SourceRecord): string | null {
  if (id.length === 0 || id.length > MOST_ID) return `its id has not 1 to ${MOST_ID} characters`;
  if (updatedAt === null) return null;
  const isTime = Number.isSafeInteger(updatedAt) && updatedAt >= 0 && updatedAt <= LATEST;
  return isTime ? null : 'its time is none';
}

/** A record and the fingerprint of its content. */
export type Digested = Pick<Work, 'record' | 'text' | 'hash'>;

export function digested(records: readonly SourceRecord[], digest: Digest): readonly Digested[] {
  const texts = new CanonicalText();
  return records.map((record) => {
    const text = texts.of(record.fields);
    return { record, text, hash: digest(text) };
  });
}

/** The fingerprint of a record's id, time and content; computed only for records that are or may be at the boundary of a cursor. */
export function versionOf({ record: { id, updatedAt, deleted }, hash }: Digested, digest: Digest): string {
  return digest(`${id}\n${updatedAt}\n${deleted}\n${hash}`);
}

/** Compares records in their order; the second of two with one id is compared with the first. */
export function judged(
  all: readonly Digested[],
  known: ReadonlyMap<string, KnownRow>,
  map: Mapper,
): readonly Work[] {
  const rows = new Map(known);
  return all.map(({ record, text, hash }) => {
    const row = rows.get(record.id);
    const verdict = changeOf(record, hash, row);
    const mapped = verdict === 'created' || verdict === 'updated' ? mappedBy(map, record) : null;
    if (mapped?.kind === 'write') rows.set(record.id, successor(row, record, hash));
    return { record, text, hash, verdict, row, mapped };
  });
}

/** The row that the next record of the same page is compared with. */
function successor(row: KnownRow | undefined, { id, updatedAt }: SourceRecord, hash: string): KnownRow {
  return { sweep: row?.sweep ?? 0, scan: row?.scan ?? 0, id, hash, updatedAt, status: 'live' };
}

function mappedBy(map: Mapper, record: SourceRecord): Mapped {
  try {
    return map(record);
  } catch (error) {
    return { kind: 'park', reason: messageOf(error).slice(0, MOST_EXCERPT), needs: null };
  }
}

/** A record that is stored nowhere: deleted before tilld knew it, or ignored. */
export function leavesNoTrace({ verdict, mapped, row }: Work): boolean {
  return verdict === 'ghost' || (mapped?.kind === 'ignore' && !row);
}

/** What a record writes to its row, or only marks; a mark has a time where it differs from the row's. */
export function rowOf(
  work: Work,
  keeps: KeptBody,
): { readonly write?: RowWrite; readonly mark?: Omit<RowMark, 'isSwept'> } {
  const { record, hash, verdict, row, mapped } = work;
  const { id, updatedAt } = record;
  switch (verdict) {
    case 'created':
    case 'updated':
      if (mapped?.kind !== 'write') return row ? { mark: { id, updatedAt: null } } : {};
      return {
        write: { id, hash, updatedAt, status: 'live', body: keptOf(work, mapped.body, keeps) },
      };
    case 'deleted':
      return { write: { id, hash, updatedAt, status: 'leaving', body: null } };
    case 'unchanged':
      return { mark: { id, updatedAt: updatedAt === row?.updatedAt ? null : updatedAt } };
    case 'stale':
      return { mark: { id, updatedAt: null } };
    case 'ghost':
      return {};
  }
}

function keptOf(work: Work, body: JsonObject, keeps: KeptBody): string | null {
  if (keeps === 'nothing') return null;
  return keeps === 'label' ? canonical(storedLabel(work.record.fields)) : bodyOf(work, body);
}

/** The text of an unmapped record exists already. */
function bodyOf({ record, text }: Work, body: JsonObject): string {
  return body === record.fields ? text : canonical(body);
}

/** Minutes after which tilld requests a waiting record again; after the last one it waits until a page has it. */
const AGAIN_MIN = [1, 4, 16, 64, 256] as const;

interface ParkFacts {
  readonly before: Parked | undefined;
  readonly windowFrom: number | null;
  readonly scan: number;
  readonly run: number;
  readonly now: number;
}

/** A record that the mapping or the sink cannot accept now. */
export function parkedRecord(
  record: SourceRecord,
  { why, reason, needs }: Pick<Parked, 'why' | 'reason' | 'needs'>,
  facts: ParkFacts,
): Parked {
  const excerpt = canonical(record.fields).slice(0, MOST_EXCERPT);
  const said = { key: record.id, recordId: record.id, why, reason, needs, excerpt, record };
  return { ...said, ...times(facts, needs === null) };
}

/** A record that cannot be read; without an id its text identifies it. */
export function parkedBad(bad: BadRecord, key: string, facts: ParkFacts): Parked {
  const { id, reason, excerpt } = bad;
  const said = { key, recordId: id, why: 'bad' as const, reason, needs: null, excerpt, record: null };
  return { ...said, excerpt: excerpt.slice(0, MOST_EXCERPT), ...times(facts, true) };
}

/** The key of a bad record: its id, or else a digest of its text. */
export function keyOf(bad: BadRecord, digest: Digest): string {
  return bad.id !== null && bad.id.length > 0 && bad.id.length <= MOST_ID
    ? bad.id
    : `?${digest(`${bad.reason}\n${bad.excerpt}`)}`;
}

/** A run reads a record in several passes, and retries it before them: that is one try. */
function times({ before, windowFrom, scan, run, now }: ParkFacts, comesByItself: boolean) {
  const tries = before ? before.tries + (before.run === run ? 0 : 1) : 0;
  const minutes = AGAIN_MIN[tries];
  return {
    windowFrom: before ? lower(before.windowFrom, windowFrom) : windowFrom,
    scan,
    run,
    tries,
    parkedAt: before?.parkedAt ?? now,
    nextTryAt: comesByItself && minutes !== undefined ? now + minutes * 60_000 : null,
  };
}

function lower(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.min(one, other);
}
