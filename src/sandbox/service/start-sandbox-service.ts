import type { FastifyInstance } from 'fastify';
import { AppError, messageOf } from '../../base/errors.ts';
import { ApiKeys } from './api-keys.ts';
import { BehaviourSwitch } from './behaviour.ts';
import { SandboxControl } from './control.ts';
import { Events } from './events.ts';
import { httpServer } from './http-server.ts';
import { IdempotencyKeys } from './idempotency.ts';
import { ImportedRecords } from './imported-records.ts';
import { Integrations } from './integrations.ts';
import { KeyService } from './key-service.ts';
import { Ledger } from './ledger.ts';
import { Merchant } from './merchant.ts';
import { operationsOf } from './operations.ts';
import { Payments } from './payments.ts';
import { RateLimit } from './rate-limit.ts';
import { RequestPipeline } from './request-pipeline.ts';
import { ServiceClock } from './service-clock.ts';
import type { SandboxDeps, SandboxSettings } from './settings.ts';
import { WebhookDeliveries } from './webhook-deliveries.ts';
import { WebhookEndpoints } from './webhook-endpoints.ts';

/** A running sandbox service. */
export interface SandboxService {
  /** `http://HOST:PORT`, no trailing slash; the interface is below `/v2`, the control routes below `/sandbox`. */
  readonly url: string;
  readonly control: SandboxControl;
  /** Destroys connections, ends timers; may be called twice. The state is already stored. */
  stop(): Promise<void>;
}

/**
 * Starts the sandbox service with the stored state.
 * @throws SANDBOX_LISTEN_FAILED when the address is taken, SANDBOX_MEMORY_UNREADABLE when the memory is not a ledger.
 */
export async function startSandboxService(
  settings: SandboxSettings,
  deps: SandboxDeps,
): Promise<SandboxService> {
  const stopping = new AbortController();
  const { app, control, deliveries } = createService(settings, deps, stopping.signal);
  const url = await listen(app, settings.listen);
  deliveries.start();
  deps.log.info({ url }, 'sandbox service listens');
  return {
    url,
    control,
    stop: async () => {
      stopping.abort(new Error('the sandbox service stops'));
      deliveries.stop();
      await app.close();
    },
  };
}

/** The service with its stored state, before it listens. */
function createService(settings: SandboxSettings, deps: SandboxDeps, stopping: AbortSignal) {
  const { ids, log, memory, terminals } = deps;
  const behaviour = new BehaviourSwitch();
  const clock = new ServiceClock(deps.clock, () => behaviour.now.clock_skew_ms);
  const ledger = new Ledger(memory);
  ledger.load();
  const deliveries = new WebhookDeliveries(ledger, clock, ids, log, behaviour);
  const events = new Events(ledger, clock, ids, (event) => deliveries.enqueue(event));
  const payments = new Payments({ settings, ledger, events, clock, ids, behaviour });
  const endpoints = new WebhookEndpoints(ledger, clock, ids, settings.refusesUnknownFields);
  const integrations = new Integrations(ledger, clock, settings.refusesUnknownFields);
  const merchant = new Merchant(settings, ids, ledger, new ImportedRecords(ledger, ids, clock, settings));
  const keys = new ApiKeys(ledger, clock, ids);
  keys.configure(settings.keys);
  const pipeline = new RequestPipeline({
    keys,
    clock,
    rateLimit: new RateLimit(settings.plan, clock),
    idempotency: new IdempotencyKeys(ledger, clock),
    ledger,
    payments,
    behaviour,
    stopping,
  });
  const keyService = new KeyService(keys, ledger, clock);
  const control = new SandboxControl({
    settings,
    terminals,
    ledger,
    payments,
    behaviour,
    clock,
    keys: keyService,
  });
  const operations = operationsOf({
    settings,
    payments,
    events,
    endpoints,
    deliveries,
    integrations,
    merchant,
    behaviour,
  });
  const app = httpServer({ operations, pipeline, control, behaviour, clock, ids, log });
  return { app, control, deliveries };
}

async function listen(app: FastifyInstance, { host, port }: SandboxSettings['listen']): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    throw new AppError(
      'SANDBOX_LISTEN_FAILED',
      `the sandbox service cannot listen on ${host}:${port}: ${messageOf(cause)}`,
      {
        context: { host, port },
        cause,
      },
    );
  }
  const address = app.server.address();
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${typeof address === 'object' && address ? address.port : port}`;
}
