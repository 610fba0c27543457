import Fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Clock, Timer } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Memory } from '../controllable-terminal.ts';
import { type ProviderRecord, shopData } from './shop-data.ts';

/** How often something changes. */
const CHANGE_MS = 20_000;
/** After so many changes it rests: what is stored stays small. */
const MOST_CHANGES = 3_000;

export interface ProviderSettings {
  readonly listen: { readonly host: string; readonly port: number };
  /** The only bearer key that it accepts. */
  readonly key: string;
}

export interface ProviderDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly memory: Memory;
}

/** A running provider. */
export interface SandboxProvider {
  /** `http://HOST:PORT/v1`, no trailing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

const Stored = z.object({ begun: z.int(), changes: z.array(z.int()).max(MOST_CHANGES) });
const Asked = z.object({
  page: z.coerce.number().int().min(1).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(50),
  changed_since: z.iso.datetime({ offset: true }).optional(),
});

/**
 * Starts a friendly provider of customers, products and invoices, which changes something every 20 s: what `provider_a` of the demo reads.
 * @throws SANDBOX_LISTEN_FAILED when the address is taken, SANDBOX_MEMORY_UNREADABLE when the memory is not its own.
 */
export async function startSandboxProvider(
  { listen, key }: ProviderSettings,
  { clock, log, memory }: ProviderDeps,
): Promise<SandboxProvider> {
  const { begun, changes } = stored(memory, clock.now());
  let lists = shopData(begun, changes);
  const app = server(key, (list) => lists[list]);
  let timer: Timer | null = null;
  const change = () => {
    changes.push(clock.now());
    lists = shopData(begun, changes);
    memory.save(JSON.stringify({ begun, changes }));
    next();
  };
  const next = () => {
    timer = changes.length < MOST_CHANGES ? clock.timer('sandbox provider', CHANGE_MS, change) : null;
  };
  memory.save(JSON.stringify({ begun, changes }));
  const url = await listening(app, listen);
  next();
  log.info({ url }, 'sandbox provider listens');
  return {
    url,
    stop: async () => {
      timer?.stop();
      await app.close();
    },
  };
}

function stored(memory: Memory, now: number): { readonly begun: number; readonly changes: number[] } {
  const text = memory.load();
  if (text === null || text === '') return { begun: now, changes: [] };
  try {
    return Stored.parse(JSON.parse(text));
  } catch (cause) {
    const words = "the sandbox provider's memory cannot be read: delete it to start with a new one";
    throw new AppError('SANDBOX_MEMORY_UNREADABLE', words, { cause });
  }
}

function server(
  key: string,
  listOf: (list: 'customers' | 'products' | 'invoices') => readonly ProviderRecord[],
): FastifyInstance {
  const app = Fastify({ logger: false, exposeHeadRoutes: false, forceCloseConnections: true });
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization !== `Bearer ${key}`)
      return reply.code(401).send({ error: 'This key is not known here.' });
  });
  for (const list of ['customers', 'products', 'invoices'] as const) {
    app.get(`/v1/${list}`, async (request, reply) => {
      const asked = Asked.safeParse(request.query);
      if (!asked.success) return reply.code(400).send({ error: z.prettifyError(asked.error) });
      return pageOf(listOf(list), asked.data);
    });
    app.get<{ Params: { id: string } }>(`/v1/${list}/:id`, async ({ params }, reply) => {
      const found = listOf(list).find(({ id }) => id === params.id);
      return found ?? reply.code(404).send({ error: 'There is no such record.' });
    });
  }
  return app;
}

/** In the order of the ids, which no change affects. */
function pageOf(
  all: readonly ProviderRecord[],
  { page, per_page: size, changed_since: since }: z.infer<typeof Asked>,
) {
  const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
  const wanted = all.filter(({ changed_at }) => Date.parse(changed_at) >= from);
  const pages = Math.ceil(wanted.length / size);
  return { data: wanted.slice((page - 1) * size, page * size), page, pages, total: wanted.length };
}

async function listening(app: FastifyInstance, { host, port }: ProviderSettings['listen']): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    throw new AppError(
      'SANDBOX_LISTEN_FAILED',
      `the sandbox provider cannot listen on ${host}:${port}: ${messageOf(cause)}`,
      { context: { host, port }, cause },
    );
  }
  const address = app.server.address();
  return `http://${host}:${typeof address === 'object' && address ? address.port : port}/v1`;
}
