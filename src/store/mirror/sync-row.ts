import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { Json, JsonObject, SourceRecord } from '../../integration/connector.ts';
import type { KnownRow } from '../../integration/page/record-change.ts';
import type {
  HeldForApproval,
  Parked,
  QuarantineEntry,
  RunRecord,
  StreamRecord,
} from '../../integration/ports.ts';
import { NEW_STREAM, type StreamState } from '../../integration/window/stream.ts';

const Window = z.object({ from: z.number().nullable(), to: z.number() });
const Place = z.object({ at: z.number(), id: z.string() });
const PassHeld = z.object({ rows: z.number(), ghosts: z.number(), repeats: z.number() });
const Progress = z.object({
  kind: z.enum(['changes', 'sweep', 'full']),
  leg: z.enum(['scan', 'tail', 'reach', 'settle']),
  secondScan: z.number().exactOptional(),
  lacked: z.number().exactOptional(),
  generation: z.number(),
  window: Window,
  bounds: Window,
  begunScan: z.number().exactOptional(),
  firstScan: z.number(),
  reach: z.number().nullable().exactOptional(),
  widthMs: z.number().nullable(),
  aim: z.number().nullable().exactOptional(),
  rows: z.number().exactOptional(),
  startedAt: z.number(),
  begunIn: z.object({ run: z.string(), ms: z.number() }).nullable().exactOptional(),
  cutOff: z.string().exactOptional(),
  ceiling: z.number().nullable(),
  top: Place.nullable(),
  scan: z.object({
    no: z.number(),
    token: z.string().nullable(),
    pages: z.number(),
    held: PassHeld,
    idle: z.number(),
    pass: z.number(),
    firstNo: z.number(),
    lastNo: z.number(),
    last: PassHeld.nullable(),
    kept: z.number(),
    agreeing: z.number(),
    found: z.number(),
    barren: z.number(),
  }),
});
const State = z.object({
  cursor: Place.extend({
    boundary: z.array(z.string()),
    stillSince: z.number().exactOptional(),
    floor: z.number().exactOptional(),
  }).nullable(),
  askAgainAt: z.number().exactOptional(),
  horizon: z.number().nullable().exactOptional(),
  readTo: z.number().nullable(),
  lateness: z.array(z.number()),
  clockOffsetMs: z.number(),
  sweeps: z.number(),
  countedSweep: z.number().exactOptional(),
  sweptAt: z.number().nullable(),
  hasSuspects: z.boolean(),
  doubtedSweep: z.number().nullable().default(null),
  hasTimeless: z.boolean().exactOptional(),
  ignoresTo: z.boolean(),
  generations: z.number(),
  scans: z.number(),
  progress: Progress.nullable(),
});
/** What must never be used twice, of a state that is otherwise unreadable. */
const Numbers = z
  .object({ sweeps: z.number().catch(0), generations: z.number().catch(1), scans: z.number().catch(0) })
  .catch({ sweeps: 0, generations: 1, scans: 0 });

const STATUSES = [
  'live',
  'leaving',
  'gone',
  'allowed',
  'doubtful',
] as const satisfies readonly KnownRow['status'][];
const Row = z.object({
  id: z.string(),
  hash: z.string(),
  updated_at: z.int().nullable(),
  fate: z.int(),
  sweep: z.int(),
  scan: z.int(),
});
const StreamRow = z.object({
  id: z.int(),
  generation: z.int(),
  state: z.string(),
  wants_full: z.int(),
  approved: z.int(),
  held: z.string().nullable(),
  fresh_at: z.int().nullable(),
});
const HeldText = z.object({
  kind: z.enum(['deletes', 'resync']),
  missing: z.int(),
  rows: z.int(),
  examples: z.array(z.string()).default([]),
  at: z.int(),
});
const JsonText: z.ZodType<Json> = z.json();
const EntryRow = z.object({
  key: z.string(),
  record_id: z.string().nullable(),
  why: z.enum(['bad', 'mapping', 'rejected']),
  reason: z.string(),
  needs: z.string().nullable(),
  tries: z.int(),
  parked_at: z.int(),
  next_try_at: z.int().nullable(),
});
const ParkedRow = EntryRow.extend({
  excerpt: z.string(),
  record: z.string().nullable(),
  window_from: z.int().nullable(),
  scan: z.int(),
  run: z.int().nullable(),
});
const RecordText = z.object({
  id: z.string(),
  updatedAt: z.number().nullable(),
  deleted: z.boolean(),
  fields: z.record(z.string(), JsonText),
});
const RunRow = z.object({
  no: z.int(),
  kind: z.enum(['changes', 'sweep', 'full']),
  started_at: z.int(),
  ended_at: z.int().nullable(),
  outcome: z.enum(['running', 'complete', 'waiting', 'failed', 'held', 'stopped', 'killed']),
  code: z.string().nullable(),
  message: z.string().nullable(),
  pages: z.int(),
  read: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  stale: z.int(),
  deleted: z.int(),
  parked: z.int(),
  ignored: z.int(),
});

