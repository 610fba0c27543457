import Fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Clock, Timer } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Memory } from '../controllable-terminal.ts';
import { type ProviderRecord, type RecordedPayment, shopData, withPayments } from './shop-data.ts';

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

const Payment = z.object({
  id: z.string(),
  invoice_id: z.string(),
  external_id: z.string(),
  amount: z.string(),
  at: z.int(),
});
const Stored = z.object({
  begun: z.int(),
  changes: z.array(z.int()).max(MOST_CHANGES),
  payments: z.array(Payment).default([]),
});
const NewPayment = z.strictObject({
  external_id: z.string().min(1).max(64),
  amount: z.string().regex(/^\d{1,9}\.\d{2}$/, 'must be a decimal with two places'),
  paid_at: z.iso.datetime({ offset: true }).optional(),
});
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
  const state = stored(memory, clock.now());
  const { begun, changes, payments } = state;
  let lists = shopData(begun, changes);
  const save = () => memory.save(JSON.stringify(state));
  const app = server(key, {
    listOf: (list) =>
      list === 'invoices' ? lists.invoices.map((one) => withPayments(one, payments)) : lists[list],
    paymentsOf: (id) => payments.filter(({ invoice_id: invoice }) => invoice === id),
    pay: (invoiceId, asked) => {
      const { external_id, amount } = asked;
      const id = `Z-${payments.length + 1}`;
      const payment = { id, invoice_id: invoiceId, external_id, amount, at: clock.now() };
      payments.push(payment);
      save();
      return payment;
    },
  });
  let timer: Timer | null = null;
  const change = () => {
    changes.push(clock.now());
    lists = shopData(begun, changes);
    save();
    next();
  };
  const next = () => {
    timer = changes.length < MOST_CHANGES ? clock.timer('sandbox provider', CHANGE_MS, change) : null;
  };
  save();
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

function stored(memory: Memory, now: number): z.infer<typeof Stored> {
  const text = memory.load();
  if (text === null || text === '') return { begun: now, changes: [], payments: [] };
  try {
    return Stored.parse(JSON.parse(text));
  } catch (cause) {
    const words = "the sandbox provider's memory cannot be read: delete it to start with a new one";
    throw new AppError('SANDBOX_MEMORY_UNREADABLE', words, { cause });
  }
}

interface Shop {
  listOf(list: 'customers' | 'products' | 'invoices'): readonly ProviderRecord[];
  paymentsOf(invoiceId: string): readonly RecordedPayment[];
  pay(invoiceId: string, asked: z.infer<typeof NewPayment>): RecordedPayment;
}

function server(key: string, { listOf, paymentsOf, pay }: Shop): FastifyInstance {
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
  const path = '/v1/invoices/:id/payments';
  app.get<{ Params: { id: string } }>(path, async ({ params }) => ({ data: paymentsOf(params.id) }));
  app.post<{ Params: { id: string } }>(path, async ({ params, body }, reply) => {
    if (!listOf('invoices').some(({ id }) => id === params.id))
      return reply.code(404).send({ error: 'There is no such invoice.' });
    const asked = NewPayment.safeParse(body);
    if (!asked.success) return reply.code(422).send({ error: z.prettifyError(asked.error) });
    return reply.code(201).send(pay(params.id, asked.data));
  });
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
