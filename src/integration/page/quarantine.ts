import type { Parked, ParkReason, QuarantineEntry } from '../ports.ts';
import type { SyncControl } from '../sync-control.ts';
import { MOST_CAUSE_EXAMPLES, type QuarantineCause, type QuarantinedView } from '../sync-runner-port.ts';
import type { StreamKey } from '../window/stream.ts';
import { labelIn } from './package-label.ts';
import type { Digest } from './page-work.ts';

const WHYS: readonly string[] = ['bad', 'mapping', 'rejected'] satisfies ParkReason[];
const PAGE = 500;
const ID_DIGITS = 8;

/** The same for records that differ in their ids, times and amounts alone. */
export function causeOf(
  { why, needs, reason, recordId }: Pick<QuarantineEntry, 'why' | 'needs' | 'reason' | 'recordId'>,
  digest: Digest,
): string {
  if (needs !== null) return `${why}:${needs}`;
  const withoutId = recordId === null || recordId === '' ? reason : reason.replaceAll(recordId, '#');
  const pattern = withoutId.replaceAll(/[\da-f]{8}-[\da-f-]{27}|\d+/gi, '#');
  return `${why}:${digest(pattern).slice(0, ID_DIGITS)}`;
}

/** Whether a cause is the one that was asked for: by its id, or by `bad`, `mapping` or `rejected`; null: any is. */
export function isCause(id: string, asked: string | null): boolean {
  return asked === null || id === asked || (WHYS.includes(asked) && id.startsWith(`${asked}:`));
}

export interface QuarantineDeps {
  readonly control: SyncControl;
  readonly digest: Digest;
  /** Lets all other work of this process go first: a hundred thousand records may be quarantined. @throws where tilld ends */
  readonly pause: () => Promise<void>;
}

/** The causes of all quarantined records of some streams, those of the most records first. */
export async function causesIn(
  { control, digest, pause }: QuarantineDeps,
  streams: readonly StreamKey[],
): Promise<readonly QuarantineCause[]> {
  const causes = new Map<string, QuarantineCause>();
  for (const { stream, page } of pagesOf(streams, '', (one, after) =>
    control.parkedEntries(one, after, PAGE),
  )) {
    for (const entry of page) {
      const id = causeOf(entry, digest);
      causes.set(id, widened(causes.get(id), id, stream.resource, entry));
    }
    await pause();
  }
  return [...causes.values()].toSorted(
    (one, other) => other.records - one.records || (one.id < other.id ? -1 : 1),
  );
}

export interface QuarantineQuery {
  /** `resource/key` of the last one of the page before; null: the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** Quarantined records of some streams, by resource and key. */
export function parkedOf(
  { control, digest }: Omit<QuarantineDeps, 'pause'>,
  streams: readonly StreamKey[],
  { after, limit }: QuarantineQuery,
): readonly QuarantinedView[] {
  const found: QuarantinedView[] = [];
  const read = (stream: StreamKey, from: string) => control.parked(stream, from, limit - found.length);
  for (const { stream, page } of pagesBehind(streams, after, read)) {
    found.push(...page.map((row) => viewOf(row, stream, digest)));
    if (found.length >= limit) break;
  }
  return found;
}

/** Those of one cause: an id, or `bad`, `mapping` or `rejected`. */
export async function parkedOfCause(
  { control, digest, pause }: QuarantineDeps,
  streams: readonly StreamKey[],
  { after, limit, cause }: QuarantineQuery & { readonly cause: string },
): Promise<readonly QuarantinedView[]> {
  const found: QuarantinedView[] = [];
  const read = (stream: StreamKey, from: string) => control.parked(stream, from, PAGE);
  for (const { stream, page } of pagesBehind(streams, after, read)) {
    const theirs = page.filter((row) => isCause(causeOf(row, digest), cause));
    found.push(...theirs.map((row) => viewOf(row, stream, digest)));
    if (found.length >= limit) break;
    await pause();
  }
  return found.slice(0, limit);
}

function viewOf(row: Parked, { resource }: StreamKey, digest: Digest): QuarantinedView {
  const { record, windowFrom: _from, scan: _scan, run: _run, ...shown } = row;
  const label = record && shown.needs !== null ? labelIn(record, resource, shown.needs) : null;
  return { resource, cause: causeOf(shown, digest), label, ...shown };
}

function byResource(one: StreamKey, other: StreamKey): number {
  return one.resource < other.resource ? -1 : 1;
}

function splitOnce(text: string): readonly [string, string] {
  const at = text.indexOf('/');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Makes the records of a cause due, null: all. @returns how many of each stream, where there are any */
export async function retriedIn(
  { control, digest, pause }: QuarantineDeps,
  streams: readonly StreamKey[],
  { asked, now }: { readonly asked: string | null; readonly now: number },
): Promise<ReadonlyMap<StreamKey, number>> {
  const retried = new Map<StreamKey, number>();
  for (const { stream, page } of pagesOf(streams, '', (one, after) =>
    control.parkedEntries(one, after, PAGE),
  )) {
    const keys = page.filter((entry) => isCause(causeOf(entry, digest), asked)).map(({ key }) => key);
    if (keys.length > 0) retried.set(stream, (retried.get(stream) ?? 0) + control.retry(stream, keys, now));
    await pause();
  }
  return retried;
}

type Read<Row> = (stream: StreamKey, after: string) => readonly Row[];

/** Pages of quarantined records by resource and key, behind `resource/key`. */
function* pagesBehind<Row extends { readonly key: string }>(
  streams: readonly StreamKey[],
  place: string | null,
  read: Read<Row>,
) {
  const [resource = '', key = ''] = place === null ? [] : splitOnce(place);
  const left = streams.toSorted(byResource).filter((stream) => stream.resource >= resource);
  for (const stream of left) yield* pagesOf([stream], stream.resource === resource ? key : '', read);
}

function* pagesOf<Row extends { readonly key: string }>(
  streams: readonly StreamKey[],
  first: string,
  read: Read<Row>,
) {
  for (const stream of streams) {
    let page = read(stream, first);
    while (page.length > 0) {
      yield { stream, page };
      page = read(stream, page.at(-1)?.key ?? '');
    }
  }
}

function widened(
  cause: QuarantineCause | undefined,
  id: string,
  resource: string,
  { key, why, needs, reason, parkedAt, nextTryAt }: QuarantineEntry,
): QuarantineCause {
  const example = `${resource}/${key}`;
  if (!cause) {
    const shown = { resources: [resource], records: 1, examples: [example] };
    return { id, why, needs, reason, ...shown, since: parkedAt, nextTryAt };
  }
  const { resources, records, examples, since } = cause;
  return {
    ...cause,
    resources: resources.includes(resource) ? resources : [...resources, resource],
    records: records + 1,
    examples: examples.length < MOST_CAUSE_EXAMPLES ? [...examples, example] : examples,
    since: Math.min(since, parkedAt),
    nextTryAt: sooner(cause.nextTryAt, nextTryAt),
  };
}

function sooner(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