/** An unreadable position counts as none: the stream starts over, and nothing is lost by that. Its rows keep the numbers that they have. */
export function stateOf(text: string): StreamState {
  const raw: unknown = JSON.parse(text);
  const read = State.safeParse(raw);
  return read.success ? read.data : { ...NEW_STREAM, countedSweep: 0, ...Numbers.parse(raw) };
}

export function streamOfRow(raw: unknown): { readonly id: number; readonly record: StreamRecord } {
  const { id, generation, state, wants_full, approved, held, fresh_at } = StreamRow.parse(raw);
  const record = {
    generation,
    state: stateOf(state),
    wantsFull: wants_full === 1,
    approved,
    freshAt: fresh_at,
  };
  return { id, record: { ...record, held: held === null ? null : heldOf(held) } };
}

export function heldOf(text: string): HeldForApproval {
  return HeldText.parse(JSON.parse(text));
}

/** Hundreds of rows per page are checked by hand; only a row that fails goes through the schema, for its message. */
export function knownRowOf(raw: unknown): KnownRow {
  const { id, hash, updated_at, fate, sweep, scan } = isRow(raw) ? raw : Row.parse(raw);
  return { id, hash, updatedAt: updated_at, status: STATUSES[fate] ?? 'gone', sweep, scan };
}

function isRow(raw: unknown): raw is z.output<typeof Row> {
  if (typeof raw !== 'object' || raw === null) return false;
  const { id, hash, updated_at, fate, sweep, scan }: Partial<Record<keyof z.output<typeof Row>, unknown>> =
    raw;
  const isText = typeof id === 'string' && typeof hash === 'string';
  const isKnown = updated_at === null || Number.isSafeInteger(updated_at);
  return isText && isKnown && [fate, sweep, scan].every(Number.isSafeInteger);
}

export function statusNumber(fate: KnownRow['status']): number {
  return STATUSES.indexOf(fate);
}

export function parkedOfRow(raw: unknown): Parked {
  const row = ParkedRow.parse(raw);
  return {
    ...entryOf(row),
    excerpt: row.excerpt,
    record: row.record === null ? null : recordOf(row.record),
    windowFrom: row.window_from,
    scan: row.scan,
    run: row.run,
  };
}

export function entryOfRow(raw: unknown): QuarantineEntry {
  return entryOf(EntryRow.parse(raw));
}

function entryOf(row: z.output<typeof EntryRow>): QuarantineEntry {
  const { key, record_id: recordId, why, reason, needs, tries } = row;
  const { parked_at: parkedAt, next_try_at: nextTryAt } = row;
  return { key, recordId, why, reason, needs, tries, parkedAt, nextTryAt };
}

function recordOf(text: string): SourceRecord {
  return RecordText.parse(JSON.parse(text));
}

export function runOfRow(raw: unknown): RunRecord {
  const { started_at, ended_at, ...same } = RunRow.parse(raw);
  return { ...same, startedAt: started_at, endedAt: ended_at };
}

/** What tilld wrote itself is JSON: a schema would take longer than all the rest of a page of a hundred rows. @throws STORAGE_DAMAGED */
export function bodyOf(text: string | null): JsonObject {
  const body: Json = text === null ? {} : JSON.parse(text);
  if (isObject(body)) return body;
  throw new AppError('STORAGE_DAMAGED', 'a mirrored row is no JSON object');
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
