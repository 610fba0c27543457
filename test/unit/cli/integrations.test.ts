import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProductMapping } from '../../../src/api/contract/integration.ts';
import {
  DryRun,
  MappingSuggestion,
  ParkedCause,
  ParkedRecord,
  ResourceTest,
  SyncRunEntry,
  SyncStream,
} from '../../../src/api/contract/sync.ts';
import { moment } from '../../../src/cli/show/moment.ts';
import { credentialsDocument, integrationDocument } from '../../support/integration-documents.ts';
import { command, documentOf } from './command-line.ts';
import { AT, FakeDaemon, list, one, refusal } from './fake-daemon.ts';

const A = '/v2/integrations/provider_a';
const PRODUCT = '0198d000-0000-7000-8000-000000000001';
const KEY = 'pk_very-secret-0123456789';
const DONE = { status: 200, body: { success: true } };

const STREAM = SyncStream.parse({
  object: 'sync_stream',
  provider: 'provider_a',
  resource: 'invoices',
  state: 'idle',
  rows: 42,
  fresh_at: AT,
  is_stale: true,
  paused: false,
  next_run_at: AT,
  next_runs_at: [AT],
  run: null,
  expected: null,
  held: { kind: 'deletes', missing: 7, rows: 42, examples: ['a'], reason: 'gone', at: AT },
  parked: 1,
  errors: 3,
  last_error: 'no answer',
  first_failure: { at: AT, code: 'source_unavailable', message: 'status 503: closed for the night' },
} satisfies SyncStream);
const PARKED = ParkedRecord.parse({
  id: 'invoices/i-7',
  object: 'parked_record',
  provider: 'provider_a',
  resource: 'invoices',
  cause: 'mapping:p-9',
  record_id: 'i-7',
  why: 'mapping',
  reason: 'no mapping of package p-9',
  needs: 'p-9',
  excerpt: '{"id":"i-7"}\u001B[31m',
  tries: 1,
  parked_at: AT,
  next_try_at: null,
} satisfies ParkedRecord);
const CAUSE = ParkedCause.parse({
  id: 'mapping:p 9',
  object: 'parked_cause',
  provider: 'provider_a',
  why: 'mapping',
  reason: 'no mapping of package p 9',
  needs: 'p 9',
  resources: ['invoices', 'memberships'],
  records: 12,
  examples: ['invoices/i-7', 'invoices/i-8', 'invoices/i-9'],
  since: AT,
  next_try_at: null,
} satisfies ParkedCause);
const RUN = SyncRunEntry.parse({
  object: 'sync_run',
  id: '7',
  provider: 'provider_a',
  resource: 'invoices',
  duration_ms: 1250,
  no: 7,
  kind: 'changes',
  outcome: 'failed',
  started_at: AT,
  ended_at: AT,
  code: 'source_unavailable',
  message: 'status 503: closed for the night',
  pages: 1,
  read: 5,
  created: 1,
  updated: 2,
  unchanged: 2,
  stale: 0,
  deleted: 0,
  parked: 0,
  ignored: 0,
} satisfies SyncRunEntry);
const DRY = DryRun.parse({
  object: 'dry_run',
  resource: 'customers',
  read: 3,
  source_requests: 2,
  sink_requests: 1,
  unchanged: 1,
  writes: [{ op: 'create', id: 'c-1', request: 'PUT /customers/external/batch', body: { name: 'Anna' } }],
  writes_in_all: 2,
  counts: { create: 1, update: 0, remove: 0, park: 1, ignore: 0 },
  reasons: [{ op: 'park', reason: 'it has no "name"', records: 1 }],
  warnings: [],
} satisfies DryRun);
const STORED = credentialsDocument({ base_url: 'https://api.provider.example' });
const FORBIDDEN = ResourceTest.parse({
  ...readable('invoices'),
  readable: false,
  received: 0,
  code: 'source_forbidden',
  error: 'the key may not read invoices (status 403)',
});

