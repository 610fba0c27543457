import { describe, expect, it } from 'vitest';
import { TruncatedCardNumber } from '../../../src/base/card-number.ts';
import { isoInstant } from '../../../src/outbox/iso-instant.ts';
import { createBody, plainBody, resultBody } from '../../../src/outbox/reports.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';

const attempt: Attempt = {
  id: '01900000-0000-7000-8000-000000000001',
  type: 'sale',
  parentId: null,
  corrects: null,
  cause: null,
  original: null,
  deviceId: 'device',
  amount: { minor: 1234, currency: 'EUR' },
  invoiceId: null,
  reference: 'R1',
  metadata: { table: 7, tilld: 'not ours' },
  origin: { kind: 'local', caller: 'socket' },
  trace: null,
  after: null,
  createdAt: 0,
  expiresAt: 0,
  state: { name: 'requested' },
  version: 0,
  dispatchedAt: null,
  inDoubtSince: null,
  cancelRequestedAt: null,
  completedAt: null,
  elapsed: { dispatched: null, inDoubt: null, completed: null },
  baseline: null,
  report: null,
  receipts: {},
  reason: null,
  evidence: null,
  releasedAt: null,
  settledAt: null,
  ticket: null,
  needsPerson: false,
};

const approved: Attempt = {
  ...attempt,
  state: { name: 'succeeded' },
  completedAt: Date.UTC(2026, 0, 5, 9),
  baseline: { last: { kind: 'empty' }, terminal: { grade: 'serial', serial: 'T1' }, batch: 1, day: 1 },
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

  it.each([
    ['refund', { id: attempt.id, amount_minor: 1234 }],
    ['void', { id: attempt.id }],
  ] as const)('create of a %s names its amount where it has one: the rest is its sale', (type, fields) => {
    const below: Attempt = { ...attempt, type, parentId: 'P', invoiceId: 'I' };
    expect(createBody(below, 'agent-1')).toEqual({
      ...fields,
      metadata: { table: 7, tilld: { agent: 'agent-1', attempt: attempt.id } },
    });
  });

  it('create and result of a correction say what it corrects', () => {
    const correction: Attempt = { ...approved, corrects: 'old', cause: 'correction' };
    const tilld = { agent: 'a', attempt: attempt.id, corrects: 'old' };
    for (const type of ['sale', 'refund', 'void'] as const)
      expect(createBody({ ...correction, type }, 'a')['metadata']).toMatchObject({ tilld });
    expect(resultBody(correction, 'a')['metadata']).toEqual({ tilld });
  });

  it.each<[string, number | undefined, Attempt['state']['name'], object]>([
    ['less was approved', 1000, 'succeeded', { approved_amount_minor: 1000 }],
    ['a tip was added', 1334, 'succeeded', { approved_amount_minor: 1334 }],
    ['it is as asked', 1234, 'succeeded', {}],
    ['the terminal does not say', undefined, 'succeeded', {}],
    ['nothing was charged', 1000, 'declined', {}],
  ])('result tells the approved amount only when it is another one: %s', (_, amountMinor, name, more) => {
    const report = { verdict: 'approved', kind: 'sale', ...(amountMinor ? { amountMinor } : {}) } as const;
    const ended = { ...attempt, state: { name }, report } as Attempt;
    expect(resultBody(ended, 'a')['metadata']).toEqual({
      tilld: { agent: 'a', attempt: attempt.id, ...more },
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

  it.each<Attempt['state']>([
    { name: 'requested' },
    { name: 'approved', cancelledBefore: false },
    { name: 'dispatched' },
  ])('there is no result of an attempt that is $name', (state) => {
    expect(() => resultBody({ ...attempt, state }, 'a')).toThrow(
      expect.objectContaining({ code: 'INVARIANT_BROKEN' }),
    );
  });

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
