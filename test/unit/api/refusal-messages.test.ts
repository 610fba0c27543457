import { describe, expect, it } from 'vitest';
import { ErrorDetails } from '../../../src/api/contract/error.ts';
import { DETAILS } from '../../../src/api/openapi/refusal-examples.ts';
import { type DescribedCode, MESSAGES } from '../../../src/api/openapi/refusal-messages.ts';
import { refuse } from '../../../src/api/reply/refuse.ts';
import { describingBlockingPayment } from '../../../src/api/routes/blocking-payment.ts';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import { requireActive } from '../../../src/integration/settings/integration-rules.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { checkDiskSpace } from '../../../src/payment/guards/disk-space.ts';
import { DrainLease } from '../../../src/payment/guards/drain-lease.ts';
import { guardOneSaleOneCharge } from '../../../src/payment/guards/duplicate-sale.ts';
import { guardRetry } from '../../../src/payment/guards/retry-once.ts';
import { guardInvoice } from '../../../src/payment/invoice/one-invoice-one-charge.ts';
import { checkRefund } from '../../../src/payment/refunds/refundable.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { ENGLISH } from '../../../src/sentences/english.ts';
import { aReport } from '../../support/attempts.ts';
import { textsOf, thrownDetails, thrownMessages } from '../../support/thrown-messages.ts';
import { attemptOf, DEVICE_ID, MemoryPayments, viewOf } from './memory-payments.ts';
import { type Answer, ask, sale, startShop } from './shop.ts';

const ID = '0199c0de-0000-7000-8000-000000000101';
const INVOICE_ID = '0199c0de-0000-7000-8000-000000000a01';
const NOW = 1e9;
const BEGUN = Date.parse('2026-11-02T09:30:12Z');
/** The examples name the time of the other payment as UTC; the messages are in the time zone of the machine. */
const WRITTEN = '2 Nov 2026, 09:30';

const SALE = {
  deviceId: DEVICE_ID,
  amount: { minor: 1234, currency: 'EUR' },
  invoiceId: null,
  reference: 'basket-1',
  caller: 'a',
  after: null,
} as const;
const attempt = (change: Partial<Attempt>): Attempt => ({
  ...attemptOf({ reference: SALE.reference }, ID),
  createdAt: BEGUN,
  elapsed: { dispatched: 0, inDoubt: null, completed: NOW - 1 },
  report: aReport(),
  ...change,
});
const OPEN = attempt({ state: { name: 'accepted', lastVerdict: null } });
const PAID = attempt({ state: { name: 'succeeded' }, completedAt: BEGUN });
const DECLINED = attempt({ state: { name: 'declined' }, completedAt: BEGUN });
const REFUND = { ...OPEN, type: 'refund' } as const;
const BILL = {
  status: 'paid',
  currency: 'EUR',
  leftMinor: 0,
  elsewhere: { open: null, paidBy: null, paidMinor: 0, isUnconfirmed: false },
} as const;

/** What is said because of another payment, from the guard to the interface. */
function because(kind: 'sale' | 'back', other: Attempt, guard: () => unknown): AppError {
  const payments = new MemoryPayments({ list: () => [], get: () => undefined });
  payments.attempts.push(other);
  return thrownBy(() => describingBlockingPayment(payments, kind, guard));
}

