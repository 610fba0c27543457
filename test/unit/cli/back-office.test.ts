import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ReconciledLine } from '../../../src/api/contract/terminal-reconciliation.ts';
import { TerminalReprint } from '../../../src/api/contract/terminal-reprint.ts';
import { RequestEndOfDay, type TerminalSettlement } from '../../../src/api/contract/terminal-settlement.ts';
import { command, documentOf, start } from './command-line.ts';
import {
  AT,
  DEVICE,
  FakeDaemon,
  list,
  one,
  PAYMENT_ID,
  payment,
  reconciliation,
  refusal,
  SETTLEMENT_ID,
  settlement,
  TASK_ID,
  task,
} from './fake-daemon.ts';

const PLACE = `/v2/terminal-devices/${DEVICE.id}`;
const CLOSE = `POST ${PLACE}/end-of-day`;
const RECONCILE = `POST ${PLACE}/reconcile`;
const REPRINT = `POST ${PLACE}/reprint`;
const ADOPT = `POST ${PLACE}/adopt`;
const GET = `GET /v2/terminal-settlements/${SETTLEMENT_ID}`;
const DONE = `POST /v2/terminal-tasks/${TASK_ID}/done`;

let daemon: FakeDaemon;
let now: TerminalSettlement;
beforeEach(async () => {
  now = settlement();
  daemon = await new FakeDaemon()
    .on('GET /v2/terminal-devices', () => list([DEVICE]))
    .on(CLOSE, () => one(now, 202))
    .on(GET, () => one(now))
    .on(RECONCILE, () => one(reconciliation()))
    .on(ADOPT, () => one(DEVICE))
    .on('GET /v2/terminal-tasks', () => list([task()]))
    .on(DONE, () => one(task({ done: { by: 'Anna', note: 'refunded', at: AT } })))
    .start();
});
afterEach(() => daemon.remove());

const tillctl = (...words: string[]) => command(['--socket', daemon.socket, ...words]);

