import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { ApiContext } from '../../../src/api/context.ts';
import { createApi } from '../../../src/api/create-api.ts';
import type { ApiDeps } from '../../../src/api/deps.ts';
import type { Examination, OpsDeps } from '../../../src/api/ports.ts';
import type { VirtualTerminalView } from '../../../src/api/virtual-terminals.ts';
import { AppError } from '../../../src/base/errors.ts';
import { KEYS, openShop } from './shop.ts';

const NEVER: Examination = { state: 'never', startedAt: null, endedAt: null, findings: [], failure: null };
const TERMINAL: VirtualTerminalView = {
  name: 'counter 1',
  protocol: 'zvt',
  serial: '17F00001',
  address: 'tcp://127.0.0.1:1',
  deviceIds: ['d'],
  isOn: true,
  isPlugged: true,
  isBusy: false,
  screen: 'ready',
  autopilot: 'off',
  cards: [],
  faults: [],
  ledger: [],
  earlier: [],
};

const NOBODY = {
  insert: () => undefined,
  byHash: () => null,
  end: () => undefined,
  endOthers: () => undefined,
  paired: () => undefined,
};

interface Asked {
  readonly log: unknown[];
  readonly terminal: unknown[];
  readonly since: number[];
}

/** The pages of a shop whose ports remember what they were asked for. */
function opsOf(asked: Asked, last: Examination): OpsDeps {
  const at = (name: string, ...words: unknown[]) => {
    if (name !== TERMINAL.name) throw new AppError('VIRTUAL_TERMINAL_UNKNOWN', `There is no ${name}`);
    asked.terminal.push(words);
    return TERMINAL;
  };
  return {
    log: {
      tail: (wanted) => {
        asked.log.push(wanted);
        return [
          {
            id: 'a-1',
            level: 'info',
            text: '{"level":"info","time":"2026-01-01T00:00:00.000Z","part":"link","msg":"reached"}',
          },
          { id: 'a-2', level: 'error', text: 'not JSON' },
        ];
      },
    },
    series: {
      payments: (since) => {
        asked.since.push(since);
        return [{ at: since, succeeded: 1, declined: 0, cancelled: 0, other: 0, medianMs: 5, slowMs: 9 }];
      },
      syncs: () => [],
    },
    doctor: { examine: () => ({ ...NEVER, state: 'running', startedAt: 0 }), last: () => last },
    virtualTerminals: {
      all: () => [TERMINAL],
      press: (name, key, card) => at(name, 'press', key, card),
      inject: (name, fault) => at(name, 'inject', fault),
      forgetFaults: (name) => at(name, 'forget'),
      set: (name, switches) => at(name, 'set', switches),
    },
  };
}

type InjectMethod = NonNullable<InjectOptions['method']>;

function opened(last = NEVER) {
  const asked: Asked = { log: [], terminal: [], since: [] };
  const deps: ApiDeps = {
    ...openShop().deps,
    pages: { files: [], sessions: NOBODY, ops: opsOf(asked, last) },
  };
  const context = new ApiContext({ environment: 'sandbox', version: '0.1.0' }, deps);
  const [tcp, socket] = [createApi(context, { via: 'tcp' }), createApi(context, { via: 'socket' })];
  const ask = async (method: InjectMethod, target: string, body?: object, key?: string) => {
    const reply = await (key ? tcp : socket).inject({
      method,
      url: target,
      headers: { host: '127.0.0.1', ...(key ? { 'x-api-key': key } : {}) },
      ...(body ? { payload: body } : {}),
    });
    return { status: reply.statusCode, json: reply.json() };
  };
  return { asked, ask };
}

