import { guardJson, guardText } from '../../base/text-guard.ts';
import type { CredentialView, UnmappedPackage } from '../../integration/integrations-api.ts';
import type { Suggestion } from '../../integration/mapping/suggestions.ts';
import type { RunRecord } from '../../integration/ports.ts';
import { heldWords } from '../../integration/run/engine.ts';
import type { RecipeTrial as Trial } from '../../integration/runner/recipe-trial.ts';
import {
  MOST_PLANNED,
  type DryRun as Planned,
  type QuarantineCause,
  type QuarantinedView,
  type RunView,
  type StreamView,
  type ResourceTest as Tested,
} from '../../integration/sync-runner-port.ts';
import { durationOf } from '../../integration/views/stream-lists.ts';
import { Json } from '../contract/primitives.ts';
import type {
  DryRun,
  MappingSuggestion,
  ParkedCause,
  ParkedRecord,
  RecipeTrial,
  ResourceTest,
  StoredCredentials,
  SyncRun,
  SyncRunEntry,
  SyncStream,
} from '../contract/sync.ts';
import { instant, instantOrNull } from './instant.ts';

export function renderStream(provider: string, stream: StreamView): SyncStream {
  const { held, run } = stream;
  return {
    object: 'sync_stream',
    provider,
    resource: stream.resource,
    state: stream.state,
    rows: stream.rows,
    fresh_at: instantOrNull(stream.freshAt),
    is_stale: stream.isStale,
    paused: stream.isPaused,
    next_run_at: instantOrNull(stream.nextRunAt),
    next_runs_at: stream.nextRuns.map(instant),
    run: run && renderRun(run),
    expected: stream.expected,
    held: held && {
      kind: held.kind,
      missing: held.missing,
      rows: held.rows,
      examples: held.examples.map(guardText),
      reason: guardText(heldWords(held)),
      at: instant(held.at),
    },
    parked: stream.parked,
    errors: stream.errors,
    last_error: stream.lastError === null ? null : guardText(stream.lastError),
    first_failure: stream.firstFailure && {
      at: instant(stream.firstFailure.at),
      code: stream.firstFailure.code.toLowerCase(),
      message: guardText(stream.firstFailure.message),
    },
  };
}

export function renderRunEntry(provider: string, { resource, ...run }: RunView): SyncRunEntry {
  const id = String(run.no);
  return { object: 'sync_run', id, provider, resource, ...renderRun(run), duration_ms: durationOf(run) };
}

function renderRun({ startedAt, endedAt, message, ...run }: RunRecord): SyncRun {
  return {
    ...run,
    started_at: instant(startedAt),
    ended_at: instantOrNull(endedAt),
    message: message === null ? null : guardText(message),
  };
}

/** Providers' data is foreign: its card numbers and keys are masked before any user sees it. */
export function renderParked(provider: string, record: QuarantinedView): ParkedRecord {
  return {
    id: `${record.resource}/${record.key}`,
    object: 'parked_record',
    provider,
    resource: record.resource,
    cause: record.cause,
    record_id: record.recordId,
    why: record.why,
    reason: guardText(record.reason),
    needs: record.needs,
    excerpt: guardText(record.excerpt),
    tries: record.tries,
    parked_at: instant(record.parkedAt),
    next_try_at: instantOrNull(record.nextTryAt),
  };
}

export function renderParkedCause(provider: string, cause: QuarantineCause): ParkedCause {
  return {
    id: cause.id,
    object: 'parked_cause',
    provider,
    why: cause.why,
    reason: guardText(cause.reason),
    needs: cause.needs,
    resources: [...cause.resources],
    records: cause.records,
    examples: cause.examples.map(guardText),
    since: instant(cause.since),
    next_try_at: instantOrNull(cause.nextTryAt),
  };
}

export function renderDryRun(run: Planned): DryRun {
  return {
    object: 'dry_run',
    resource: run.resource,
    read: run.read,
    source_requests: run.sourceRequests,
    sink_requests: run.sinkRequests,
    unchanged: run.unchanged,
    writes: run.writes
      .slice(0, MOST_PLANNED)
      .map(({ op, id, request, body }) => ({ op, id, request, body: plainJson(body) })),
    writes_in_all: run.writesInAll,
    counts: { ...run.counts },
    reasons: run.reasons.map(({ reason, ...more }) => ({ ...more, reason: guardText(reason) })),
    warnings: run.warnings.map(guardText),
  };
}

export function renderResourceTest(provider: string, test: Tested): ResourceTest {
  const { resource, isReadable, received, bad, hasMore, failure } = test;
  const code = failure?.code.toLowerCase() ?? null;
  const error = failure && guardText(failure.message);
  const counts = { received, bad, has_more: hasMore };
  return { object: 'resource_test', provider, resource, readable: isReadable, ...counts, code, error };
}

export function renderCredentials(
  provider: string,
  { hasKey, isReadable, baseUrl, appName, appEmail }: CredentialView,
  missing: readonly string[],
): StoredCredentials {
  const shown = (text: string | null) => text && guardText(text);
  return {
    object: 'integration_credentials',
    provider,
    key_stored: hasKey,
    readable: isReadable,
    base_url: shown(baseUrl),
    app_name: shown(appName),
    app_email: shown(appEmail),
    missing: [...missing],
  };
}

export function renderSuggestion(
  { externalId, name, waiting }: UnmappedPackage,
  suggestions: readonly Suggestion[],
): MappingSuggestion {
  return {
    object: 'mapping_suggestion',
    externalId,
    name,
    waiting,
    suggestions: suggestions.map(({ product, by, likeness }) => ({
      internalId: product.id,
      name: product.name,
      by,
      likeness: Math.round(likeness * 100) / 100,
    })),
  };
}

export function renderRecipeTrial(
  provider: string,
  { resource, request, received, hasMore, records, warnings }: Trial,
): RecipeTrial {
  return {
    object: 'recipe_trial',
    provider,
    resource,
    request: guardText(request),
    received,
    has_more: hasMore,
    records: records.map(({ raw, mapped, problem, op, request: sent, written, warnings: notes }) => ({
      raw: plainJson(raw),
      mapped:
        mapped === null
          ? null
          : {
              id: guardText(mapped.id),
              updated_at: instantOrNull(mapped.updatedAt),
              deleted: mapped.deleted,
              fields: plainJson(mapped.fields),
            },
      problem: problem === null ? null : guardText(problem),
      op,
      request: sent,
      written: plainJson(written),
      warnings: notes.map(guardText),
    })),
    warnings: warnings.map(guardText),
  };
}

function plainJson(body: unknown) {
  return Json.parse(guardJson(JSON.parse(JSON.stringify(body ?? null) ?? 'null')));
}