describe('tillctl end-of-day', () => {
  const closed = (more: Partial<TerminalSettlement> = {}) =>
    settlement({
      status: 'succeeded',
      completed_at: AT,
      differs: false,
      comparison: {
        verdict: 'agrees',
        lines: [
          { what: 'sum', scheme: null, terminal: 2468, ours: 2468, difference: 0 },
          { what: 'scheme', scheme: 'Visa', terminal: 2000, ours: 2468, difference: -468 },
        ],
      },
      totals: {
        count: 2,
        amount_minor: 2468,
        currency: 'EUR',
        first_number: null,
        last_number: null,
        by_scheme: [],
      },
      receipts: { merchant: 'TOTALS\n2 x 24,68', customer: null },
      message: 'The day is closed. An end of day charges no customer.',
      ...more,
    });

  it.each([DEVICE.id, 'counter 1'])(
    'follows the settlement of %s to its end and shows both sums',
    async (device) => {
      const running = start(['--socket', daemon.socket, 'end-of-day', device]);
      await vi.waitFor(() => expect(daemon.listeners).toBe(1), { timeout: 15_000 });
      daemon.progress('Kassenschnitt');
      await vi.waitFor(() => expect(running.err).toContain('Kassenschnitt'), { timeout: 15_000 });
      now = closed();
      daemon.event(now);
      const ran = await running.ended;
      expect(ran.exit).toBe(0);
      expect(ran.out).not.toContain(DEVICE.id);
      for (const word of [
        'The end of day is closed.',
        DEVICE.name,
        '2 transactions, 24.68 EUR',
        '2 sales of 24.68 EUR',
        'sums agree      yes',
        'Visa  20.00 EUR  24.68 EUR  -4.68 EUR',
        '| TOTALS',
        'charges no customer',
      ])
        expect(ran.out).toContain(word);
      expect(daemon.requests(CLOSE).map(({ body }) => body)).toEqual([{}]);
    },
  );

  it.each([
    ['succeeded', 0],
    ['refused', 1],
    ['cancelled', 1],
    ['unknown', 4],
  ] as const)('%s ends %i with one document', async (status, exit) => {
    now = settlement({ status });
    const ran = await tillctl('end-of-day', 'Counter 1', '--json');
    expect(ran.exit).toBe(exit);
    expect(documentOf(ran.out)).toEqual({ data: now });
  });

  it('a closed day whose sums differ ends 1, as a reconciliation does', async () => {
    now = closed({ differs: true, comparison: { verdict: 'differs', lines: [] } });
    const ran = await tillctl('end-of-day', 'Counter 1');
    expect([ran.exit, ran.out]).toEqual([1, expect.stringMatching(/is closed[\s\S]*sums agree +NO/)]);
  });

  it('--no-wait ends 0 as soon as it is accepted', async () => {
    expect((await tillctl('end-of-day', 'Counter 1', '--no-wait')).exit).toBe(0);
    expect(daemon.requests(GET)).toEqual([]);
  });

  it('--force names who decides and why', async () => {
    now = closed({ forced: { by: 'Anna', reason: 'shop closes' } });
    const ran = await tillctl(
      'end-of-day',
      'Counter 1',
      '--force',
      '--by',
      'Anna',
      '--reason',
      'shop closes',
    );
    expect(RequestEndOfDay.parse(daemon.requests(CLOSE)[0]?.body)).toEqual({
      force: { by: 'Anna', reason: 'shop closes' },
    });
    expect(ran.out).toContain('Anna: shop closes');
  });

  it.each([
    ['--force without a name', ['--force', '--reason', 'x']],
    ['--force without a reason', ['--force', '--by', 'Anna']],
    ['--force with an empty name', ['--force', '--by', ' ', '--reason', 'x']],
    ['a name without --force', ['--by', 'Anna']],
  ])('%s ends 2 and asks nothing', async (_what, words) => {
    const ran = await tillctl('--json', 'end-of-day', 'Counter 1', ...words);
    expect(ran.exit).toBe(2);
    expect(documentOf(ran.out)).toMatchObject({ error: { code: 'usage' } });
    expect(daemon.seen).toEqual([]);
  });

  it('a doubt that blocks it ends 1 and is named', async () => {
    daemon.on(CLOSE, () =>
      refusal(409, 'terminal_in_doubt', 'A payment is in doubt.', { in_doubt_attempt_id: PAYMENT_ID }),
    );
    const ran = await tillctl('end-of-day', 'Counter 1');
    expect(ran.exit).toBe(1);
    expect(ran.err).toContain(`in_doubt_attempt_id: ${PAYMENT_ID}`);
  });

  it('an unknown device ends 1, Ctrl-C ends 5', async () => {
    expect((await tillctl('end-of-day', 'Counter 9')).exit).toBe(1);
    const running = start(['--socket', daemon.socket, 'end-of-day', 'Counter 1']);
    await vi.waitFor(() => expect(daemon.listeners).toBe(1), { timeout: 15_000 });
    running.interrupt();
    const ran = await running.ended;
    expect(ran.exit).toBe(5);
    expect(ran.err).toContain('the end of day goes on');
  });
});

describe('tillctl reconcile', () => {
  const line = (verdict: ReconciledLine['verdict']): ReconciledLine => ({
    verdict,
    payment_id: verdict === 'unknown' ? null : PAYMENT_ID,
    terminal:
      verdict === 'missing'
        ? null
        : {
            type: 'sale',
            result: 'approved',
            amount_minor: 1234,
            currency: null,
            receipt_number: '0017',
            trace: '000042',
            auth_code: null,
            card_scheme: 'visa',
            masked_pan: null,
            terminal_clock: null,
          },
  });

  it('shows each line of the terminal beside ours, the verdicts and both sums', async () => {
    const found = reconciliation({
      lines: [line('same'), line('unknown'), line('missing')],
      totals_agree: false,
    });
    daemon.on(RECONCILE, () => one(found));
    const ran = await tillctl('reconcile', 'Counter 1');
    for (const word of [
      '0017',
      '000042',
      '12.34 EUR',
      PAYMENT_ID,
      'NOT OURS',
      'MISSING',
      'not reported',
      '2 sales of 24.68 EUR',
    ])
      expect(ran.out).toContain(word);
    const json = await tillctl('reconcile', 'Counter 1', '--json');
    expect(documentOf(json.out)).toEqual({ data: found });
    expect(json.exit).toBe(1);
  });

  it.each([
    ['nothing at all', [], null, 0],
    ['lines that agree', [line('same')], true, 0],
    ['a line that is not ours', [line('unknown')], null, 0],
    ['a line that contradicts', [line('same'), line('contradicts')], true, 1],
    ['a line that is missing', [line('missing')], null, 1],
    ['sums that differ', [line('same')], false, 1],
  ] as const)('%s ends as it should', async (_what, lines, agree, exit) => {
    daemon.on(RECONCILE, () => one(reconciliation({ lines: [...lines], totals_agree: agree })));
    expect((await tillctl('reconcile', DEVICE.id)).exit).toBe(exit);
  });
});

