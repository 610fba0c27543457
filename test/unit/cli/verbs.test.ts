import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CreatedKey, CreateKey } from '../../../src/api/contract/key.ts';
import { Status } from '../../../src/api/contract/status.ts';
import { Explanation, ResolveTerminalPayment } from '../../../src/api/contract/terminal-payment.ts';
import { TerminalTask } from '../../../src/api/contract/terminal-task.ts';
import { AppError } from '../../../src/base/errors.ts';
import {
  adoptCommand,
  answerCommand,
  answerFromOutsideCommand,
  taskDoneCommand,
  whereAnotherAnswers,
} from '../../../src/base/next-step.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { guardOneSaleOneCharge } from '../../../src/payment/guards/duplicate-sale.ts';
import { checkRefund } from '../../../src/payment/refunds/refundable.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';
import { command, documentOf } from './command-line.ts';
import { AT, DEVICE, FakeDaemon, list, one, PAYMENT_ID, paid, payment, refusal } from './fake-daemon.ts';

const STATUS = Status.parse({
  version: '0.1.0',
  environment: 'sandbox',
  time_zone: 'Europe/Berlin',
  urls: { local: 'http://127.0.0.1:8480', lan: null, receipts: null, sandbox: null, socket: '/x' },
  can_sell: true,
  can_report: false,
  is_fresh: true,
  reasons: [{ code: 'service_offline', message: 'The service does not answer.' }],
  terminals: [DEVICE],
  link: { state: 'offline', reason: 'refused', code: 'key', environment: 'sandbox', clock_skew_ms: 0 },
  outbox: { pending: 2, oldest_at: AT, parked: 0 },
  integrations: [],
  upgrade: { step: 'ids_in_one_form', done: 250, total: 1000 },
});
const EXPLANATION = Explanation.parse({
  payment: paid(),
  story: [
    { at: AT, kind: 'state', text: 'requested', details: {} },
    { at: '2026-05-01T10:00:01.250Z', kind: 'frame', text: 'sent 06 01', details: { bytes: 12 } },
  ],
});
const TASK = TerminalTask.parse({
  object: 'terminal_task',
  id: PAYMENT_ID,
  kind: 'correction',
  message: 'Compare.',
  payment_id: null,
  settlement_id: null,
  device_id: null,
  created_at: AT,
  done: { at: AT, by: 'NAME', note: 'TEXT' },
});
const KEY = CreatedKey.parse({
  id: PAYMENT_ID,
  key: 'rk_sandbox_x',
  name: 'till',
  scopes: ['payments:read', 'payments:write'],
  created_at: AT,
  expires_at: null,
});

const DOUBT = anAttempt({
  id: PAYMENT_ID,
  state: { name: 'in_doubt', hadApproval: false },
  needsPerson: true,
});
const DOUBT_REPLACED = { ...DOUBT, reason: { code: 'terminal_replaced', message: 'It was replaced.' } };

/** The command in `details.what_to_do` of what is thrown. */
function stepOf(refused: () => void): string {
  try {
    refused();
  } catch (error) {
    const details = error instanceof AppError ? error.context['details'] : null;
    const step =
      typeof details === 'object' && details !== null && 'what_to_do' in details && details.what_to_do;
    return commandIn(String(step));
  }
  return 'tillctl --nothing-was-refused';
}

function commandIn(text: string): string {
  return /tillctl .*$/.exec(text)?.[0] ?? 'tillctl --no-command-was-named';
}

function guard(before: Attempt): void {
  const { deviceId, amount } = before;
  const sale = { deviceId, amount, invoiceId: null, reference: null, caller: 'socket', after: null };
  guardOneSaleOneCharge(sale, [before], 0, null, () => 0);
}

function refundBesideDoubt(): void {
  const parent = anAttempt({ id: 'parent', state: { name: 'succeeded' }, report: aReport() });
  const children = [{ ...DOUBT, type: 'refund', parentId: parent.id } as const];
  checkRefund({ parent, children, amountMinor: 1234, after: null, now: 0, self: null });
}

