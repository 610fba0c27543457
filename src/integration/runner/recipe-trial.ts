import type { Connector, Json, ProviderCredentials, SampledRecord } from '../connector.ts';
import { isSourceError, sourceError } from '../failure/source-error.ts';
import { namesOf } from '../mapping/vocabulary.ts';
import type { Mapped, SinkWrite } from '../ports.ts';
import type { Route } from '../running-integration.ts';

/** What a person wants to see of a recipe. */
export interface TrialRequest {
  /** The name of a built-in recipe, or a recipe; undefined: the one that runs at the integration. */
  readonly recipe: unknown;
  readonly timeZone?: string | undefined;
  readonly values?: Readonly<Record<string, string>> | undefined;
  /** Null: the first of the recipe. */
  readonly resource: string | null;
  readonly limit: number;
  /** Null: the stored credential. */
  readonly credentials: ProviderCredentials | null;
}

/** A record: as the source sends it, as the recipe maps it, and what a run would write. */
export interface TriedRecord extends SampledRecord {
  readonly op: 'write' | 'remove' | 'park' | 'ignore';
  /** Null: it is written here alone, or not at all. */
  readonly request: string | null;
  /** What would be written, or why not. */
  readonly written: Json;
}

/** The first page of a first sync; nothing of it is stored. */
export interface RecipeTrial {
  readonly resource: string;
  readonly request: string;
  readonly received: number;
  readonly hasMore: boolean;
  readonly records: readonly TriedRecord[];
  /** What concerns the page as a whole. */
  readonly warnings: readonly string[];
}

export interface TrialParts {
  readonly connector: Connector;
  readonly resource: string;
  readonly limit: number;
  readonly route: Route;
  /** Whether the records go to the service, which has fields of its own. */
  readonly isToService: boolean;
  /** Whether the recipe says how changes are asked for. */
  readonly readsChanges: boolean;
  /** First sync only; null: from the beginning. */
  readonly lookbackDays: number | null;
  readonly now: number;
}

const DAY_MS = 86_400_000;

/** Reads one page as the first sync does, asks for changes as later ones do, and writes nothing. @throws what the source throws (SOURCE_*) */
export async function triedRecipe(parts: TrialParts, signal: AbortSignal): Promise<RecipeTrial> {
  const { connector, resource, limit, route, isToService, lookbackDays, now } = parts;
  if (!connector.sample) throw sourceError('SOURCE_REFUSED', 'this connector shows no sample');
  const from = lookbackDays === null ? null : now - lookbackDays * DAY_MS;
  const { records, named, isFiltered, ...sample } = await connector.sample(
    resource,
    { from, to: now },
    limit,
    signal,
  );
  const changes = parts.readsChanges && sample.received > 0 ? await changesWarnings(parts, signal) : [];
  return {
    ...sample,
    resource,
    records: records.map((record) => triedRecord(record, route)),
    warnings: [
      ...(sample.warnings ?? []),
      ...changes,
      ...(sample.received === 0 ? emptyWarnings(resource, lookbackDays, isFiltered) : []),
      ...unknownWarnings(resource, named, isToService),
    ],
  };
}

/**
 * Of tomorrow there are no changes: what a source sends of them shows that it does not understand the filter. A first sync would show nothing of it, because
 * it asks for everything.
 */
async function changesWarnings(
  { connector, resource, now }: TrialParts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const tomorrow = { from: now + DAY_MS, to: now + 2 * DAY_MS };
    const found = await connector.sample?.(resource, tomorrow, 1, signal);
    if (!found || found.received === 0) return [];
    return [
      `the source knows no such filter as "changes" says: asked for changes from tomorrow on (${found.request}) it sends ${found.received} all the same, so every run reads all ${resource}`,
    ];
  } catch (error) {
    if (!isSourceError(error)) throw error;
    return [
      `asking for changes ("changes"), as every run after the first sync does, failed: ${error.message}`,
    ];
  }
}

function triedRecord(sampled: SampledRecord, route: Route): TriedRecord {
  const { mapped } = sampled;
  if (mapped === null) return { ...sampled, op: 'park', request: null, written: sampled.problem };
  if (mapped.deleted)
    return {
      ...sampled,
      op: 'remove',
      request: requestOf(route, { op: 'remove', id: mapped.id }),
      written: null,
    };
  return { ...sampled, ...writtenOf(route.map(mapped), mapped.id, mapped.updatedAt, route) };
}

function writtenOf(
  mapped: Mapped,
  id: string,
  updatedAt: number | null,
  route: Route,
): Pick<TriedRecord, 'op' | 'request' | 'written'> {
  if (mapped.kind === 'ignore')
    return { op: 'ignore', request: null, written: mapped.reason ?? 'it is not sent' };
  if (mapped.kind === 'park') return { op: 'park', request: null, written: mapped.reason };
  const { body } = mapped;
  return { op: 'write', request: requestOf(route, { op: 'put', id, updatedAt, body }), written: body };
}

function requestOf(route: Route, write: SinkWrite): string | null {
  const [request] = route.requestsOf?.([write]) ?? [];
  return request ? `${request.method} ${request.path}` : null;
}

/** Why a first sync may find nothing, the likeliest first. */
export function emptyWarnings(
  resource: string,
  lookbackDays: number | null,
  isFiltered: boolean,
): readonly string[] {
  return [
    `the source answers, and sends no ${resource}`,
    ...(lookbackDays === null
      ? []
      : [
          `the first sync asks for what has changed in the last ${lookbackDays} days: a longer lookback or a full resync shows older ones`,
        ]),
    ...(isFiltered
      ? [
          'the request has a filter ("query", "changes"): try the recipe without it to see whether it is right',
        ]
      : []),
    `the key may not be allowed to read ${resource}: many servers answer with an empty list then`,
  ];
}

function unknownWarnings(
  resource: string,
  named: readonly string[],
  isToService: boolean,
): readonly string[] {
  const known = namesOf(resource);
  if (known.length === 0) return [];
  const kept = isToService ? 'as metadata only' : 'under this name only';
  return named
    .filter((name) => !known.includes(name))
    .map(
      (name) => `"${name}" is no field of ${resource}: it is kept ${kept}. Fields are ${known.join(', ')}`,
    );
}
