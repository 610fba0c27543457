import { z } from 'zod';
import { Credentials } from './integration.ts';
import { Json, Timestamp } from './primitives.ts';

// The service's API has none of these: details of the syncs, for the command line and the pages.

/** The current run of a stream, or its last one. */
export const SyncRun = z.object({
  no: z.int().describe('Runs are numbered; a later one has a higher number.'),
  kind: z
    .enum(['changes', 'sweep', 'full'])
    .describe('`changes`: what is new; `sweep`: everything, to see what is gone; `full`: everything, anew.'),
  outcome: z
    .string()
    .describe('running, complete, waiting, failed, held (a person must look), stopped or killed.'),
  started_at: Timestamp,
  ended_at: Timestamp.nullable(),
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
export type SyncRun = z.infer<typeof SyncRun>;

/** A run in the list of an integration's runs. */
export const SyncRunEntry = SyncRun.extend({
  object: z.literal('sync_run'),
  id: z.string().describe('Its number; also the cursor of the list.'),
  provider: z.string(),
  resource: z.string(),
  duration_ms: z.int().nullable().describe('Null: it has not ended.'),
});
export type SyncRunEntry = z.infer<typeof SyncRunEntry>;

/** Query of `GET …/runs`: newest first. */
export const ListRuns = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  starting_after: z.coerce.number().int().min(1).optional(),
  version: z.string().optional(),
});

/** One resource of an integration that tilld syncs repeatedly. */
export const SyncStream = z.object({
  object: z.literal('sync_stream'),
  provider: z.string(),
  resource: z.string(),
  state: z.enum(['idle', 'queued', 'running']),
  rows: z.int().describe('That readers see.'),
  fresh_at: Timestamp.nullable().describe('Until when it is complete; null: it never was.'),
  is_stale: z.boolean().describe('It is older than it may be: a person must look.'),
  paused: z
    .boolean()
    .describe('The provider does not let it be read: it waits for a person; other resources go on.'),
  next_run_at: Timestamp.nullable(),
  next_runs_at: z
    .array(Timestamp)
    .describe('The next five times, out of quiet hours; empty: it is off or waits for a person.'),
  run: SyncRun.nullable(),
  expected: z.int().nullable().describe('Rows that the run under way will probably read.'),
  held: z
    .object({
      kind: z.enum(['deletes', 'resync']),
      missing: z.int().describe('Rows that would go.'),
      rows: z.int(),
      examples: z.array(z.string()).describe('The ids of the first of them.'),
      reason: z.string().describe('Which rows would go, and why, in a sentence.'),
      at: Timestamp,
    })
    .nullable()
    .describe('What waits for a person; `approve` lets it go.'),
  parked: z.int(),
  errors: z.int().describe('Runs that failed in a row.'),
  last_error: z.string().nullable(),
  first_failure: z
    .object({ at: Timestamp, code: z.string(), message: z.string() })
    .nullable()
    .describe(
      "The first failure since the last complete run, in the provider's own words; null: there is none.",
    ),
});
export type SyncStream = z.infer<typeof SyncStream>;

const ParkedWhy = z
  .enum(['bad', 'mapping', 'rejected'])
  .describe('It could not be read; a product of it has no mapping; the sink refused it.');
const ParkedCauseId = z
  .string()
  .min(1)
  .max(512)
  .describe('The id of a cause, or `bad`, `mapping` or `rejected`; absent: all of them.');

/** A quarantined record; the rest of the sync continues. */
export const ParkedRecord = z.object({
  id: z.string().describe('`resource/key`; also the cursor of the list.'),
  object: z.literal('parked_record'),
  provider: z.string(),
  resource: z.string(),
  cause: z.string().describe('Records with one cause wait for the same thing: the id of a `parked_cause`.'),
  record_id: z.string().nullable(),
  why: ParkedWhy,
  reason: z.string(),
  needs: z.string().nullable().describe('The package whose mapping it waits for.'),
  excerpt: z.string(),
  tries: z.int().describe('Runs that tried it again.'),
  parked_at: Timestamp,
  next_try_at: Timestamp.nullable(),
});
export type ParkedRecord = z.infer<typeof ParkedRecord>;

/** Query of `GET …/parked`: by resource and key. */
export const ListParked = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  starting_after: z.string().min(3).max(1024).includes('/').optional(),
  cause: ParkedCauseId.optional(),
  version: z.string().optional(),
});

/** What parked records wait for. */
export const ParkedCause = z.object({
  id: z.string().describe('`mapping:PACKAGE`, or `bad:` or `rejected:` and a digest of the reason.'),
  object: z.literal('parked_cause'),
  provider: z.string(),
  why: ParkedWhy,
  reason: z.string().describe('Of one of the records; it may name values of that one.'),
  needs: z.string().nullable().describe('The package whose mapping they wait for.'),
  resources: z.array(z.string()),
  records: z.int(),
  examples: z.array(z.string()).describe('The ids of the first of them, at most three.'),
  since: Timestamp.describe('When the first of them was parked.'),
  next_try_at: Timestamp.nullable().describe(
    'The soonest next try of one of them; null: none comes by itself.',
  ),
});
export type ParkedCause = z.infer<typeof ParkedCause>;

/** Body of `POST …/parked/retry`. */
export const RetryParked = z.strictObject({ cause: ParkedCauseId.optional() });
export const ParkedRetried = z.object({
  success: z.literal(true),
  count: z.int().describe('Records that are tried again at once.'),
});

