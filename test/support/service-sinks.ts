import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Clock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Integration, Mapping } from '../../src/integration/integration.ts';
import { createHttpClient, type HttpClient } from '../../src/net/http-client.ts';
import { Budget } from '../../src/outbox/budget.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { systemIds } from '../../src/runtime/system-ids.ts';
import type { SandboxSettings } from '../../src/sandbox/service/settings.ts';
import { type SandboxService, startSandboxService } from '../../src/sandbox/service/start-sandbox-service.ts';
import { type SyncAnswer, SyncLine } from '../../src/service/sync-line.ts';
import { createServiceSink, type ServiceSink } from '../../src/service/sync-sink/service-sink.ts';

export const SERVICE_KEY = 'rk_sandbox_of_the_sinks';
const AREAS = ['customers', 'products', 'invoices', 'settings', 'payments'];

/** Any list of the service. */
export const RECORDS = z.object({ data: z.array(z.record(z.string(), z.unknown())) });

/** What a list of the service holds. */
export function allOf({ answer }: SyncAnswer<z.infer<typeof RECORDS>>): readonly Record<string, unknown>[] {
  if (answer.kind !== 'applied') throw new Error(`no list: ${answer.kind}`);
  return answer.value.data;
}

/** Fifty times as fast as ours: what waits seconds waits moments. */
export const HASTY: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic() * 50,
  timer: (name, ms, fn) => systemClock.timer(name, ms / 50, fn),
};

/** What was asked of the service, and what it answered. */
export interface Exchange {
  readonly line: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON it expects and fails when it is not there
  readonly sent: any;
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly got: any;
}

export interface ServiceAtWork {
  readonly service: SandboxService;
  readonly line: SyncLine;
  readonly exchanges: readonly Exchange[];
  /** Whether a request must be answered with nothing, once it was done. */
  sink(integration: Integration, resource: string, mappings?: () => readonly Mapping[]): ServiceSink;
}

/** The sandbox service over a real socket, and the line of the syncs to it; all of it ends with the test. */
export async function aService(settings: Partial<SandboxSettings> = {}): Promise<ServiceAtWork> {
  const service = await startSandboxService(
    {
      listen: { host: '127.0.0.1', port: 0 },
      keys: [{ key: SERVICE_KEY, scopes: AREAS.flatMap((area) => [`${area}:read`, `${area}:write`]) }],
      devices: [],
      plan: 'unlimited',
      honoursOurId: true,
      keepsMetadata: true,
      refusesUnknownFields: true,
      hasClaim: true,
      catalogue: { invoices: 3, entitlements: 2 },
      ...settings,
    },
    {
      clock: systemClock,
      ids: systemIds,
      log: silentLog,
      memory: { load: () => null, save: () => undefined },
      terminals: [],
    },
  );
  const exchanges: Exchange[] = [];
  const http = createHttpClient({ baseUrl: `${service.url}/v2`, log: silentLog, retry: { retries: 0 } });
  const line = new SyncLine({
    connect: () => watched(http, exchanges),
    credential: () => SERVICE_KEY,
    budget: new Budget(HASTY, { perMinute: 6_000, burst: 200 }),
    clock: HASTY,
    listener: { answered: () => undefined, failed: () => undefined },
  });
  onTestFinished(async () => {
    await line.close();
    await service.stop();
  });
  const now = () => systemClock.now();
  return {
    service,
    line,
    exchanges,
    sink: (provider, resource, mappings = () => []) =>
      createServiceSink({ line, integration: () => provider, resource, mappings, ids: systemIds, now }),
  };
}

function watched(http: HttpClient, exchanges: Exchange[]): HttpClient {
  return {
    request: async (request) => {
      const line = `${request.method} ${request.path}`;
      const sent = request.body === undefined ? null : JSON.parse(request.body);
      try {
        const reply = await http.request(request);
        exchanges.push({ line, sent, status: reply.status, got: jsonIn(reply.text) });
        return reply;
      } catch (error) {
        exchanges.push({ line, sent, status: 0, got: null });
        throw error;
      }
    },
    close: () => http.close(),
  };
}

/** Null: there is none. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function anIntegration(more: Partial<Integration> = {}): Integration {
  return {
    id: '0199c0de-0a11-7000-8000-000000000001',
    name: 'provider_a',
    isActive: true,
    isEnabled: true,
    autoSend: false,
    lookbackDays: 90,
    mappingMode: 'import_only',
    requiresMappings: false,
    managedBy: 'local',
    pausedFor: null,
    pausedAt: null,
    sealedCredentials: null,
    sealedWebhookSecrets: null,
    updatedAt: 0,
    ...more,
  };
}

export function aMapping(externalId: string, internalId: string | null, isIgnored = false): Mapping {
  return { externalId, internalId, isIgnored, metadata: '{}' };
}
