import type { Integration } from '../../api/contract/integration.ts';
import type { SyncRunEntry, SyncStream } from '../../api/contract/sync.ts';
import { counted } from '../../base/counted.ts';
import { moment } from './moment.ts';
import { plain } from './plain.ts';
import { facts, table } from './table.ts';

const HEADINGS = ['provider', 'connector', 'state', 'last sync', 'next sync', 'errors'];
const STREAM_HEADINGS = ['stream', 'state', 'rows', 'fresh at', 'parked', 'last run'];

/** All integrations, a line each; below them what a person must do. */
export function integrationTable(integrations: readonly Integration[]): string {
  const rows = integrations.map((integration) => [
    integration.provider,
    integration.connector ?? '-',
    stateOf(integration),
    integration.last_sync_at ?? '-',
    integration.next_sync_at ?? '-',
    `${integration.error_count} of ${integration.max_errors}`,
  ]);
  const todo = integrations.flatMap((integration) => todoOf(integration) ?? []);
  return `${table(HEADINGS, rows)}${todo.map((line) => `${line}\n`).join('')}`;
}

/** One integration for people. */
export function integrationText(integration: Integration): string {
  const todo = todoOf(integration);
  const shown = facts([
    ['provider', integration.provider],
    ['connector', integration.connector],
    ['state', stateOf(integration)],
    ['last sync', integration.last_sync_at],
    [
      'complete',
      integration.complete_until === null ? 'not yet' : `until ${moment(integration.complete_until)}`,
    ],
    ['next sync', integration.next_sync_at],
    ['every', `${integration.sync_interval_s} s`],
    ['looks back', counted(integration.invoice_lookback_days, 'day', 'days')],
    ['invoices', integration.auto_send ? 'are finalised and sent' : 'stay drafts'],
    ['errors', `${integration.error_count} of ${integration.max_errors}`],
    ['webhooks', webhookWords(integration)],
  ]);
  return todo === null ? shown : `${shown}${todo}\n`;
}

/** What it is set to, and how many came since the start; null: its settings know of none. */
function webhookWords({ provider, webhook }: Integration): string | null {
  if (webhook === null) return null;
  if (!webhook.secret_stored)
    return `are refused: no secret. Next: \`tillctl webhook-secret ${provider} --secret-file FILE\``;
  const { url, accepted, refused, last_accepted_at: last, last_refused_at: lastRefused } = webhook;
  const place =
    url === null ? 'nothing listens for them: set listen.webhooks and restart tilld' : `at ${url}`;
  const came =
    last === null ? 'none came since the start' : `${accepted} since the start, the last at ${moment(last)}`;
  const no =
    refused === 0
      ? ''
      : `; ${refused} refused, the last at ${moment(lastRefused ?? '-')} (${webhook.last_refusal})`;
  const until = webhook.previous_secret_until;
  return `${place}; ${came}${no}${until === null ? '' : `; the secret before counts until ${moment(until)}`}`;
}

/** Resources of an integration, a line each; below them when they run next, failures and waiting records. */
export function streamTable(streams: readonly SyncStream[]): string {
  const rows = streams.map((stream) => [
    `${stream.provider}/${stream.resource}`,
    [stream.state, ...(stream.paused ? ['PAUSED'] : []), ...(stream.is_stale ? ['STALE'] : [])].join(', '),
    String(stream.rows),
    stream.fresh_at ?? 'never',
    String(stream.parked),
    stream.run === null ? '-' : `${stream.run.kind}: ${stream.run.outcome}`,
  ]);
  const notes = streams.flatMap((stream) => [
    ...timesNote(stream),
    ...heldNote(stream),
    ...errorNote(stream),
    ...emptyNote(stream),
  ]);
  return `${table(STREAM_HEADINGS, rows)}${notes.map((line) => `${line}\n`).join('')}`;
}

/** At an interval the first time says it all. */
function timesNote({ next_runs_at: times, provider, resource }: SyncStream): readonly string[] {
  const gaps = times.slice(1).map((time, index) => Date.parse(time) - Date.parse(times[index] ?? ''));
  const [gap] = gaps;
  const isInterval = gap !== undefined && gaps.every((one) => one === gap);
  const words = isInterval
    ? `${times.slice(0, 1).map(moment)}, then every ${gap / 1_000} s`
    : times.map(moment).join(', ');
  return times.length === 0 ? [] : [`${provider}/${resource} runs next at ${words}`];
}

const RUN_HEADINGS = ['run', 'resource', 'kind', 'began', 'took', 'read', 'written', 'parked', 'outcome'];

