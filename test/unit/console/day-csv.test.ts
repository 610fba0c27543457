import { describe, expect, it } from 'vitest';
import type { TerminalPayment } from '../../../src/api/contract/terminal-payment.ts';
import { renderTerminalPayment } from '../../../src/api/render/terminal-payment.ts';
import { TruncatedCardNumber } from '../../../src/base/card-number.ts';
import { csvOf } from '../../../src/console/till/day-csv.js';
import { anAttempt, aReport } from '../../support/attempts.ts';
import { viewOf } from '../api/memory-payments.ts';

const SHOP = { zone: 'Europe/Berlin', nameOf: () => 'Counter 1' };

function aPayment(changes: Partial<TerminalPayment> = {}): TerminalPayment {
  const maskedPan = TruncatedCardNumber.of('************4242');
  const report = aReport({ amountMinor: 1_434, tipMinor: 200, ...(maskedPan ? { maskedPan } : {}) });
  const createdAt = Date.UTC(2026, 10, 25, 23, 30);
  const state = { name: 'succeeded' } as const;
  return {
    ...renderTerminalPayment(viewOf(anAttempt({ createdAt, completedAt: createdAt, state, report }))),
    ...changes,
  };
}

/** The cells of the only payment, by the names of their columns. */
function cellsOf(payment: TerminalPayment): Record<string, string> {
  const [head = '', line = ''] = csvOf([payment], SHOP).slice(1).split('\r\n');
  const cells = line.split(',');
  return Object.fromEntries(head.split(',').map((name, index) => [name, cells[index] ?? '']));
}

describe('the CSV file of a day', () => {
  it('has amounts as decimals with their currency, and the time of the shop', () => {
    expect(cellsOf(aPayment())).toMatchObject({
      date: '2026-11-26',
      time: '00:30:00',
      amount: '12.34',
      moved: '14.34',
      tip: '2.00',
      currency: 'EUR',
      masked_pan: '************4242',
      receipt_number: '0042',
      terminal: 'Counter 1',
    });
  });

  it('gives a refund a minus, and nothing moved where it is not known or was declined', () => {
    expect(cellsOf(aPayment({ type: 'refund' }))['moved']).toBe('-14.34');
    expect(cellsOf(aPayment({ charged: 'unknown' }))['moved']).toBe('');
    expect(cellsOf(aPayment({ charged: 'no' }))['moved']).toBe('');
    expect(cellsOf(aPayment({ currency: 'JPY' }))['amount']).toBe('1234');
    expect(cellsOf(aPayment({ amount_minor: 5 }))['amount']).toBe('0.05');
  });

  it.each(['=1+1', '+1', '-1', '@SUM', '\t=1', '\r=1'])('makes no formula of the text %j', (reference) => {
    const text = csvOf([aPayment({ reference })], SHOP);
    expect(text).toContain(`'${reference}`);
    expect(text).not.toContain(`,${reference}`);
  });

  it('quotes what RFC 4180 wants quoted, and ends every line with CR LF', () => {
    const text = csvOf([aPayment({ reference: 'a,"b"\n' })], SHOP);
    expect(text).toContain(',"a,""b""\n",');
    expect(text.endsWith('\r\n')).toBe(true);
  });
});
