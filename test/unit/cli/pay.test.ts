import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CreateTerminalPayment, type TerminalPayment } from '../../../src/api/contract/terminal-payment.ts';
import type { Io } from '../../../src/cli/io.ts';
import { type PayOptions, pay } from '../../../src/cli/verbs/pay.ts';
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

const CREATE = 'POST /v2/terminal-payments';
const GET = `GET /v2/terminal-payments/${PAYMENT_ID}`;

describe('tillctl pay', () => {
  let daemon: FakeDaemon;
  let now: TerminalPayment;
  beforeEach(async () => {
    now = payment();
    daemon = await new FakeDaemon()
      .on('GET /v2/terminal-devices', () => list([DEVICE]))
      .on(CREATE, () => one(now, 201))
      .on(GET, () => one(now))
      .start();
  });
  afterEach(() => daemon.remove());

  const words = (...more: string[]) => [
    '--socket',
    daemon.socket,
    'pay',
    '--device',
    'counter 1',
    '--amount',
    '12.34',
    ...more,
  ];
  const keys = () => daemon.requests(CREATE).map((seen) => seen.headers['idempotency-key']);

  it('sends one request that the contract allows, with a key, and ends 0 with what staff need to see', async () => {
    now = paid();
    const ran = await command(words('--reference', 'till 4'));
    const [request] = daemon.requests(CREATE);
    expect(CreateTerminalPayment.parse(request?.body)).toEqual({
      device_id: DEVICE.id,
      amount_minor: 1234,
      currency: 'EUR',
      reference: 'till 4',
    });
    expect(request?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(ran.exit).toBe(0);
    for (const word of [
      '12.34 EUR',
      'succeeded',
      'charged',
      '123456',
      '476173******0010',
      'visa',
      'contactless',
    ]) {
      expect(ran.out).toContain(word);
    }
    expect(ran.out).toContain('The customer has paid. Hand over the goods.');
    expect(ran.out).not.toContain('\u001B');
  });

  it('takes what is due of an invoice, by its number or its id', async () => {
    now = paid();
    const id = '0199c0de-0001-7000-8000-00000000000b';
    const data = [
      { id: '0199c0de-0001-7000-8000-00000000000c', number: 'A-10' },
      { id, number: 'A-1' },
    ];
    const invoices = { object: 'list', url: '/v2/invoices', data, has_more: false, fresh_at: null };
    daemon.on('GET /v2/invoices', () => ({ status: 200, body: invoices }));
    const asked = ['--socket', daemon.socket, 'pay', '--device', 'counter 1', '--invoice'];
    const ran = await command([...asked, 'a-1']);
    expect(ran.exit, ran.err).toBe(0);
    expect((await command([...asked, id.toUpperCase(), '--currency', 'CHF'])).exit).toBe(0);
    expect(daemon.requests(CREATE).map(({ body }) => body)).toEqual([
      { device_id: DEVICE.id, invoice_id: id },
      { device_id: DEVICE.id, invoice_id: id, currency: 'CHF' },
    ]);
    const none = await command([...asked, 'A-2', '--json']);
    expect(none.exit).toBe(2);
    expect(documentOf(none.out)).toMatchObject({ error: { message: expect.stringContaining('"A-2"') } });
    expect((await command(['--socket', daemon.socket, 'pay', '--device', 'counter 1'])).err).toContain(
      '--amount',
    );
    expect(daemon.requests(CREATE)).toHaveLength(2);
  });

  describe('of more than is usual', () => {
    const LARGE = ['--device', 'counter 1', '--amount', '1000.01'];
    const large = (...more: string[]) => ['--socket', daemon.socket, 'pay', ...LARGE, ...more];
    const asking = (answer: string): Partial<Io> => ({
      canAsk: true,
      input: Readable.from([Buffer.from(answer)]),
    });
    const usual = (at_most_minor: number | null) =>
      daemon.on(`GET /v2/terminal-devices/${DEVICE.id}/usual-amount`, () =>
        one({ object: 'usual_amount', device_id: DEVICE.id, currency: 'EUR', sales: 380, at_most_minor }),
      );

    beforeEach(() => {
      now = paid();
    });

    it('asks on a terminal, with what is usual there; only yes starts it', async () => {
      usual(8_400);
      const refused = await command(large(), asking('\n'));
      expect(refused.exit).toBe(1);
      expect(refused.err).toContain('1000.01 EUR on Counter 1 is more than usual');
      expect(refused.err).toContain('19 of 20 sales there are of 84.00 EUR or less');
      expect(refused.err).toContain('the customer was not charged');
      expect(daemon.requests(CREATE)).toEqual([]);
      expect((await command(large(), asking('y\n'))).exit).toBe(0);
      usual(null);
      const without = await command(large(), asking('yes\n'));
      expect(without.exit).toBe(0);
      expect(without.err).not.toContain('19 of 20');
      expect(daemon.requests(CREATE)).toHaveLength(2);
    });

    it('does not ask a script, nor behind --yes, nor about what is usual', async () => {
      usual(8_400);
      expect((await command(large())).exit).toBe(0);
      expect((await command(large('--yes'), asking('n\n'))).exit).toBe(0);
      const most = ['--socket', daemon.socket, 'pay', '--device', 'counter 1', '--amount', '1000.00'];
      expect((await command(most, asking('n\n'))).exit).toBe(0);
      expect(daemon.requests(CREATE)).toHaveLength(3);
    });

    it('asks about what is due of an invoice, less what was paid here', async () => {
      usual(null);
      const id = '0199c0de-0001-7000-8000-00000000000b';
      const due = (amount_due_minor: number) =>
        daemon.on(`GET /v2/invoices/${id}`, () =>
          one({ id, currency: 'EUR', amount_due_minor, open_payment_id: null, paid_here_minor: 1 }),
        );
      const invoice = ['--socket', daemon.socket, 'pay', '--device', 'counter 1', '--invoice', id];
      due(100_001);
      expect((await command(invoice, asking('n\n'))).exit).toBe(0);
      due(100_002);
      const asked = await command(invoice, asking('n\n'));
      expect([asked.exit, asked.err]).toEqual([1, expect.stringContaining('1000.01 EUR on Counter 1')]);
      expect(daemon.requests(CREATE)).toHaveLength(1);
    });

    it('ends at Ctrl-C in the question, before anything was started', async () => {
      usual(null);
      const input = new PassThrough();
      const running = start(large('--json'), { canAsk: true, input });
      await vi.waitFor(() => expect(running.err).toContain('[y/N]'), { timeout: 15_000 });
      running.interrupt();
      const ran = await running.ended;
      expect([ran.exit, input.destroyed]).toEqual([5, true]);
      expect(documentOf(ran.out)).toMatchObject({ error: { code: 'interrupted' } });
      expect(daemon.requests(CREATE)).toEqual([]);
    });
  });

  it('prints one JSON document, the body as it came, while texts of the terminal go to standard error', async () => {
    daemon.on(GET, () => ({ status: 200, body: { data: { ...now, added_later: 1 } } }));
    const running = start(words('--json'));
    await vi.waitFor(() => expect(daemon.listeners).toBe(1), { timeout: 15_000 });
    daemon.progress('Insert card');
    await vi.waitFor(() => expect(running.err).toContain('Insert card'), { timeout: 15_000 });
    now = paid();
    daemon.event(now);
    const ran = await running.ended;
    expect(documentOf(ran.out)).toEqual({ data: { ...now, added_later: 1 } });
    expect(ran.exit).toBe(0);
  });

  it.each(['declined', 'cancelled', 'error'] as const)('ends 1 when the outcome is %s', async (status) => {
    now = payment({ status, charged: 'no', message: 'The customer was not charged.' });
    const ran = await command(words('--json'));
    expect(ran.exit).toBe(1);
    expect(documentOf(ran.out)).toMatchObject({ data: { status } });
  });

  it('ends 1 with the refusal and what stands in the way when the daemon refuses', async () => {
    const refused = refusal(409, 'payment_already_open', 'A payment is open.', { payment_id: PAYMENT_ID });
    daemon.on(CREATE, () => refused);
    const json = await command(words('--json'));
    expect(json.exit).toBe(1);
    expect(documentOf(json.out)).toEqual(typeof refused === 'string' ? undefined : refused.body);
    const human = await command(words());
    expect(human.out).toBe('');
    expect(human.err).toContain(`payment_id: ${PAYMENT_ID}`);
  });

  it('prints a flat idempotency error in the envelope', async () => {
    const body = { error: 'Other request.', code: 'IDEMPOTENCY_KEY_MISMATCH', originalRequestId: 'req_1' };
    daemon.on(CREATE, () => ({ status: 422, body }));
    const ran = await command(words('--json', '--idempotency-key', 'k'));
    expect(ran.exit).toBe(1);
    expect(documentOf(ran.out)).toMatchObject({
      error: { type: 'idempotency_error', code: 'IDEMPOTENCY_KEY_MISMATCH' },
    });
  });

  it.each([
    ['1e3', 'EUR'],
    ['-1', 'EUR'],
    ['0', 'EUR'],
    ['0.00', 'EUR'],
    ['1.234', 'EUR'],
    ['1.5', 'JPY'],
    [' 1', 'EUR'],
    ['', 'EUR'],
    ['99999999999999999999', 'EUR'],
    ['NaN', 'EUR'],
  ])('refuses the amount "%s" in %s with exit 2 and sends nothing', async (amount, currency) => {
    daemon.on('GET /v2/terminal-devices', () => list([{ ...DEVICE, currency }]));
    const ran = await command([...words('--json'), '--amount', amount]);
    expect(ran.exit).toBe(2);
    expect(documentOf(ran.out)).toMatchObject({ error: { code: 'amount_invalid' } });
    expect(daemon.requests(CREATE)).toEqual([]);
  });

  it.each([
    ['--currency', 'EURO', /ISO 4217/],
    ['--after', 'seven', /--after must be the id/],
    ['--reference', 'a\u0007b', /--reference must be/],
    ['--idempotency-key', 'two words', /--idempotency-key/],
    ['--timeout', '-1', /whole number/],
  ])('refuses %s %s with exit 2 before the daemon is asked', async (option, value, expected) => {
    const ran = await command(words(option, value));
    expect(ran).toMatchObject({ exit: 2, out: '', err: expect.stringMatching(expected) });
    expect(daemon.seen).toEqual([]);
  });

  it('names the devices there are when the one that was asked for is unknown', async () => {
    const ran = await command([...words('--json'), '--device', 'Counter 9']);
    expect(ran.exit).toBe(1);
    expect(documentOf(ran.out)).toMatchObject({ error: { code: 'resource_not_found', param: 'device_id' } });
    expect(ran.err).toContain('"Counter 1"');
  });

  it('asks for the id when several devices have the name', async () => {
    const other = { ...DEVICE, id: '0199c0de-0000-7000-8000-000000000002', name: 'COUNTER 1' };
    daemon.on('GET /v2/terminal-devices', () => list([DEVICE, other]));
    const ran = await command(words());
    expect(ran.exit).toBe(2);
    expect(ran.err).toContain(other.id);
    expect(daemon.requests(CREATE)).toEqual([]);
  });

  it('--idempotency-key is the key that is sent', async () => {
    await command(words('--no-wait', '--idempotency-key', 'till-4/0815'));
    expect(keys()).toEqual(['till-4/0815']);
  });

  it("--no-wait under a key that was used before tells how the payment is now, not yesterday's answer", async () => {
    daemon.on(CREATE, () => one(payment({ status: 'requested' }), 201));
    now = paid();
    const ran = await command(words('--json', '--no-wait', '--idempotency-key', 'till-4/0815'));
    expect(documentOf(ran.out)).toMatchObject({ data: { status: 'succeeded' } });
  });

  it('--no-wait ends 0 as soon as the payment is accepted', async () => {
    const ran = await command(words('--json', '--no-wait'));
    expect(ran.exit).toBe(0);
    expect(documentOf(ran.out)).toMatchObject({ data: { status: 'in_progress' } });
    expect(daemon.requests(GET)).toEqual([]);
  });

  it('ends 4 at once when recovery has left the payment to a person', async () => {
    now = payment({ in_doubt: true, needs_person: true, in_doubt_since: '2026-05-01T10:00:00.000Z' });
    const ran = await command(words('--json'));
    expect(ran.exit).toBe(4);
    expect(documentOf(ran.out)).toMatchObject({ data: { in_doubt: true, charged: 'unknown' } });
    expect(ran.err).toContain('Do not take this payment again');
  });

  it('shows what to look for while a person must decide, and not any more once it is known', async () => {
    const look = { error_code: 'needs_person', error_message: 'Look for a sale of 12.34 EUR.' };
    now = payment({ in_doubt: true, needs_person: true, ...look });
    expect((await command(words())).out).toContain('Look for a sale of 12.34 EUR.');
    now = { ...paid(), ...look };
    expect((await command(words())).out).not.toContain('Look for');
  });

  it('ends 5 on Ctrl-C with the payment as it stands, and says that it goes on', async () => {
    const running = start(words('--json'));
    await vi.waitFor(() => expect(daemon.listeners).toBe(1), { timeout: 15_000 });
    running.interrupt();
    const ran = await running.ended;
    expect(ran.exit).toBe(5);
    expect(documentOf(ran.out)).toMatchObject({ data: { status: 'in_progress' } });
    expect(ran.err).toContain('interrupted, the payment goes on');
  });

  it('ends 5 on Ctrl-C while the create has no answer, and names the key that asks again', async () => {
    daemon.on(CREATE, () => 'hang');
    const running = start(words('--json', '--idempotency-key', 'key-1'));
    await vi.waitFor(() => expect(daemon.requests(CREATE)).toHaveLength(1), { timeout: 15_000 });
    running.interrupt();
    const ran = await running.ended;
    expect(ran.exit).toBe(5);
    expect(documentOf(ran.out)).toMatchObject({
      error: { code: 'interrupted', details: { idempotency_key: 'key-1' } },
    });
    expect(ran.err).toContain('may go on');
  });

  describe('over a restart of the daemon', () => {
    const hurried = { lookMs: 10, retryMs: 10, createMs: 300, longestMs: 5000 };
    const options: PayOptions = { device: 'Counter 1', amount: '12.34', wait: true, timeout: 5, json: true };
    async function payHurried(more: Partial<PayOptions> = {}, intervals = hurried) {
      const printed = { out: '', err: '' };
      const io: Io = {
        out: (text) => {
          printed.out += text;
        },
        err: (text) => {
          printed.err += text;
        },
        env: { TILLD_SOCKET: daemon.socket },
        cwd: '/',
        input: (async function* () {})(),
        onInterrupt: () => () => undefined,
      };
      const exit = await pay({ ...options, ...more }, io, intervals).catch((error: unknown) => error);
      return { exit, ...printed };
    }

    it('tries the create again with the same key until it is answered', async () => {
      const answers: Reply[] = ['destroy', refusal(503, 'shutting_down', 'Shutting down.'), 'destroy'];
      daemon.on(CREATE, () => answers.shift() ?? one(payment(), 201));
      now = paid();
      expect((await payHurried()).exit).toBe(0);
      expect(keys()).toHaveLength(4);
      expect(new Set(keys()).size).toBe(1);
    });

    it('says that the outcome is unknown when a create was sent and never answered', async () => {
      daemon.on(CREATE, () => 'destroy');
      const { exit } = await payHurried();
      expect(exit).toMatchObject({ code: 'OUTCOME_UNKNOWN', moneyMoved: 'unknown' });
    });

    it('says that no daemon is there when no create can have reached it', async () => {
      daemon.on('GET /v2/terminal-devices', () => {
        setImmediate(() => void daemon.stop());
        return list([DEVICE]);
      });
      const { exit } = await payHurried();
      expect(exit).toMatchObject({ code: 'NO_DAEMON' });
      expect(daemon.requests(CREATE)).toEqual([]);
    });

    it('waits for the daemon to come back and shows the outcome that recovery found', async () => {
      const going = payHurried();
      await vi.waitFor(() => expect(daemon.requests(GET).length).toBeGreaterThan(1), { timeout: 15_000 });
      await daemon.stop();
      now = paid();
      await daemon.start();
      const ran = await going;
      expect(ran.exit).toBe(0);
      expect(documentOf(ran.out)).toMatchObject({ data: { status: 'succeeded' } });
      expect(keys()).toHaveLength(1);
    });

    it('ends 4 when the outcome stays in doubt past the limit', async () => {
      now = payment({ in_doubt: true, in_doubt_since: '2026-05-01T10:00:00.000Z' });
      expect((await payHurried({ timeout: 0.05 })).exit).toBe(4);
    });

    it('ends 4 when the daemon stays away past the limit', async () => {
      daemon.on(GET, () => 'destroy');
      const ran = await payHurried({ timeout: 0.05 });
      expect(ran.exit).toBe(4);
      expect(ran.err).toContain('tilld does not answer');
    });

    it('looks again the moment the stream tells of this payment, however long the pause between looks', async () => {
      const going = payHurried({}, { ...hurried, lookMs: 3_600_000 });
      await vi.waitFor(() => expect(daemon.listeners).toBe(1), { timeout: 15_000 });
      now = paid();
      daemon.event(now);
      expect((await going).exit).toBe(0);
    });

    it('does not hold a long wait of the customer for a doubt', async () => {
      const going = payHurried({ timeout: 0.01 });
      await vi.waitFor(() => expect(daemon.requests(GET).length).toBeGreaterThan(10), { timeout: 15_000 });
      now = paid();
      expect((await going).exit).toBe(0);
    });
  });
});
