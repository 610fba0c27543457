import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RefundTerminalPayment, type TerminalPayment } from '../../../src/api/contract/terminal-payment.ts';
import type { Io } from '../../../src/cli/io.ts';
import { refund } from '../../../src/cli/verbs/refund.ts';
import { command, documentOf, start } from './command-line.ts';
import {
  DEVICE,
  FakeDaemon,
  list,
  one,
  PAYMENT_ID,
  paid,
  payment,
  type Reply,
  refusal,
} from './fake-daemon.ts';

const CHILD_ID = '0199c0de-0000-7000-8000-0000000000bb';
const PARENT = `/v2/terminal-payments/${PAYMENT_ID}`;
const REFUND = `POST ${PARENT}/refund`;
const VOID = `POST ${PARENT}/void`;
const GET = `GET /v2/terminal-payments/${CHILD_ID}`;

function child(more: Partial<TerminalPayment> = {}): TerminalPayment {
  return payment({ id: CHILD_ID, type: 'refund', parent_id: PAYMENT_ID, message: 'Wait.', ...more });
}

describe('tillctl refund and void', () => {
  let daemon: FakeDaemon;
  let now: TerminalPayment;
  beforeEach(async () => {
    now = child();
    daemon = await new FakeDaemon()
      .on(`GET ${PARENT}`, () => one(paid()))
      .on(REFUND, () => one(now, 201))
      .on(VOID, () => one(now, 201))
      .on(GET, () => one(now))
      .start();
  });
  afterEach(() => daemon.remove());

  const words = (verb: string, ...more: string[]) => ['--socket', daemon.socket, verb, PAYMENT_ID, ...more];
  const done = () =>
    child({ status: 'succeeded', charged: 'yes', message: '12.34 EUR WAS given back to the customer.' });

  it.each([
    ['refund', [], {}],
    ['refund', ['--amount', '5'], { amount_minor: 500 }],
    ['refund', ['--amount', '5,50', '--after', CHILD_ID], { amount_minor: 550, after: CHILD_ID }],
  ])(
    '%s %o sends one request with a key, and ends 0 when the money was given back',
    async (verb, more, body) => {
      now = done();
      const ran = await command(words(verb, ...more));
      expect(ran.exit).toBe(0);
      const requests = daemon.requests(REFUND);
      expect(RefundTerminalPayment.parse(requests[0]?.body)).toEqual(body);
      expect(requests).toHaveLength(1);
      expect(requests[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
      for (const word of [
        'Refund of 12.34 EUR: Given back 12.34 EUR.',
        'given back',
        PAYMENT_ID,
        'WAS given back',
      ])
        expect(ran.out).toContain(word);
    },
  );

  it('void sends one empty request with a key, asks nothing before, and follows to the outcome', async () => {
    now = child({ type: 'void', status: 'in_progress' });
    const running = start(words('void', '--json'));
    await vi.waitFor(() => expect(daemon.listeners).toBe(1), { timeout: 15_000 });
    now = { ...done(), type: 'void' };
    daemon.event(now);
    const ran = await running.ended;
    expect(ran.exit).toBe(0);
    expect(documentOf(ran.out)).toEqual({ data: now });
    expect(daemon.requests(VOID).map(({ body }) => body)).toEqual([{}]);
    expect(daemon.seen[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('reads the amount in the currency of the payment', async () => {
    daemon.on(`GET ${PARENT}`, () => one({ ...paid(), currency: 'JPY' }));
    await command(words('refund', '--amount', '500', '--no-wait'));
    expect(daemon.requests(REFUND)[0]?.body).toEqual({ amount_minor: 500 });
    const ran = await command(words('refund', '--amount', '5.5', '--json'));
    expect(ran.exit).toBe(2);
    expect(documentOf(ran.out)).toMatchObject({ error: { code: 'amount_invalid' } });
    expect(daemon.requests(REFUND)).toHaveLength(1);
  });

  it.each([
    ['an amount that is none', ['refund', PAYMENT_ID, '--amount', '1e3']],
    ['amount 0', ['refund', PAYMENT_ID, '--amount', '0']],
    ['an id that is none', ['refund', 'yesterday']],
    ['an id of a void that is none', ['void', 'yesterday']],
    ['an `after` that is none', ['refund', PAYMENT_ID, '--after', 'yesterday']],
    ['a key with a blank', ['void', PAYMENT_ID, '--idempotency-key', 'two words']],
    ['an amount for a void', ['void', PAYMENT_ID, '--amount', '5']],
  ])('%s ends 2 and asks nothing', async (_what, argv) => {
    const ran = await command(['--json', '--socket', daemon.socket, ...argv]);
    expect(ran.exit).toBe(2);
    expect(daemon.seen).toEqual([]);
  });

  it.each(['declined', 'cancelled', 'error'] as const)('ends 1 when the outcome is %s', async (status) => {
    now = child({ status, charged: 'no', message: 'No money was given back.' });
    for (const verb of ['refund', 'void']) expect((await command(words(verb))).exit).toBe(1);
  });

  it('ends 1 with the refusal and what to do instead', async () => {
    const refused = refusal(422, 'void_not_possible', 'The batch is closed.', { instead: 'refund' });
    daemon.on(VOID, () => refused);
    const ran = await command(words('void', '--json'));
    expect(ran.exit).toBe(1);
    expect(documentOf(ran.out)).toMatchObject({ error: { code: 'void_not_possible' } });
    expect(ran.err).toContain('instead: refund');
  });

  it('ends 1 for a payment that nobody knows, and gives nothing back', async () => {
    daemon.on(`GET ${PARENT}`, () => refusal(404, 'resource_not_found', 'There is no such payment here'));
    expect((await command(words('refund', '--json'))).exit).toBe(1);
    expect(daemon.requests(REFUND)).toEqual([]);
  });

  it('--no-wait ends 0 as soon as it is accepted', async () => {
    expect((await command(words('refund', '--no-wait'))).exit).toBe(0);
    expect((await command(words('void', '--no-wait'))).exit).toBe(0);
    expect(daemon.requests(GET)).toEqual([]);
  });

  it('ends 4 when a person must decide, and says that it is not to be given back again', async () => {
    now = child({ in_doubt: true, needs_person: true });
    const ran = await command(words('refund'));
    expect(ran.exit).toBe(4);
    expect(ran.err).toMatch(
      /not known yet whether money was given back\. .*Do not give this money back again/,
    );
  });

  it('ends 5 on Ctrl-C, and says that it goes on', async () => {
    const running = start(words('void', '--json'));
    await vi.waitFor(() => expect(daemon.listeners).toBe(1), { timeout: 15_000 });
    running.interrupt();
    const ran = await running.ended;
    expect(ran.exit).toBe(5);
    expect(ran.err).toContain('interrupted, the refund goes on');
  });

  it('asks again with the same key over a restart: money is never given back twice', async () => {
    const answers: Reply[] = ['destroy', refusal(503, 'shutting_down', 'Shutting down.')];
    daemon.on(REFUND, () => answers.shift() ?? one(done(), 201));
    const io: Io = {
      out: () => undefined,
      err: () => undefined,
      env: { TILLD_SOCKET: daemon.socket },
      cwd: '/',
      input: (async function* () {})(),
      onInterrupt: () => () => undefined,
    };
    const intervals = { lookMs: 10, retryMs: 10, createMs: 5000, longestMs: 5000 };
    expect(await refund({ id: PAYMENT_ID, wait: false, timeout: 5 }, io, intervals)).toBe(0);
    const keys = daemon.requests(REFUND).map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });
});

describe('a sale of which only a part was approved', () => {
  it('is shown as partly paid and ends 1: it is not paid', async () => {
    const part = {
      ...paid(),
      approved_amount_minor: 500,
      message: 'PARTLY paid: 5.00 EUR of 12.34 EUR.',
      needs_person: true,
      tasks: [{ id: CHILD_ID, kind: 'partial_approval', message: 'Take the rest or refund.' }],
    };
    const daemon = await new FakeDaemon()
      .on('GET /v2/terminal-payments', () => ({
        status: 200,
        body: { object: 'list', data: [part], has_more: false, url: '/x' },
      }))
      .on('GET /v2/terminal-devices', () => list([DEVICE]))
      .on(REFUND, () => one(part, 201))
      .on(`GET ${PARENT}`, () => one(part))
      .start();
    const listed = await command(['--socket', daemon.socket, 'payments']);
    expect(listed.out).toContain('PARTLY PAID');
    const ran = await command(['--socket', daemon.socket, 'refund', PAYMENT_ID]);
    expect(ran.exit).toBe(1);
    for (const word of ['PARTLY paid: 5.00 EUR of 12.34 EUR.', `task-done ${CHILD_ID}`])
      expect(ran.out).toContain(word);
    await daemon.remove();
  });
});
