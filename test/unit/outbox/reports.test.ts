import { describe, expect, it } from 'vitest';
import { TruncatedCardNumber } from '../../../src/base/card-number.ts';
import { isoInstant } from '../../../src/outbox/iso-instant.ts';
import { createBody, plainBody, resultBody } from '../../../src/outbox/reports.ts';
import type { Attempt } from '../../../src/payment/attempt.ts';

const attempt: Attempt = {
  id: '01900000-0000-7000-8000-000000000001',
  type: 'sale',
  parentId: null,
  deviceId: 'device',
  amount: { minor: 1234, currency: 'EUR' },
  invoiceId: null,
  reference: 'R1',
  metadata: { table: 7, tilld: 'not ours' },
  origin: { kind: 'local', caller: 'socket' },
  after: null,
  createdAt: 0,
  expiresAt: 0,
  state: { name: 'requested' },
  version: 0,
  dispatchedAt: null,
  inDoubtSince: null,
  cancelRequestedAt: null,
  completedAt: null,
  mark: null,
  report: null,
  receipts: {},
  reason: null,
  evidence: null,
  releasedAt: null,
  settledAt: null,
  needsPerson: false,
};

const approved: Attempt = {
  ...attempt,
  state: { name: 'succeeded' },
  completedAt: Date.UTC(2026, 0, 5, 9),
  mark: { last: { kind: 'empty' }, terminal: { grade: 'serial', serial: 'T1' } },
  report: {
    verdict: 'approved',
    kind: 'sale',
    authCode: '42',
    responseCode: '00',
    rrn: 'RRN',
    uti: 'UTI',
    cardScheme: 'Visa',
    maskedPan: TruncatedCardNumber.of('559883EEEEEE8074') as TruncatedCardNumber,
    entryMode: 'chip',
    trace: '000001',
  },
  reason: { code: 'X', message: 'should not show' },
};

describe('Report bodies', () => {
  it('create names our id and our echo, and leaves out what is not there', () => {
    expect(createBody(attempt, 'agent-1')).toEqual({
      id: attempt.id,
      device_id: 'device',
      amount_minor: 1234,
      currency: 'EUR',
      reference: 'R1',
      metadata: { table: 7, tilld: { agent: 'agent-1', attempt: attempt.id } },
    });
  });

  it("result names the interface's fields only", () => {
    expect(resultBody(approved, 'agent-1')).toEqual({
      status: 'succeeded',
      terminal_serial: 'T1',
      uti: 'UTI',
      auth_code: '42',
      response_code: '00',
      rrn: 'RRN',
      card_scheme: 'Visa',
      masked_pan: '559883******8074',
      entry_mode: 'chip',
      completed_at: '2026-01-05T09:00:00.000Z',
      metadata: { tilld: { agent: 'agent-1', attempt: attempt.id } },
    });
  });

  it('result of a refusal says why in one line, without card numbers, at most 500 long', () => {
    const message = `card 4111111111111111\nrefused\u0007 ${'x'.repeat(600)}`;
    const body = resultBody({ ...attempt, state: { name: 'declined' }, reason: { code: 'C', message } }, 'a');
    expect(body['error_message']).toMatch(/^card 411111\*{6}1111 refused x+$/);
    expect(String(body['error_message'])).toHaveLength(500);
  });

  it.each(['requested', 'approved', 'dispatched'] as const)(
    'there is no result of an attempt that is %s',
    (name) => {
      expect(() => resultBody({ ...attempt, state: { name } }, 'a')).toThrow(
        expect.objectContaining({ code: 'INVARIANT_BROKEN' }),
      );
    },
  );

  it('plain bodies lose metadata and nothing else', () => {
    expect(plainBody({ id: 'x', metadata: {}, status: 'y' })).toEqual({ id: 'x', status: 'y' });
  });
});

describe('ISO instants', () => {
  it('agree with the platform on every day of two centuries and on both ends of the range', () => {
    const wrong: number[] = [];
    for (let day = 0; day < 73_000; day += 1) {
      const at = day * 86_400_000 + ((day * 7_919_003) % 86_400_000);
      if (isoInstant(at) !== new Date(at).toISOString()) wrong.push(at);
    }
    expect(wrong).toEqual([]);
    expect([isoInstant(0), isoInstant(253_402_300_799_999)]).toEqual([
      '1970-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ]);
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 253_402_300_800_000])('refuse %d', (ms) => {
    expect(() => isoInstant(ms)).toThrow(expect.objectContaining({ code: 'INVARIANT_BROKEN' }));
  });
});