describe('tillctl reprint', () => {
  const copy = (more: Partial<TerminalReprint>): TerminalReprint =>
    TerminalReprint.parse({
      object: 'terminal_reprint',
      device_id: DEVICE.id,
      result: 'printed',
      text: null,
      reason: null,
      ...more,
    });

  it.each([
    [copy({}), '', 'prints the receipt of its last transaction', 0],
    [copy({ result: 'received', text: 'a\n\u001b[2Jb' }), 'a\n', 'it may be of another payment', 0],
    [copy({ result: 'refused', reason: 'no paper' }), '', 'nothing was charged: no paper', 1],
  ] as const)('says where the copy comes out: %j', async (answer, out, err, exit) => {
    daemon.on(REPRINT, () => one(answer));
    const ran = await tillctl('reprint', 'Counter 1');
    expect(ran.out.startsWith(out)).toBe(true);
    expect(ran.out).not.toContain('\u001b');
    expect(ran.err).toContain(err);
    expect(ran.exit).toBe(exit);
    expect(documentOf((await tillctl('reprint', DEVICE.id, '--json')).out)).toEqual({ data: answer });
  });
});

describe('tillctl devices adopt', () => {
  it('sends who decides and shows the device', async () => {
    const ran = await tillctl('devices', 'adopt', 'counter 1', '--by', 'Anna');
    expect(ran.exit).toBe(0);
    expect(ran.out).toContain('17F00001');
    expect(daemon.requests(ADOPT)[0]?.body).toEqual({ by: 'Anna' });
    const json = await tillctl('devices', 'adopt', 'counter 1', '--by', 'Anna', '--json');
    expect(documentOf(json.out)).toEqual({ data: DEVICE });
  });

  it('without a name ends 2 and asks nothing; `devices` alone still lists', async () => {
    expect((await tillctl('devices', 'adopt', 'counter 1')).exit).toBe(2);
    expect((await tillctl('devices', 'adopt', 'counter 1', '--by', ' ')).exit).toBe(2);
    expect(daemon.seen).toEqual([]);
    expect((await tillctl('devices')).out).toContain('Counter 1');
  });
});

