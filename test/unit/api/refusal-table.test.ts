import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../../../src/api/contract/error.ts';
import { REFUSALS, type RefusalCode } from '../../../src/api/reply/refusals.ts';
import { AppError } from '../../../src/base/errors.ts';
import { routesOf } from './as-described.ts';
import { DEVICE_ID } from './memory-payments.ts';
import { ask, openShop, startShop } from './shop.ts';

const NOBODY = '0198c5a0-cccc-7000-8000-000000000009';
const PAYMENT = `/v2/terminal-payments/${NOBODY}`;
const DEVICE = `/v2/terminal-devices/${DEVICE_ID}`;

type Port = 'payments' | 'backOffice';
interface Operation {
  readonly id: string;
  readonly path: string;
  readonly body: object;
  readonly port: Port;
  readonly method: string;
}

const OPERATIONS: readonly Operation[] = [
  { id: 'refundTerminalPayment', path: `${PAYMENT}/refund`, body: {}, port: 'payments', method: 'refund' },
  { id: 'voidTerminalPayment', path: `${PAYMENT}/void`, body: {}, port: 'payments', method: 'void' },
  { id: 'endTerminalDay', path: `${DEVICE}/end-of-day`, body: {}, port: 'backOffice', method: 'endOfDay' },
  {
    id: 'reconcileTerminalDevice',
    path: `${DEVICE}/reconcile`,
    body: {},
    port: 'backOffice',
    method: 'reconcile',
  },
  { id: 'reprintReceipt', path: `${DEVICE}/reprint`, body: {}, port: 'backOffice', method: 'reprint' },
  { id: 'adoptTerminal', path: `${DEVICE}/adopt`, body: { by: 'A' }, port: 'backOffice', method: 'adopt' },
  {
    id: 'finishTerminalTask',
    path: `/v2/terminal-tasks/${NOBODY}/done`,
    body: { by: 'A', note: 'b' },
    port: 'backOffice',
    method: 'finishTask',
  },
];

/** What the interface says for each refusal of the core; a change here is a change of the interface. */
const SEEN: Readonly<Partial<Record<RefusalCode, readonly [status: number, code: string]>>> = {
  DEVICE_UNKNOWN: [404, 'resource_not_found'],
  PAYMENT_UNKNOWN: [404, 'resource_not_found'],
  SETTLEMENT_UNKNOWN: [404, 'resource_not_found'],
  TASK_UNKNOWN: [404, 'resource_not_found'],
  CURRENCY_NOT_ACCEPTED: [422, 'currency_not_accepted'],
  AMOUNT_OUT_OF_RANGE: [422, 'amount_out_of_range'],
  PAYMENT_NOT_REFUNDABLE: [422, 'payment_not_refundable'],
  REFUND_EXCEEDS_AMOUNT: [422, 'refund_exceeds_amount'],
  VOID_NOT_POSSIBLE: [422, 'void_not_possible'],
  OPERATION_NOT_SUPPORTED: [422, 'operation_not_supported'],
  REFUND_BLOCKED: [409, 'payment_already_open'],
  TERMINAL_NOT_READY: [409, 'terminal_not_ready'],
  TERMINAL_IN_DOUBT: [409, 'terminal_in_doubt'],
  END_OF_DAY_BLOCKED: [409, 'terminal_in_doubt'],
  ADOPT_BLOCKED: [409, 'terminal_in_doubt'],
  WRONG_TERMINAL: [409, 'wrong_terminal'],
  LANE_FULL: [409, 'terminal_busy'],
  TERMINAL_BUSY: [409, 'terminal_busy'],
  TASK_DONE: [409, 'task_done'],
  TASK_NOT_ANSWERED: [409, 'task_not_answered'],
  TASK_TO_PERFORM: [409, 'task_to_perform'],
  STORAGE_FULL: [503, 'storage_full'],
  STORAGE_FAILED: [503, 'service_unavailable'],
  DRAINING: [503, 'draining'],
};

const described = await routesOf(openShop().deps);

describe('every refusal of giving back and of the back office', () => {
  let started: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    started = await startShop();
  });
  afterAll(() => started.api.stop());

  const routes = new Map(described.map((route) => [route.operationId, route]));
  const rows = OPERATIONS.flatMap((operation) =>
    (routes.get(operation.id)?.refusals ?? []).map((code) => [operation.id, code, operation] as const),
  );

  it('stands in the table', () => {
    expect(rows.length).toBeGreaterThan(45);
    expect([...new Set(rows.map(([, code]) => code))].filter((code) => !(code in SEEN))).toEqual([]);
  });

  it.each(rows)('%s: %s', async (_id, thrown, operation) => {
    const details = {
      payment_id: NOBODY,
      in_doubt_attempt_id: NOBODY,
      instead: 'refund',
      what_to_do: 'wait',
    };
    const target: Record<string, unknown> = Object(started.shop[operation.port]);
    const own = Object.getOwnPropertyDescriptor(target, operation.method);
    target[operation.method] = () => {
      throw new AppError(thrown, 'Nothing was given back.', { context: { details } });
    };
    const answer = await ask(started.socketPath, {
      method: 'POST',
      path: operation.path,
      body: JSON.stringify(operation.body),
      key: null,
    });
    Reflect.deleteProperty(target, operation.method);
    if (own) Object.defineProperty(target, operation.method, own);
    const { error } = ErrorEnvelope.parse(answer.json);
    expect([answer.status, error.code]).toEqual(SEEN[thrown]);
    expect(error).toMatchObject({ message: 'Nothing was given back.', details });
  });

  it.each([
    ['LINK_LOST', 409, 'terminal_not_ready'],
    ['TERMINAL_NO_ANSWER', 409, 'terminal_not_ready'],
    ['PHASE_TIMEOUT', 409, 'terminal_not_ready'],
    ['INVARIANT_BROKEN', 500, 'internal_error'],
  ])('a terminal that stops telling its journal (%s) is %i %s', async (thrown, status, code) => {
    const { backOffice } = started.shop;
    backOffice.reconcile = async () => {
      throw new AppError(thrown, 'the line broke');
    };
    const answer = await ask(started.socketPath, { method: 'POST', path: `${DEVICE}/reconcile`, key: null });
    Reflect.deleteProperty(backOffice, 'reconcile');
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    if (status === 409)
      expect(answer.json.error.message).toMatch(/the line broke.*No customer was charged.*try again/);
  });

  it('no row gives two answers for one code', () => {
    for (const [code, [status, word]] of Object.entries(SEEN))
      expect(REFUSALS[code as RefusalCode]).toMatchObject({ status, code: word });
  });

  it.each([
    ['refundTerminalPayment', ['PAYMENT_NOT_REFUNDABLE', 'REFUND_EXCEEDS_AMOUNT', 'REFUND_BLOCKED']],
    ['voidTerminalPayment', ['PAYMENT_NOT_REFUNDABLE', 'VOID_NOT_POSSIBLE', 'REFUND_BLOCKED']],
    ['endTerminalDay', ['END_OF_DAY_BLOCKED', 'OPERATION_NOT_SUPPORTED', 'TERMINAL_BUSY']],
    ['adoptTerminal', ['ADOPT_BLOCKED']],
    ['finishTerminalTask', ['TASK_UNKNOWN', 'TASK_DONE', 'TASK_NOT_ANSWERED']],
  ] as const)('%s documents %o', (id, codes) => {
    expect(routes.get(id)?.refusals).toEqual(expect.arrayContaining([...codes]));
  });
});
