import { labelIn } from './package-label.ts';
import type { Digest } from './page-work.ts';
import type { ParkReason, QuarantineEntry } from './ports.ts';
import type { StreamKey } from './stream.ts';
import type { SyncControl } from './sync-control.ts';
import { MOST_CAUSE_EXAMPLES, type QuarantineCause, type QuarantinedView } from './sync-runner-port.ts';

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

/** The causes of all quarantined records of some streams, those of the most records first. */
export function causesIn(
  control: Pick<SyncControl, 'parkedEntries'>,
  streams: readonly StreamKey[],
  digest: Digest,
): readonly QuarantineCause[] {
  const causes = new Map<string, QuarantineCause>();
  for (const { stream, entry } of entriesOf(control, streams)) {
    const id = causeOf(entry, digest);
    causes.set(id, widened(causes.get(id), id, stream.resource, entry));
  }
  return [...causes.values()].toSorted(
    (one, other) => other.records - one.records || (one.id < other.id ? -1 : 1),
  );
}

export interface QuarantineQuery {
  /** `resource/key` of the last one of the page before; null: the first page. */
  readonly after: string | null;
  readonly limit: number;
  readonly cause: string | null;
}

/** Quarantined records of some streams, by resource and key. */
export function parkedOf(
  { control, digest }: { readonly control: SyncControl; readonly digest: Digest },
  streams: readonly StreamKey[],
  { after, limit, cause: asked }: QuarantineQuery,
): readonly QuarantinedView[] {
  const [resourceAfter = '', keyAfter = ''] = after === null ? [] : splitOnce(after);
  const found: QuarantinedView[] = [];
  for (const stream of streams.toSorted(byResource)) {
    const { resource } = stream;
    if (resource < resourceAfter) continue;
    for (const row of rowsOf(control, stream, resource === resourceAfter ? keyAfter : '', limit)) {
      if (found.length >= limit) return found;
      const { record, windowFrom: _from, scan: _scan, run: _run, ...shown } = row;
      const cause = causeOf(shown, digest);
      const label = record && shown.needs !== null ? labelIn(record, resource, shown.needs) : null;
      if (isCause(cause, asked)) found.push({ resource, cause, label, ...shown });
    }
  }
  return found;
}

function* rowsOf(control: SyncControl, stream: StreamKey, from: string, limit: number) {
  let after = from;
  for (;;) {
    const page = control.parked(stream, after, limit);
    yield* page;
    after = page.at(-1)?.key ?? after;
    if (page.length < limit) return;
  }
}

function byResource(one: StreamKey, other: StreamKey): number {
  return one.resource < other.resource ? -1 : 1;
}

function splitOnce(text: string): readonly [string, string] {
  const at = text.indexOf('/');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Makes the records of a cause due. @returns how many of each stream, where there are any */
export function retriedIn(
  control: Pick<SyncControl, 'parkedEntries' | 'retry'>,
  streams: readonly StreamKey[],
  { asked, digest, now }: { readonly asked: string | null; readonly digest: Digest; readonly now: number },
): ReadonlyMap<StreamKey, number> {
  const keys = new Map<StreamKey, string[]>();
  for (const { stream, entry } of entriesOf(control, streams)) {
    if (!isCause(causeOf(entry, digest), asked)) continue;
    const found = keys.get(stream) ?? [];
    found.push(entry.key);
    keys.set(stream, found);
  }
  return new Map([...keys].map(([stream, some]) => [stream, control.retry(stream, some, now)]));
}

function* entriesOf(control: Pick<SyncControl, 'parkedEntries'>, streams: readonly StreamKey[]) {
  for (const stream of streams) {
    let after = '';
    for (;;) {
      const page = control.parkedEntries(stream, after, PAGE);
      for (const entry of page) yield { stream, entry };
      after = page.at(-1)?.key ?? '';
      if (page.length < PAGE) break;
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