describe('the verbs that ask the daemon', () => {
  let daemon: FakeDaemon;
  beforeEach(async () => {
    daemon = await new FakeDaemon()
      .on('GET /v2/status', () => one(STATUS))
      .on('GET /v2/terminal-devices', () => list([DEVICE]))
      .on('GET /v2/terminal-payments', () => list([paid(), payment({ in_doubt: true })]))
      .on(`GET /v2/terminal-payments/${PAYMENT_ID}/explain`, () => one(EXPLANATION))
      .on(`POST /v2/terminal-payments/${PAYMENT_ID}/resolve`, () => one(paid()))
      .on('POST /v2/keys', () => one(KEY, 201))
      .on(`POST /v2/terminal-tasks/${PAYMENT_ID}/done`, () => one(TASK))
      .on(`POST /v2/terminal-devices/${DEVICE.id}/adopt`, () => one(DEVICE))
      .start();
  });
  afterEach(() => daemon.remove());

  const keyWords = [
    'keys',
    'create',
    '--scope',
    'payments:read',
    '--scope',
    'payments:write',
    '--expires',
    '30',
  ];

  const resolveWords = [
    'resolve',
    PAYMENT_ID,
    '--as',
    'succeeded',
    '--by',
    'Anna',
    '--reason',
    'receipt compared',
    '--shown',
    '0042',
  ];

  it.each([
    ['status', ['status'], { data: STATUS }, ['can report  NO', 'service_offline', 'Counter 1']],
    ['devices', ['devices'], { data: [DEVICE] }, ['Counter 1', 'ready', '17F00001']],
    ['payments', ['payments'], { object: 'list', has_more: false }, ['12.34 EUR', 'succeeded', 'IN DOUBT']],
    [
      'explain',
      ['explain', PAYMENT_ID],
      { data: EXPLANATION },
      ['+0.000  state', '+1.250  frame', '{"bytes":12}', '123456', DEVICE.name],
    ],
    ['resolve', resolveWords, { data: { status: 'succeeded' } }, ['succeeded', '12.34 EUR']],
    ['keys create', keyWords, { data: KEY }, ['rk_sandbox_x', 'never']],
  ])(
    '%s shows words to people and, with --json, one document as the interface gives it',
    async (_verb, words, body, shown) => {
      const human = await command(['--socket', daemon.socket, ...words]);
      expect(human.exit).toBe(0);
      for (const word of shown) expect(human.out).toContain(word);
      const json = await command([...words, '--json', '--socket', daemon.socket]);
      expect(json.exit).toBe(0);
      expect(documentOf(json.out)).toMatchObject(body);
    },
  );

  it('payments shows where, and asks for one terminal by its name', async () => {
    const { out } = await command(['--socket', daemon.socket, 'payments', '--device', 'counter 1']);
    expect(out).toMatch(/CREATED +TERMINAL +TYPE/);
    expect(out).toMatch(/ Counter 1 +sale /);
    expect(daemon.requests('GET /v2/terminal-payments')[0]?.path).toContain(`device_id=${DEVICE.id}`);
    const wrong = await command(['--socket', daemon.socket, 'payments', '--device', 'bar']);
    expect([wrong.exit, wrong.err]).toEqual([1, expect.stringContaining('there is "Counter 1"')]);
  });

  it('payments asks for what was asked for', async () => {
    await command([
      '--socket',
      daemon.socket,
      'payments',
      '--status',
      'declined',
      '--in-doubt',
      '--limit',
      '7',
    ]);
    expect(daemon.seen[0]?.path).toBe('/v2/terminal-payments?limit=7&status=declined&in_doubt=true');
  });

  it('payments finds by day, amount, card, receipt number, reference and invoice', async () => {
    const found = (...words: string[]) => command(['--socket', daemon.socket, 'payments', ...words]);
    const invoice = PAYMENT_ID.toUpperCase();
    daemon.on('GET /v2/invoices', () => {
      const data = [{ id: PAYMENT_ID, number: 'R-1' }];
      return {
        status: 200,
        body: { object: 'list', url: '/v2/invoices', data, has_more: false, fresh_at: null },
      };
    });
    await found(
      '--on',
      'yesterday',
      '--card',
      '0042',
      '--receipt',
      '7',
      '--reference',
      'table 7',
      '--invoice',
      invoice,
    );
    await found('--amount', '12,34', '--on', '2026-11-25');
    await found('--contains', ' 2026-004 ');
    await found('--terminal', 'counter-1', '--invoice', 'r-1');
    const [named, amount, part, numbered] = daemon
      .requests('GET /v2/terminal-payments')
      .map(({ path }) => path);
    expect(named).toBe(
      `/v2/terminal-payments?limit=20&on=yesterday&card_last4=0042&receipt_number=7&reference=table+7&invoice_id=${invoice}`,
    );
    expect(amount).toBe('/v2/terminal-payments?limit=20&on=2026-11-25&amount_minor=1234');
    expect(part).toBe('/v2/terminal-payments?limit=20&contains=+2026-004+');
    expect(numbered).toBe(`/v2/terminal-payments?limit=20&device_id=${DEVICE.id}&invoice_id=${PAYMENT_ID}`);
  });

  it.each([
    [['--on', 'tomorrow'], '--on must be a day like 2026-11-25, or today or yesterday'],
    [['--on', '2026-02-30'], '--on must be a day'],
    [['--card', '42'], '--card must be the last four digits of a card'],
    [['--contains', ' 42 '], '--contains must be a text of 3 to 64 characters'],
    [['--amount', '1,234'], '"1,234" is not an amount in EUR'],
  ])('payments %s is refused before anything is listed', async (words, printed) => {
    const { exit, err } = await command(['--socket', daemon.socket, 'payments', ...words]);
    expect([exit, err]).toEqual([2, expect.stringContaining(printed)]);
    expect(daemon.requests('GET /v2/terminal-payments')).toEqual([]);
  });

  it('the help of resolve says for each answer what is to be copied', async () => {
    const { out } = await command(['resolve', '--help']);
    const help = out.replaceAll(/\s+/g, ' ');
    expect(help).toContain('for succeeded the receipt number or the authorisation code of this payment');
    expect(help).toContain('for not_charged the last receipt number that is there instead');
    expect(help).toContain('for written_off which persons you asked');
  });

  it('resolve sends who looked, why, and what was shown', async () => {
    await command(['--socket', daemon.socket, ...resolveWords]);
    expect(ResolveTerminalPayment.parse(daemon.seen[0]?.body)).toEqual({
      as: 'succeeded',
      by: 'Anna',
      reason: 'receipt compared',
      shown: '0042',
    });
  });

  it.each([
    ['of a payment at its terminal', answerCommand(PAYMENT_ID), 0],
    ['of one whose terminal was replaced', answerFromOutsideCommand(PAYMENT_ID), 0],
    ['of a task', taskDoneCommand(PAYMENT_ID), 0],
    ['of a terminal that another one answers for', adoptCommand(DEVICE.id), 0],
    ['of a refused sale whose payment before is with a person', stepOf(() => guard(DOUBT)), 0],
    ['of one whose payment before is on a replaced terminal', stepOf(() => guard(DOUBT_REPLACED)), 0],
    ['of a refused refund beside one that is with a person', stepOf(refundBesideDoubt), 0],
    ['of a refused sale where another terminal answers', commandIn(whereAnotherAnswers(DEVICE.id)), 0],
  ])('the printed next step %s works to the letter', async (_, step, exit) => {
    const words = step
      .split(' ')
      .slice(1)
      .map((word) => word.split('|')[0] ?? word);
    const { err, ...rest } = await command([...words, '--socket', daemon.socket]);
    expect([rest.exit, err]).toEqual([exit, expect.not.stringContaining('error')]);
  });

  it('keys create sends what the contract allows', async () => {
    await command(['--socket', daemon.socket, ...keyWords, '--name', 'front', '--allow', '10.0.0.0/8']);
    expect(CreateKey.parse(daemon.seen[0]?.body)).toEqual({
      name: 'front',
      scopes: ['payments:read', 'payments:write'],
      expires_in_days: 30,
      allow: ['10.0.0.0/8'],
    });
  });

  it.each([
    ['a status that does not exist', ['payments', '--status', 'paid']],
    ['a limit that is no number', ['payments', '--limit', '1e2']],
    ['an id that is none', ['explain', 'yesterday']],
    [
      'an outcome that nobody may decide',
      ['resolve', PAYMENT_ID, '--as', 'declined', '--by', 'A', '--reason', 'r', '--shown', 's'],
    ],
    [
      'a decision without a name',
      ['resolve', PAYMENT_ID, '--as', 'succeeded', '--reason', 'r', '--shown', 's'],
    ],
    ['a scope that does not exist', ['keys', 'create', '--scope', 'everything']],
    ['an address that is none', ['keys', 'create', '--scope', 'payments:read', '--allow', 'shop']],
    ['a scope too few', ['keys', 'create']],
    ['a verb that does not exist', ['sell']],
    ['an option that does not exist', ['status', '--loud']],
    ['no verb', []],
    ['a socket path that the system cannot hold', ['status', '--socket', `/${'a'.repeat(108)}`]],
  ])('%s ends 2 with one document and words, and asks nothing', async (_what, words) => {
    const ran = await command(['--json', '--socket', daemon.socket, ...words]);
    expect(ran.exit).toBe(2);
    expect(documentOf(ran.out)).toMatchObject({ error: { code: 'usage' } });
    expect(ran.err).not.toBe('');
    expect(daemon.seen).toEqual([]);
  });

  it('a refusal ends 1 and is printed as it came', async () => {
    const answer = refusal(404, 'resource_not_found', 'There is no such payment.');
    daemon.on(`GET /v2/terminal-payments/${PAYMENT_ID}/explain`, () => answer);
    const ran = await command(['--json', '--socket', daemon.socket, 'explain', PAYMENT_ID]);
    expect(ran.exit).toBe(1);
    expect(documentOf(ran.out)).toEqual(typeof answer === 'string' ? undefined : answer.body);
  });

  it.each([
    ['is no JSON object of the contract', { status: 200, body: { data: { version: 1 } } } as const],
    ['never comes', 'destroy' as const],
  ])('an answer that %s ends in words, not in a stack', async (_what, answer) => {
    daemon.on('GET /v2/status', () => answer);
    const ran = await command(['--json', '--socket', daemon.socket, 'status']);
    expect([1, 3]).toContain(ran.exit);
    expect(documentOf(ran.out)).toHaveProperty('error.message');
    expect(ran.err).not.toContain('    at ');
  });

  it('finds the socket by TILLD_SOCKET and by ./.tilld, and --socket goes before both', async () => {
    expect((await command(['status'], { env: { TILLD_SOCKET: daemon.socket } })).exit).toBe(0);
    const none = await command(['status', '--socket', '/nonexistent/x.sock'], {
      env: { TILLD_SOCKET: daemon.socket },
    });
    expect(none.exit).toBe(3);
    expect(none.err).toContain('/nonexistent/x.sock');
  });

  it('no daemon ends 3 and says how to mend it', async () => {
    await daemon.stop();
    const ran = await command(['--json', '--socket', daemon.socket, 'status']);
    expect(ran.exit).toBe(3);
    expect(documentOf(ran.out)).toMatchObject({ error: { code: 'no_daemon' } });
    expect(ran.err).toContain('Start it');
  });
});