function readable(resource: string): ResourceTest {
  const found = { readable: true, received: 100, bad: 2, has_more: true, code: null, error: null };
  return { object: 'resource_test', provider: 'provider_a', resource, ...found };
}
const KEPT: readonly ProductMapping[] = [
  mapping('p-1', { internalId: PRODUCT, product: { id: PRODUCT, name: 'Haircut' } }),
  mapping('p-2', { ignored: true }),
  mapping('p-3', { ignored: true }),
  mapping('p-5'),
];
const SUGGESTION = MappingSuggestion.parse({
  object: 'mapping_suggestion',
  externalId: 'p-9',
  name: 'Hair cut',
  waiting: 4,
  suggestions: [{ internalId: PRODUCT, name: 'Haircut', by: 'name', likeness: 0.9 }],
} satisfies MappingSuggestion);

function mapping(externalId: string, more: Partial<ProductMapping> = {}): ProductMapping {
  const empty = { internalId: null, ignored: false, metadata: {}, product: null, priceOverride: null };
  return ProductMapping.parse({ externalId, ...empty, ...more } satisfies ProductMapping);
}

async function* input(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

let daemon: FakeDaemon;
let folder: string;
const tillctl = (words: readonly string[], more: Parameters<typeof command>[1] = {}) =>
  command(['--socket', daemon.socket, ...words], { cwd: folder, ...more });
const fileOf = (name: string, content: unknown) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(folder, name), text);
  return name;
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillctl-files-'));
  daemon = await new FakeDaemon()
    .on('GET /v2/integrations', () =>
      list([integrationDocument(), integrationDocument({ provider: 'terminal', configured: false })]),
    )
    .on(`GET ${A}/streams`, () => list([STREAM]))
    .on(`GET ${A}`, () => one(integrationDocument()))
    .on(`PUT ${A}/invoice-lookback`, () => DONE)
    .on(`PUT ${A}/product-mapping-policy`, () => DONE)
    .on(`GET ${A}/credentials`, () => one(STORED))
    .on(`POST ${A}/test-resources`, () => list([readable('customers'), FORBIDDEN]))
    .on(`GET ${A}/parked`, () => list([PARKED]))
    .on(`GET ${A}/parked/causes`, () => list([CAUSE]))
    .on(`POST ${A}/parked/retry`, () => ({ status: 200, body: { success: true, count: 12 } }))
    .on(`GET ${A}/runs`, () => list([RUN]))
    .on(`GET ${A}/product-mappings`, () => list(KEPT))
    .on(`GET ${A}/product-mappings/suggestions`, () => list([SUGGESTION]))
    .on(`PUT ${A}/product-mappings`, ({ body }) => {
      const { mappings } = body as { mappings: unknown[] };
      return { status: 200, body: { success: true, count: mappings.length } };
    })
    .on(`PUT ${A}/sync-toggle`, () => DONE)
    .on(`POST ${A}/resume-sync`, () => ({ ...DONE, status: 202 }))
    .on(`POST ${A}/sync`, () => ({ status: 202, body: { success: true, fullResync: true } }))
    .on(`POST ${A}/dry-run`, () => list([DRY]))
    .on(`POST ${A}/resources/invoices/approve`, () => DONE)
    .on(`POST ${A}/activate`, () => one(integrationDocument()))
    .on(`POST ${A}/rotate`, () => one(integrationDocument()))
    .on(`POST ${A}/deactivate`, () => one(integrationDocument({ active: false })))
    .on(`POST ${A}/test`, ({ body }) => {
      const valid = JSON.stringify(body).includes(KEY);
      return { status: 200, body: { valid, error: valid ? '' : 'Unauthorized' } };
    })
    .start();
});
afterEach(async () => {
  await daemon.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe('tillctl on integrations', () => {
  it.each([
    ['integrations', ['integrations'], 'not configured'],
    ['integrations --streams', ['integrations', '--streams'], 'tillctl approve provider_a invoices'],
    ['sync', ['sync', 'provider_a', '--full-resync', '--resource', 'invoices'], 'is queued'],
    [
      'sync --dry-run',
      ['sync', 'provider_a', '--dry-run'],
      '  + 1 create\n  ! 1 park\n      1 × it has no "name"\n  2 writes with',
    ],
    [
      'sync --dry-run --records',
      ['sync', 'provider_a', '--dry-run', '--records'],
      '+ create c-1  PUT /customers/external/batch  {"name":"A…"}',
    ],
    [
      'sync --dry-run --show-data',
      ['sync', 'provider_a', '--dry-run', '--show-data'],
      '+ create c-1  PUT /customers/external/batch  {"name":"Anna"}',
    ],
    ['lookback', ['lookback', 'provider_a', '400'], 'invoices of 400 days'],
    ['mapping-policy', ['mapping-policy', 'provider_a'], 'is imported without a product'],
    ['mapping-policy --require', ['mapping-policy', 'provider_a', '--require', 'off'], 'are tried again now'],
    ['credentials', ['credentials', 'provider_a', 'show'], 'stored, and never shown'],
    ['credentials, what is there', ['credentials', 'provider_a'], 'https://api.provider.example'],
    [
      'sync --dry-run, its cost',
      ['sync', 'provider_a', '--dry-run'],
      '2 writes with 1 request; nothing was written',
    ],
    ['resume', ['resume', 'provider_a'], 'is resumed'],
    ['toggle on', ['toggle', 'provider_a', 'on'], 'are on'],
    ['toggle off', ['toggle', 'provider_a', 'off'], 'are off'],
    ['approve', ['approve', 'provider_a', 'invoices'], 'are removed with its next run'],
    ['deactivate', ['deactivate', 'provider_a'], 'not active any more'],
    [
      'activate',
      ['activate', 'provider_a'],
      'Its key goes to https://api.provider.example, the stored address',
    ],
    ['integrations P', ['integrations', 'provider_a'], 'It began at 2026'],
    ['integrations P --runs', ['integrations', 'provider_a', '--runs'], '7 (invoices): status 503: closed'],
    ['parked', ['parked', 'provider_a'], 'no mapping of package p 9'],
    ['parked, how many', ['parked', 'provider_a'], '12 of provider_a/invoices, provider_a/memberships'],
    ['parked, what to do', ['parked', 'provider_a'], "tillctl parked provider_a --cause 'mapping:p 9'"],
    ['parked --by record', ['parked', 'provider_a', '--by', 'record'], 'no mapping of package p-9'],
    ['parked --cause', ['parked', 'provider_a', '--cause', 'mapping:p-9'], 'no mapping of package p-9'],
    [
      'retry-parked',
      ['retry-parked', 'provider_a', '--cause', 'mapping'],
      '12 parked records are tried again',
    ],
    ['mappings', ['mappings', 'provider_a'], 'Haircut'],
    ['mappings, what they may be', ['mappings', 'provider_a', 'show'], 'perhaps Haircut'],
  ])('%s says it in words, and as one JSON document', async (_, words, shown) => {
    expect(await tillctl(words)).toMatchObject({ exit: 0, out: expect.stringContaining(shown) });
    const json = await tillctl(['--json', ...words]);
    const { body } = daemon.seen.at(-1) ?? {};
    expect(body).not.toBeNull();
    expect(documentOf(json.out)).toBeTypeOf('object');
    expect(json.out).not.toContain('\u001B');
  });

  it('prints with --json exactly what the interface answers', async () => {
    const printed = async (words: string[]) => documentOf((await tillctl(['--json', ...words])).out);
    expect(await printed(['toggle', 'provider_a', 'on'])).toEqual({ success: true });
    expect(await printed(['sync', 'provider_a'])).toEqual({ success: true, fullResync: true });
    expect(await printed(['parked', 'provider_a'])).toMatchObject({ object: 'list', data: [PARKED] });
    expect(await printed(['parked', 'provider_a', '--by', 'cause'])).toMatchObject({ data: [CAUSE] });
    expect(await printed(['retry-parked', 'provider_a'])).toEqual({ success: true, count: 12 });
    expect(await printed(['integrations', 'provider_a'])).toEqual({ data: integrationDocument() });
    expect(await printed(['integrations', 'provider_a', '--streams'])).toMatchObject({ data: [STREAM] });
    expect(await printed(['integrations', 'provider_a', '--runs'])).toMatchObject({ data: [RUN] });
    expect(await printed(['mappings', 'provider_a'])).toMatchObject({ object: 'list', data: KEPT });
    expect(await printed(['deactivate', 'provider_a'])).toEqual({
      data: integrationDocument({ active: false }),
    });
  });

  it('sends the flags of a sync in its body, and none that was not given', async () => {
    await tillctl(['sync', 'provider_a']);
    await tillctl(['sync', 'provider_a', '--full-resync', '--resource', 'invoices']);
    expect(daemon.requests(`POST ${A}/sync`).map(({ body }) => body)).toEqual([
      {},
      { fullResync: true, resource: 'invoices' },
    ]);
  });

  it('says of an integration that an outage has paused when it tries again by itself', async () => {
    daemon.on('GET /v2/integrations', () =>
      list([integrationDocument({ paused_reason: 'errors', next_sync_at: AT })]),
    );
    expect((await tillctl(['integrations'])).out).toMatch(
      /tries again by itself at 2026.*tillctl resume provider_a/,
    );
    daemon.on('GET /v2/integrations', () =>
      list([integrationDocument({ paused_reason: 'errors', next_sync_at: null })]),
    );
    expect((await tillctl(['integrations'])).out).not.toMatch(/by itself/);
  });

  it('asks for the records and the retry of one cause', async () => {
    await tillctl(['parked', 'provider_a', '--cause', 'mapping:p 9', '--limit', '5']);
    await tillctl(['retry-parked', 'provider_a', '--cause', 'mapping:p 9']);
    await tillctl(['retry-parked', 'provider_a']);
    const [asked] = daemon.requests(`GET ${A}/parked`);
    expect(asked?.path).toContain('cause=mapping%3Ap+9');
    expect(daemon.requests(`POST ${A}/parked/retry`).map(({ body }) => body)).toEqual([
      { cause: 'mapping:p 9' },
      {},
    ]);
  });

  it.each([
    ['a provider that is none', ['resume', 'provider_x']],
    ['a toggle to nothing', ['toggle', 'provider_a', 'maybe']],
    ['a resource without a name', ['sync', 'provider_a', '--resource', '']],
    ['a dry run to wait for', ['sync', 'provider_a', '--dry-run', '--wait']],
    ['an action that is none', ['mappings', 'provider_a', 'delete']],
    ['a diff without a file', ['mappings', 'provider_a', 'diff']],
    ['a file that is not there', ['mappings', 'provider_a', 'diff', 'nothing.json']],
    ['a show with a file', ['mappings', 'provider_a', 'show', 'x.json']],
    ['runs of no provider', ['integrations', '--runs']],
    ['a rotate without a key', ['rotate', 'provider_a']],
    ['an address without a key', ['activate', 'provider_a', '--base-url', 'https://x.example']],
  ])('refuses %s with exit 2, and asks tilld for nothing', async (_, words) => {
    expect((await tillctl(words)).exit).toBe(2);
    expect(daemon.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it.each([
    ['is not active: activate it first', 'tillctl activate provider_a'],
    ['is paused, because its credential was refused: rotate it, or resume', 'tillctl rotate provider_a'],
    ['is paused, because too many runs in a row have failed: resume it', 'tillctl resume provider_a'],
    ['needs "baseUrl": the address of the shop\'s own installation', 'tillctl rotate provider_a'],
  ])('says the next step where a sync is refused because it %s', async (message, next) => {
    daemon.on(`POST ${A}/sync`, () => refusal(400, 'integration_not_active', `provider_a ${message}`));
    const printed = await tillctl(['sync', 'provider_a']);
    expect(printed.exit).toBe(1);
    expect(printed.err.split('Next: ')[1]).toContain(`\`${next}`);
    const json = await tillctl(['--json', 'sync', 'provider_a']);
    expect(documentOf(json.out)).toMatchObject({ error: { code: 'integration_not_active' } });
    expect(json.out).not.toContain('Next');
  });

  it('prints a refusal with a list of issues as an envelope', async () => {
    const issues = [{ path: ['provider'], message: 'provider_d does not have this setting' }];
    const body = { success: false, error: { name: 'ValidationError', issues, request_id: 'req_1' } };
    daemon.on('PUT /v2/integrations/provider_d/sync-toggle', () => ({ status: 400, body }));
    const printed = await tillctl(['--json', 'toggle', 'provider_d', 'off']);
    expect(printed.exit).toBe(1);
    expect(documentOf(printed.out)).toMatchObject({
      error: {
        code: 'validation_error',
        message: 'provider: provider_d does not have this setting',
        request_id: 'req_1',
      },
    });
  });
});

describe('tillctl and the key of a provider', () => {
  it.each([['activate'], ['rotate'], ['test']])(
    '%s reads it from a file or from standard input',
    async (verb) => {
      const file = fileOf('key', `${KEY}\n`);
      const more = [
        '--base-url',
        'https://api.provider.example',
        '--app-name',
        'Shop',
        '--app-email',
        'a@b.example',
      ];
      const first = await tillctl([verb, 'provider_a', '--api-key-file', file, ...more]);
      const second = await tillctl([verb, 'provider_a', '--api-key-file', '-'], { input: input(`${KEY}\n`) });
      const exit = verb === 'test' ? 1 : 0;
      expect([first.exit, second.exit]).toEqual([exit, exit]);
      expect(daemon.requests(`POST ${A}/${verb}`).map(({ body }) => body)).toEqual([
        {
          credentials: {
            apiKey: KEY,
            baseUrl: 'https://api.provider.example',
            appName: 'Shop',
            appEmail: 'a@b.example',
          },
        },
        { credentials: { apiKey: KEY } },
      ]);
      expect(first.out + first.err + second.out + second.err).not.toContain(KEY);
    },
  );

  it('says that a key is refused, in the words of the provider, and ends with 1', async () => {
    const printed = await tillctl(['test', 'provider_a', '--api-key-file', fileOf('key', 'bad')]);
    expect(printed).toMatchObject({ exit: 1, out: 'Refused: Unauthorized\n' });
  });

  it('tries the stored key with every resource, and says which cannot be read', async () => {
    const printed = await tillctl(['test', 'provider_a']);
    expect(printed.exit).toBe(1);
    expect(printed.out).toMatch(/^provider_a accepts the key\.\n/);
    expect(printed.out).toMatch(/customers +yes +100\+, 2 unreadable/);
    expect(printed.out).toMatch(/invoices +NO +- +the key may not read invoices \(status 403\)/);
    const json = documentOf((await tillctl(['--json', 'test', 'provider_a'])).out);
    expect(json).toEqual({ valid: true, error: '', resources: [readable('customers'), FORBIDDEN] });
    expect(daemon.requests(`POST ${A}/test`)).toEqual([]);
    daemon.on(`POST ${A}/test-resources`, () => list([readable('customers')]));
    expect((await tillctl(['test', 'provider_a'])).exit).toBe(0);
    const refused = { ...FORBIDDEN, code: 'source_unauthorised', error: 'no such key' };
    daemon.on(`POST ${A}/test-resources`, () => list([refused]));
    expect((await tillctl(['test', 'provider_a'])).out).toMatch(/^Refused: no such key\n/);
  });

  it('masks what may be about a person in a dry run, also as JSON', async () => {
    const json = documentOf((await tillctl(['--json', 'sync', 'provider_a', '--dry-run'])).out);
    expect(json).toMatchObject({ data: [{ writes: [{ id: 'c-1', body: { name: 'A…' } }] }] });
    const whole = documentOf(
      (await tillctl(['--json', 'sync', 'provider_a', '--dry-run', '--show-data'])).out,
    );
    expect(whole).toMatchObject({ data: [DRY] });
  });

  it('calls invoices that stay drafts drafts', async () => {
    const [write] = DRY.writes;
    daemon.on(`POST ${A}/dry-run`, () =>
      list([{ ...DRY, resource: 'invoices', writes: [{ ...write, request: 'POST /invoices' }] }]),
    );
    const dry = ['sync', 'provider_a', '--dry-run'];
    expect((await tillctl(dry)).out).toContain(
      '+ 1 create, as drafts at the service, which no till can charge',
    );
    daemon.on(`GET ${A}`, () => one(integrationDocument({ auto_send: true })));
    expect((await tillctl(dry)).out).not.toContain('draft');
  });

  it.each([
    ['two lines', `${KEY}\nmore`],
    ['nothing', ''],
    ['another file', 'x'.repeat(5000)],
  ])('refuses %s for a key, and does not repeat it', async (_, text) => {
    const printed = await tillctl(['rotate', 'provider_a', '--api-key-file', fileOf('key', text)]);
    expect(printed.exit).toBe(2);
    expect(printed.err).not.toContain(KEY);
    expect(daemon.seen).toEqual([]);
  });
});

describe('tillctl webhook-secret', () => {
  const SECRET = 'whsec_very-secret-0123456789';
  const webhook = {
    url: 'http://127.0.0.1:8490/hooks/provider_a',
    secret_stored: true,
    previous_secret_until: AT,
    accepted: 3,
    refused: 1,
    last_accepted_at: AT,
    last_refused_at: AT,
    last_refusal: 'wrong_time',
  };

  it('reads the secret from a file or from standard input, removes it, and never shows it', async () => {
    daemon.on(`PUT ${A}/webhook-secret`, () => one(integrationDocument({ webhook })));
    daemon.on(`DELETE ${A}/webhook-secret`, () =>
      one(integrationDocument({ webhook: { ...webhook, secret_stored: false } })),
    );
    const file = fileOf('secret', `${SECRET}\n`);
    const first = await tillctl([
      'webhook-secret',
      'provider_a',
      '--secret-file',
      file,
      '--overlap-hours',
      '0',
    ]);
    const second = await tillctl(['webhook-secret', 'provider_a', '--secret-file', '-'], {
      input: input(`${SECRET}\n`),
    });
    expect(daemon.requests(`PUT ${A}/webhook-secret`).map(({ body }) => body)).toEqual([
      { secret: SECRET, overlapHours: 0 },
      { secret: SECRET },
    ]);
    const gone = await tillctl(['webhook-secret', 'provider_a', '--remove']);
    expect([first.exit, second.exit, gone.exit]).toEqual([0, 0, 0]);
    expect(first.out).toContain(
      `at http://127.0.0.1:8490/hooks/provider_a; 3 since the start, the last at ${moment(AT)}; 1 refused, the last at ${moment(AT)} (wrong_time); the secret before counts until ${moment(AT)}`,
    );
    expect(gone.out).toContain('`tillctl webhook-secret provider_a --secret-file FILE`');
    expect(first.out + first.err + second.out + second.err).not.toContain(SECRET);
  });

  it.each([
    ['neither', ['webhook-secret', 'provider_a']],
    ['both', ['webhook-secret', 'provider_a', '--secret-file', '-', '--remove']],
    ['an overlap without a secret', ['webhook-secret', 'provider_a', '--remove', '--overlap-hours', '1']],
  ])('refuses %s', async (_, words) => {
    expect((await tillctl(words)).exit).toBe(2);
  });

  it('refuses a secret of two lines without saying it', async () => {
    const printed = await tillctl([
      'webhook-secret',
      'provider_a',
      '--secret-file',
      fileOf('s', 'one two-secret\nx'),
    ]);
    expect(printed.exit).toBe(2);
    expect(printed.err).not.toContain('two-secret');
  });
});

describe('tillctl mappings', () => {
  const WANTED = {
    mappings: [
      { externalId: 'p-1', internalId: PRODUCT.toUpperCase() },
      { externalId: 'p-2' },
      { externalId: 'p-4', internalId: PRODUCT, priceOverride: 900 },
    ],
  };

  it('diff shows what comes, changes and goes, and what is still open', async () => {
    const printed = await tillctl(['mappings', 'provider_a', 'diff', fileOf('m.json', WANTED)]);
    expect(printed.out.split('\n')).toEqual([
      `+ p-4 → ${PRODUCT}, price 900`,
      '~ p-2: ignored → no product',
      '- p-3 (ignored)',
      '1 added, 1 changed, 1 removed, 1 unchanged',
      '? p-9 "Hair cut" has no product, 4 records wait',
      `    perhaps Haircut (${PRODUCT}), by its name, 90 %`,
      '',
    ]);
    expect(daemon.requests(`PUT ${A}/product-mappings`)).toEqual([]);
  });

  it('diff reads standard input, and leaves out suggestions for what the file settles', async () => {
    const wanted = { mappings: [{ externalId: 'p-9', internalId: PRODUCT }] };
    const words = ['--json', 'mappings', 'provider_a', 'diff', '-'];
    const { data } = documentOf((await tillctl(words, { input: input(JSON.stringify(wanted)) })).out) as {
      data: Record<string, unknown[]>;
    };
    expect(data).toMatchObject({ changed: [], unchanged: 0, suggestions: [] });
    expect([data['added']?.length, data['removed']?.length]).toEqual([1, 3]);
  });

  it.each([
    ['y\n', 0, 1],
    ['n\n', 1, 0],
    ['', 1, 0],
  ])('apply asks a person; the answer %j ends with %i', async (answer, exit, puts) => {
    const words = ['mappings', 'provider_a', 'apply', fileOf('m.json', WANTED)];
    const printed = await tillctl(words, { input: input(answer), canAsk: true });
    expect(printed.exit).toBe(exit);
    expect(printed.err).toContain('1 added, 1 changed, 1 removed');
    expect(daemon.requests(`PUT ${A}/product-mappings`)).toHaveLength(puts);
  });

  it('apply without a person needs --yes, and then puts the whole set', async () => {
    const file = fileOf('m.json', WANTED);
    expect((await tillctl(['mappings', 'provider_a', 'apply', file])).exit).toBe(2);
    const printed = await tillctl(['--json', 'mappings', 'provider_a', 'apply', file, '--yes']);
    expect(documentOf(printed.out)).toEqual({ success: true, count: 3 });
    const wanted = WANTED.mappings.map((one) =>
      'internalId' in one ? { ...one, internalId: one.internalId?.toLowerCase() } : one,
    );
    expect(daemon.requests(`PUT ${A}/product-mappings`).map(({ body }) => body)).toEqual([
      { mappings: wanted },
    ]);
  });

  it('apply says which records it frees, and which rows keep what they had', async () => {
    const waiting = (needs: string, records: number) => ({
      ...CAUSE,
      id: `mapping:${needs}`,
      needs,
      records,
    });
    daemon.on(`GET ${A}/parked/causes`, () =>
      list([waiting('p-4', 12), waiting('p-8', 30), waiting('p-2', 5)]),
    );
    const words = ['mappings', 'provider_a', 'apply', fileOf('m.json', WANTED), '--yes'];
    const { out } = await tillctl(words);
    expect(out).toMatch(/12 parked records waited for it and are tried again now/);
    // p-2 was ignored and is open again, p-3 was ignored and is gone.
    expect(out).toMatch(
      /2 packages were mapped or ignored otherwise before: rows that are already there keep/,
    );
    expect(out).toMatch(/`tillctl sync provider_a --full-resync` sends all of them again/);
  });

  it.each([
    ['no JSON', '{"mappings"'],
    ['another shape', { products: [] }],
    ['an entry without an id', { mappings: [{ internalId: PRODUCT }] }],
  ])('refuses a file that is %s, and changes nothing', async (_, content) => {
    const printed = await tillctl(['mappings', 'provider_a', 'apply', fileOf('m.json', content), '--yes']);
    expect(printed.exit).toBe(2);
    expect(daemon.seen).toEqual([]);
  });
});