describe('what the pages of operations stand on', () => {
  it('is not in the OpenAPI document, signing in neither', async () => {
    const { ask } = opened();
    const { json } = await ask('GET', '/v2/openapi.json');
    expect(
      Object.keys(json.paths).filter((path) =>
        /session|sign-in|log$|doctor|series|virtual|console/.test(path),
      ),
    ).toEqual([]);
    expect(json.tags.map(({ name }: { name: string }) => name)).not.toContain('Pages');
  });

  it('is no matter for API keys, whatever their scopes are', async () => {
    const { ask } = opened();
    for (const path of [
      '/v2/log',
      '/v2/metrics/series',
      '/v2/doctor',
      '/v2/doctor/summary',
      '/v2/virtual-terminals',
    ])
      expect(await ask('GET', path, undefined, KEYS.full)).toMatchObject({
        status: 403,
        json: { error: { code: 'internal_only' } },
      });
  });

  it('gives log lines with their facts, also one that is no JSON, and refuses what it does not know', async () => {
    const { ask, asked } = opened();
    const { json } = await ask('GET', '/v2/log?level=warn&limit=7&starting_after=a-0');
    expect(json.data).toEqual([
      {
        id: 'a-1',
        level: 'info',
        at: '2026-01-01T00:00:00.000Z',
        message: 'reached',
        fields: { part: 'link' },
      },
      { id: 'a-2', level: 'error', at: null, message: 'not JSON', fields: {} },
    ]);
    expect(asked.log).toEqual([{ after: 'a-0', least: 'warn', limit: 7 }]);
    for (const query of [
      'level=loud',
      'limit=0',
      'limit=501',
      `starting_after=${'x'.repeat(65)}`,
      'file=/etc/passwd',
    ])
      expect((await ask('GET', `/v2/log?${query}`)).status, query).toBe(400);
  });

  it('begins every stretch of time at a whole hour', async () => {
    const { ask, asked } = opened();
    const { json } = await ask('GET', '/v2/metrics/series?window=7d');
    expect(json.data).toMatchObject({
      bucket_s: 21_600,
      payments: [{ succeeded: 1, median_ms: 5, slow_ms: 9 }],
    });
    expect((asked.since[0] ?? 1) % 21_600_000).toBe(0);
    expect((await ask('GET', '/v2/metrics/series?window=10y')).status).toBe(400);
  });

  it('examines when it is told so, and says how far it is', async () => {
    const { ask } = opened();
    expect(await ask('POST', '/v2/doctor')).toMatchObject({
      status: 202,
      json: { data: { state: 'running' } },
    });
    expect((await ask('GET', '/v2/doctor')).json.data).toMatchObject({ state: 'never', findings: [] });
  });

  it('says to other users which checks found something, and no more', async () => {
    const check = { what: '/var/lib/tilld/backup', why: 'it is old', fix: 'tillctl backup' };
    const { ask } = opened({
      ...{ ...NEVER, state: 'done', endedAt: 0 },
      findings: [
        { id: 'backup', level: 'warn', ...check },
        { id: 'clock', level: 'ok', ...check },
      ],
    });
    expect((await ask('GET', '/v2/doctor/summary')).json.data).toEqual({
      ...{ state: 'done', ended_at: '1970-01-01T00:00:00.000Z' },
      findings: [{ id: 'backup', level: 'warn' }],
    });
  });
});

describe('the virtual terminals for the pages', () => {
  it('do what a person at them does', async () => {
    const { ask, asked } = opened();
    const url = '/v2/virtual-terminals/counter%201';
    expect((await ask('POST', `${url}/keys`, { key: 'approve', card: 'visa' })).json.data).toMatchObject({
      screen: 'ready',
    });
    await ask('PATCH', url, { is_on: false });
    await ask('POST', `${url}/faults`, { fault: { when: 'result', do: 'cut' } });
    await ask('DELETE', `${url}/faults`);
    expect(asked.terminal).toEqual([
      ['press', 'approve', 'visa'],
      ['set', { isOn: false }],
      ['inject', { when: 'result', do: 'cut', ms: 1000, times: 1 }],
      ['forget'],
    ]);
  });

  it.each([
    ['another key', '/keys', { key: 'explode' }],
    ['no key', '/keys', {}],
    ['a fault that lasts for ever', '/faults', { fault: { when: 'result', do: 'cut', ms: 1e12 } }],
    ['a fault at no moment', '/faults', { fault: { when: 'later', do: 'cut' } }],
    ['a field more', '/keys', { key: 'approve', amount: 1 }],
  ])('refuse %s', async (_what, path, body) => {
    const { ask, asked } = opened();
    expect((await ask('POST', `/v2/virtual-terminals/counter%201${path}`, body)).status).toBe(400);
    expect(asked.terminal).toEqual([]);
  });

  it('say that one is not there', async () => {
    const { ask } = opened();
    expect(await ask('POST', '/v2/virtual-terminals/counter-9/keys', { key: 'abort' })).toMatchObject({
      status: 404,
      json: { error: { code: 'resource_not_found', param: 'name' } },
    });
  });
});