function thrownBy(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const lacking = (kind: 'disk_full' | 'storage_failed', message: string) =>
  thrownBy(() =>
    checkDiskSpace({ shortage: () => ({ kind, message }), trouble: () => null }, 'Nothing was charged.'),
  );
const afterNothing = (code: DescribedCode) => MESSAGES[code].replace('Nothing was charged. ', '');

/** Errors that are made here as the code makes them: their message, their details, and for disks where the rest of the message stands. */
const MADE: Readonly<Partial<Record<DescribedCode, () => AppError>>> = {
  PAYMENT_ALREADY_OPEN: () =>
    because('sale', OPEN, () => guardOneSaleOneCharge(SALE, [OPEN], NOW, null, () => 0)),
  PAYMENT_ALREADY_PAID: () =>
    because('sale', PAID, () => guardOneSaleOneCharge(SALE, [PAID], NOW, null, () => 0)),
  PAYMENT_RETRIED: () =>
    because('sale', DECLINED, () => guardRetry(viewOf({ ...DECLINED, id: 'first' }), DECLINED, null)),
  INVOICE_ALREADY_PAID: () =>
    because('sale', PAID, () =>
      guardInvoice({ invoiceId: INVOICE_ID, amount: SALE.amount, isPassed: false, paidHere: ID }, BILL),
    ),
  REFUND_BLOCKED: () =>
    because('back', REFUND, () =>
      checkRefund({
        parent: { ...PAID, id: 'sale' },
        children: [REFUND],
        amountMinor: 1234,
        after: null,
        now: NOW,
        self: null,
      }),
    ),
  SLOT_NOT_ACTIVE: () =>
    thrownBy(() =>
      requireActive({ name: 'provider_a', isActive: false } as Parameters<typeof requireActive>[0]),
    ),
  DRAINING: () => {
    const lease = new DrainLease({ busy: () => [], clock: systemClock, log: silentLog });
    lease.begin(60_000);
    return thrownBy(() => lease.check('Nothing was charged.'));
  },
  STORAGE_FULL: () => lacking('disk_full', afterNothing('STORAGE_FULL')),
  STORAGE_FAILED: () => lacking('storage_failed', afterNothing('STORAGE_FAILED')),
};
/** Errors whose message comes from another line than their code. */
const MESSAGE_IN: Readonly<Partial<Record<DescribedCode, string>>> = {
  DECISION_TOO_EARLY: 'payment/recovery/person-decision.ts',
  PROVIDER_FAILED: 'integration/page/page-reader.ts',
  MIRRORED_UNKNOWN: 'api/routes/mirrored-lists.ts',
  MIRRORED_MISSING: 'api/routes/mirrored-lists.ts',
};
/** Errors that only a request shows. */
const ASKED: readonly DescribedCode[] = [
  'VALIDATION_FAILED',
  'FIELD_MISSING',
  'SETTINGS_INVALID',
  'INTERNAL',
];

describe('an example of an error says what the code says', () => {
  const thrown = thrownMessages();
  const read = Object.entries(MESSAGES).filter(
    ([code]) => !(code in MADE) && !ASKED.some((other) => other === code),
  );

  it.each(read)('%s: %s', (code, message) => {
    const file = MESSAGE_IN[code as DescribedCode];
    const patterns = file === undefined ? thrown.get(code) : textsOf(file);
    expect(patterns?.some((pattern) => pattern.test(message))).toBe(true);
  });

  it.each(Object.entries(MADE))('%s, made as the code makes it', (code, make) => {
    const error = make();
    const example = MESSAGES[code as DescribedCode].replace(WRITTEN, ENGLISH.moment('2026-11-02T09:30:12Z'));
    expect(error.message).toBe(example);
    expect(error.context['details']).toEqual(DETAILS[code as DescribedCode]);
  });

  it.each(['STORAGE_FULL', 'STORAGE_FAILED'] as const)('%s: what the disk lacks', (code) => {
    const patterns = textsOf('store/disk/free-disk-space.ts');
    expect(patterns.some((pattern) => pattern.test(afterNothing(code)))).toBe(true);
  });

  it('what only a request shows', async () => {
    const { api, shop } = await startShop();
    const send = (method: string, path: string, body: string) => ask(api.url, { method, path, body });
    const answered = ({ json }: Answer) => [json.error.message, json.error.details];
    const create = (body: string) => send('POST', '/v2/terminal-payments', body);
    expect(answered(await create(sale({ amount_minor: 0 })))).toEqual([
      MESSAGES.VALIDATION_FAILED,
      DETAILS.VALIDATION_FAILED,
    ]);
    expect(answered(await create(sale({ device_id: undefined })))).toEqual([
      MESSAGES.FIELD_MISSING,
      DETAILS.FIELD_MISSING,
    ]);
    const lookback = await send(
      'PUT',
      '/v2/integrations/provider_a/invoice-lookback',
      '{"invoiceLookbackDays":0}',
    );
    expect(lookback.json.error.issues).toEqual([
      { path: ['invoiceLookbackDays'], message: MESSAGES.SETTINGS_INVALID },
    ]);
    shop.payments.list = () => {
      throw new Error('not expected');
    };
    expect(answered(await ask(api.url, { path: '/v2/terminal-payments' }))).toEqual([
      MESSAGES.INTERNAL,
      undefined,
    ]);
    await api.stop();
    const { body } = refuse(new AppError('INVARIANT_BROKEN', 'x'), 'req_1', silentLog);
    expect(body).toContain('No payment was started');
  });
});

describe('the details of errors', () => {
  const described = Object.keys(ErrorDetails.shape);

  it('have no field that the document does not describe', () => {
    expect([...thrownDetails()].filter((name) => !described.includes(name))).toEqual([]);
    expect(thrownDetails().size).toBeGreaterThan(20);
  });

  it('are what the document says in every example', () => {
    for (const [code, details] of Object.entries(DETAILS)) {
      expect(ErrorDetails.safeParse(details).error, code).toBeUndefined();
      expect(
        Object.keys(details).filter((name) => !described.includes(name)),
        code,
      ).toEqual([]);
    }
    const shown = new Set(Object.values(DETAILS).flatMap((details) => Object.keys(details)));
    const rare = ['currency', 'service_payment_id'];
    expect(described.filter((name) => !shown.has(name) && !rare.includes(name))).toEqual([]);
  });
});