/** What a run of one resource would do now; a dry run writes nothing. */
export const DryRun = z.object({
  object: z.literal('dry_run'),
  resource: z.string(),
  read: z.int(),
  source_requests: z.int().describe('Requests to the provider that it took.'),
  sink_requests: z.int().describe('Requests that the run would make to write.'),
  unchanged: z.int(),
  writes: z
    .array(
      z.object({
        op: z.enum(['create', 'update', 'remove', 'park', 'ignore']),
        id: z.string(),
        request: z.string().nullable().describe('Null: it is written here alone.'),
        body: Json,
      }),
    )
    .describe('The first 1000 of them; `body` is what would be written, or why not.'),
  writes_in_all: z.int(),
  counts: z
    .object({ create: z.int(), update: z.int(), remove: z.int(), park: z.int(), ignore: z.int() })
    .describe('Of all writes, by what they do.'),
  reasons: z
    .array(z.object({ op: z.enum(['park', 'ignore']), reason: z.string(), records: z.int() }))
    .describe('Why records are parked or ignored, those of the most records first; at most 20.'),
  warnings: z.array(z.string()).describe('What to look at in the mapping, a sentence each.'),
});
export type DryRun = z.infer<typeof DryRun>;

/** Body of `POST …/test-resources`. */
export const TestResources = z.strictObject({
  credentials: Credentials.optional().describe('Absent: the stored one.'),
});
/** Whether a resource can be read: its first page was asked for, and nothing was stored. */
export const ResourceTest = z.object({
  object: z.literal('resource_test'),
  provider: z.string(),
  resource: z.string(),
  readable: z.boolean(),
  received: z.int().describe('Records of its first page.'),
  bad: z.int().describe('Records of it that cannot be understood.'),
  has_more: z.boolean(),
  code: z.string().nullable(),
  error: z.string().nullable().describe("The provider's own words; null: it can be read."),
});
export type ResourceTest = z.infer<typeof ResourceTest>;

/** What is stored of a credential; the key itself is never shown. */
export const StoredCredentials = z.object({
  object: z.literal('integration_credentials'),
  provider: z.string(),
  key_stored: z.boolean(),
  readable: z
    .boolean()
    .describe('False: what is stored cannot be opened with the sealing key of this machine; store it again.'),
  base_url: z.string().nullable(),
  app_name: z.string().nullable(),
  app_email: z.string().nullable(),
  missing: z.array(z.string()).describe('Parts that its provider needs and that are not stored.'),
});
export type StoredCredentials = z.infer<typeof StoredCredentials>;

/** A package without a product, and the products that may match. */
export const MappingSuggestion = z.object({
  object: z.literal('mapping_suggestion'),
  externalId: z.string(),
  name: z.string().nullable(),
  waiting: z.int().describe('Records that wait for its mapping.'),
  suggestions: z.array(
    z.object({
      internalId: z.string(),
      name: z.string().nullable(),
      by: z.enum(['code', 'name']),
      likeness: z.number().min(0).max(1),
    }),
  ),
});
export type MappingSuggestion = z.infer<typeof MappingSuggestion>;

/** Query of `GET …/product-mappings/suggestions`: packages that block the most records come first. */
export const ListSuggestions = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  version: z.string().optional(),
});

/** Body of `POST …/try-recipe`. */
export const TryRecipe = z
  .strictObject({
    recipe: z
      .union([z.string().min(1).max(64), z.record(z.string(), z.unknown())])
      .optional()
      .describe('The name of a built-in recipe, or a recipe; absent: the one that runs at the integration.'),
    timeZone: z
      .string()
      .max(64)
      .optional()
      .describe('Of times without one; absent: that of the integration.'),
    values: z
      .record(z.string(), z.string().max(200))
      .optional()
      .describe('`$values` of the recipe; absent: those of the integration.'),
    resource: z.string().min(1).max(64).optional().describe('Absent: the first of the recipe.'),
    limit: z.int().min(1).max(20).optional().describe('Records that are shown; absent: 3.'),
    credentials: Credentials.optional().describe(
      'Goes to its own `baseUrl`, or to that of the recipe, and to no stored address. Absent: the stored one, for its own address alone.',
    ),
  })
  .refine(
    ({ recipe, timeZone, values }) =>
      recipe !== undefined || (timeZone === undefined && values === undefined),
    'must hold a recipe for timeZone and values: the integration has its own',
  );
export type TryRecipe = z.infer<typeof TryRecipe>;

/** The first page of a first sync, record by record: `raw` as the source sends it, `written` what would be written, or why not. Nothing is stored. */
export const RecipeTrial = z.object({
  object: z.literal('recipe_trial'),
  provider: z.string(),
  resource: z.string(),
  request: z.string().describe('As it was sent, without the credential.'),
  received: z.int().describe('Records of the whole page.'),
  has_more: z.boolean().describe('Another page may follow.'),
  records: z.array(
    z.object({
      raw: Json,
      mapped: z
        .object({ id: z.string(), updated_at: Timestamp.nullable(), deleted: z.boolean(), fields: Json })
        .nullable()
        .describe('As the recipe maps it; null: it cannot be read.'),
      problem: z.string().nullable().describe('Why it cannot be read.'),
      op: z.enum(['write', 'remove', 'park', 'ignore']),
      request: z.string().nullable().describe('Null: it is written here alone, or not at all.'),
      written: Json,
      warnings: z.array(z.string()),
    }),
  ),
  warnings: z.array(z.string()).describe('What is probably not meant, and why a list may be empty.'),
});
export type RecipeTrial = z.infer<typeof RecipeTrial>;