/** Runs, a line each, newest first; below them why those that failed did. */
export function runTable(runs: readonly SyncRunEntry[]): string {
  const rows = runs.map((run) => [
    run.id,
    run.resource,
    run.kind,
    run.started_at,
    run.duration_ms === null ? '-' : `${(run.duration_ms / 1000).toFixed(1)} s`,
    String(run.read),
    String(run.created + run.updated + run.deleted),
    String(run.parked),
    run.outcome,
  ]);
  const notes = runs.flatMap(({ id, resource, message }) =>
    message === null ? [] : [`${id} (${resource}): ${message}`],
  );
  return `${table(RUN_HEADINGS, rows)}${notes.map((line) => `${plain(line).replaceAll('\n', ' ')}\n`).join('')}`;
}

function heldNote({ held, provider, resource }: SyncStream): readonly string[] {
  if (held === null) return [];
  const what = `${held.missing} of ${counted(held.rows, 'row', 'rows')} would go, ${held.reason}`;
  return [
    `${provider}/${resource} waits for you: ${what}. Look at the provider; if they are really gone: tillctl approve ${provider} ${resource}`,
  ];
}

function errorNote(stream: SyncStream): readonly string[] {
  const { errors, paused, last_error: why, first_failure: first, run, provider, resource } = stream;
  if (paused)
    return [
      `${provider}/${resource} is paused, the others go on: ${why ?? ''}. Give the credential this permission at the provider, then: tillctl sync ${provider} --resource ${resource}`,
    ];
  if (why !== null && errors > 0) {
    const began =
      first === null || first.message === why
        ? ''
        : `. It began at ${moment(first.at)} with: ${first.message}`;
    return [`${provider}/${resource} failed ${counted(errors, 'time', 'times in a row')}: ${why}${began}`];
  }
  // A refused credential is not counted: it pauses the integration at once.
  return run?.outcome === 'failed' && run.message !== null
    ? [`the last run of ${provider}/${resource} failed: ${run.message}`]
    : [];
}

/** A source that sends nothing looks as if all were well. */
function emptyNote({ rows, run, parked, provider, resource }: SyncStream): readonly string[] {
  if (rows > 0 || parked > 0 || run?.outcome !== 'complete' || run.read > 0) return [];
  const why =
    'It may have none, the key may not be allowed to read them, or a filter leaves them out (of invoices also those from before the lookback)';
  return [
    `${provider}/${resource} is complete and empty: the source sent nothing. ${why}. With a recipe, \`tillctl recipe try\` shows the request and its answer.`,
  ];
}

function stateOf(integration: Integration): string {
  if (integration.refused_reason !== null) return 'REFUSED';
  if (!integration.configured) return 'not configured';
  if (!integration.active) return 'not active';
  if (!integration.sync_enabled) return 'switched off';
  return integration.paused_reason === null ? 'on' : `PAUSED (${integration.paused_reason})`;
}

function todoOf(integration: Integration): string | null {
  const todo = [pauseNote(integration), changedRecipeNote(integration)].filter((line) => line !== null);
  return todo.length === 0 ? null : todo.join('\n');
}

/** Where the recipe file was changed after the start; null: what it says is what runs. */
export function changedRecipeNote({ provider, changed_recipe: file }: Integration): string | null {
  return file === null
    ? null
    : `${provider} runs its recipe as it was when tilld started; ${file} has changed since. Next: \`tillctl recipe check ${file}\`, restart tilld, then \`tillctl sync ${provider} --full-resync\` maps all records anew`;
}

function pauseNote(integration: Integration): string | null {
  const { provider, paused_reason: reason, refused_reason: refused, next_sync_at: next } = integration;
  const probes = reason === 'errors' && next !== null;
  if (refused !== null)
    return `${provider} is refused, everything else runs: ${refused}. Next: correct the file, check it with \`tillctl config check\`, then restart tilld`;
  if (reason === null) return null;
  if (reason === 'credentials')
    return `${provider} refuses its credential. Next: \`tillctl ${integration.authorised_by === 'person' ? 'authorize' : 'rotate'} ${provider} --api-key-file FILE\``;
  if (probes)
    return `${provider} is paused by an outage and tries again by itself at ${moment(next)}. \`tillctl integrations ${provider}\` says why; \`tillctl resume ${provider}\` tries now`;
  return `${provider} is paused, too many runs have failed. Next: \`tillctl integrations --streams\` says why, then \`tillctl resume ${provider}\``;
}