describe('tillctl tasks and task-done', () => {
  it('tasks asks for what is open, --all for everything', async () => {
    const ran = await tillctl('tasks');
    expect(ran.exit).toBe(0);
    for (const word of ['The customer HAS paid. Hand over the goods or refund.', TASK_ID, PAYMENT_ID])
      expect(ran.out).toContain(word);
    const all = await tillctl('tasks', '--all', '--json');
    expect(documentOf(all.out)).toMatchObject({ object: 'list', data: [{ id: TASK_ID }] });
    expect(daemon.requests('GET /v2/terminal-tasks').map(({ path }) => path)).toEqual([
      '/v2/terminal-tasks?limit=100&open=true',
      '/v2/terminal-tasks?limit=100',
    ]);
  });

  it('shows every task, also those behind the first hundred', async () => {
    const newest = '0199c0de-0000-7000-8000-0000000000ff';
    const first = { object: 'list', data: [task()], has_more: true, url: '/v2/terminal-tasks' };
    daemon.on('GET /v2/terminal-tasks', ({ path }) =>
      path.includes('starting_after') ? list([{ ...task(), id: newest }]) : { status: 200, body: first },
    );
    expect((await tillctl('tasks')).out).toContain(newest);
    expect(daemon.requests('GET /v2/terminal-tasks').at(-1)?.path).toContain(`&starting_after=${TASK_ID}`);
    const all = await tillctl('tasks', '--json');
    expect(documentOf(all.out)).toMatchObject({ data: [{ id: TASK_ID }, { id: newest }], has_more: false });
  });

  it('names the terminal and the amount of what a task is about', async () => {
    const [ofSettlement, ofTerminal] = ['e1', 'e2'].map((end) => `0199c0de-0000-7000-8000-0000000000${end}`);
    daemon
      .on(`GET /v2/terminal-payments/${PAYMENT_ID}`, () => one(payment()))
      .on('GET /v2/terminal-tasks', () =>
        list([
          task(),
          { ...task(), id: ofSettlement, payment_id: null, settlement_id: SETTLEMENT_ID },
          { ...task(), id: ofTerminal, payment_id: null, device_id: DEVICE.id },
        ]),
      );
    const { out } = await tillctl('tasks');
    expect(out.match(/terminal +Counter 1/g)).toHaveLength(3);
    expect(out.match(/amount +12\.34 EUR/g)).toHaveLength(1);
  });

  it('many refused reports are one thing to do for each cause; what is not refused any more stays a task', async () => {
    const ids = ['a1', 'a2', 'a3'].map((end) => `0199c0de-0000-7000-8000-0000000000${end}`);
    const cause = {
      id: 'refused: 402',
      object: 'outbox_cause',
      reports: 2,
      oldest_at: AT,
      last_error: 'no plan',
    };
    for (const [index, id] of ids.entries())
      daemon.on(`GET /v2/terminal-payments/${id}`, () =>
        one(payment({ id, reported: index < 2 ? 'rejected' : 'yes' })),
      );
    daemon
      .on('GET /v2/outbox/causes', () => list([cause]))
      .on('GET /v2/terminal-tasks', () =>
        list(ids.map((id) => ({ ...task(), id, payment_id: id, kind: 'report_rejected' }))),
      );
    const { out } = await tillctl('tasks');
    expect(out).toMatch(/refused 2 reports\.[\s\S]*refused: 402[\s\S]*no plan[\s\S]*tillctl outbox retry ID/);
    for (const [index, id] of ids.entries()) expect(out.includes(id)).toBe(index === 2);
    const json = await tillctl('tasks', '--json');
    expect(documentOf(json.out)).toMatchObject({ data: ids.map((id) => ({ id })) });
  });

  it('says that there is nothing to do', async () => {
    daemon.on('GET /v2/terminal-tasks', () => list([]));
    expect((await tillctl('tasks')).out).toBe('There is nothing to do.\n');
  });

  it('task-done sends who did it and what came of it', async () => {
    const ran = await tillctl('task-done', TASK_ID, '--by', 'Anna', '--note', 'refunded');
    expect(ran.exit).toBe(0);
    expect(ran.out).toContain('by Anna: refunded');
    expect(daemon.requests(DONE)[0]?.body).toEqual({ by: 'Anna', note: 'refunded' });
  });

  it.each([
    ['no name', [TASK_ID, '--note', 'x']],
    ['no note', [TASK_ID, '--by', 'Anna']],
    ['an empty note', [TASK_ID, '--by', 'Anna', '--note', ' ']],
    ['an id that is none', ['first', '--by', 'Anna', '--note', 'x']],
  ])('task-done with %s ends 2 and asks nothing', async (_what, words) => {
    expect((await tillctl('task-done', ...words)).exit).toBe(2);
    expect(daemon.seen).toEqual([]);
  });

  it('a task that is done already ends 1', async () => {
    daemon.on(DONE, () => refusal(409, 'task_done', 'This task is done already.'));
    expect((await tillctl('task-done', TASK_ID, '--by', 'A', '--note', 'b')).exit).toBe(1);
  });
});
