import { silentLog } from '../../../../src/base/log.ts';
import { systemIds } from '../../../../src/runtime/system-ids.ts';
import type { ControllableTerminal, Memory } from '../../../../src/sandbox/controllable-terminal.ts';
import type { SandboxSettings } from '../../../../src/sandbox/service/settings.ts';
import {
  type SandboxService,
  startSandboxService,
} from '../../../../src/sandbox/service/start-sandbox-service.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';

export const KEY = 'rk_sandbox_full';
export const DEVICE = '0198a000-0000-7000-8000-000000000001';
export const OTHER_DEVICE = '0198a000-0000-7000-8000-000000000002';
export const OUR_ID = '0198b000-0000-7000-8000-000000000001';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON it expects and fails when it is not there
  readonly body: any;
}

export interface Asking {
  readonly body?: unknown;
  /** Null: none. */
  readonly key?: string | null;
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface AtWork {
  readonly service: SandboxService;
  readonly clock: VirtualClock;
  readonly memory: Memory;
  ask(method: string, path: string, asking?: Asking): Promise<Reply>;
  create(over?: Readonly<Record<string, unknown>>, idempotencyKey?: string): Promise<Reply>;
  ledgerLine(id: string): ReturnType<SandboxService['control']['ledger']>[number] | undefined;
}

export function textMemory(): Memory {
  let text: string | null = null;
  return {
    load: () => text,
    save: (next) => {
      text = next;
    },
  };
}

export const SETTINGS: SandboxSettings = {
  listen: { host: '127.0.0.1', port: 0 },
  keys: [{ key: KEY, scopes: ['payments:read', 'payments:write', 'webhooks:read', 'webhooks:write'] }],
  devices: [
    { id: DEVICE, name: 'Counter 1', terminalSerial: '17FD1E3C' },
    { id: OTHER_DEVICE, name: 'Counter 2' },
  ],
  plan: 'enterprise',
  honoursOurId: true,
  keepsMetadata: true,
  refusesUnknownFields: true,
  hasClaim: true,
};

/** Runs `scenario` against a sandbox service on a free loopback port, and stops it. */
export async function withSandbox(
  scenario: (at: AtWork) => Promise<void>,
  settings: Partial<SandboxSettings> = {},
  world: {
    readonly clock?: VirtualClock;
    readonly memory?: Memory;
    readonly terminals?: readonly ControllableTerminal[];
  } = {},
): Promise<void> {
  const { clock = new VirtualClock(), memory = textMemory(), terminals = [] } = world;
  const service = await startSandboxService(
    { ...SETTINGS, ...settings },
    { clock, ids: systemIds, log: silentLog, memory, terminals },
  );
  const ask = (method: string, path: string, asking: Asking = {}) =>
    request(service.url + path, method, asking);
  try {
    await scenario({
      service,
      clock,
      memory,
      ask,
      create: (over = {}, idempotencyKey) =>
        ask('POST', '/v2/terminal-payments', {
          body: { device_id: DEVICE, amount_minor: 1234, currency: 'EUR', ...over },
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        }),
      ledgerLine: (id) => service.control.ledger().find((line) => line['id'] === id),
    });
  } finally {
    await service.stop();
  }
}

async function request(url: string, method: string, asking: Asking): Promise<Reply> {
  const { body, key = KEY, idempotencyKey, headers = {} } = asking;
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === null ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}
