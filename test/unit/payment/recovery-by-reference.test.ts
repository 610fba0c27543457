import { describe, expect, it } from 'vitest';
import type { Attempt, Baseline } from '../../../src/payment/attempt/attempt.ts';
import { judgeOwn } from '../../../src/payment/recovery/by-reference.ts';
import type { LastTransaction, OwnTransaction, TransactionReport } from '../../../src/terminal/ports.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';

const TICKET = 'B1C2D3';
const HOUR_MS = 3_600_000;
const before = aReport({ number: '000041', amountMinor: 500, reference: 'B1C2D2' });
const ours = aReport({ number: '000042', amountMinor: 1234, reference: TICKET });
const markOf = (last: Baseline['last']): Baseline => ({ last, terminal: { grade: 'tid' }, batch: 1, day: 1 });

function doubt(changes: Partial<Attempt> = {}, hadApproval = false): Attempt {
  const baseline = markOf({ kind: 'found', report: before });
  return anAttempt({
    state: { name: 'in_doubt', hadApproval },
    baseline,
    ticket: TICKET,
    report: null,
    ...changes,
  });
}

function judged(attempt: Attempt, own: OwnTransaction, now = attempt.createdAt + HOUR_MS): string {
  const asked = { attemptId: attempt.id, ticket: TICKET };
  // A void without a record of its own: what is told is its sale.
  const reference = attempt.type === 'void' ? { attemptId: 'v', ticket: 'V1C2D3', sale: asked } : asked;
  const { kind, row, ...rest } = judgeOwn(attempt, own, reference, now);
  return [kind, row, 'of' in rest ? rest.of : ''].join(' ').trim();
}

const found = (changes: Partial<TransactionReport> = {}): OwnTransaction => ({
  kind: 'found',
  report: { ...ours, ...changes },
});
const absent = (...others: readonly TransactionReport[]): OwnTransaction => ({ kind: 'absent', others });

describe('a payment that is asked for by our own reference', () => {
  it('was charged when it is found with its amount', () => {
    expect(judged(doubt(), found())).toBe('proved own_reference charged');
  });

  it('is for a person when the answer has another reference, or none', () => {
    expect(judged(doubt(), found({ reference: 'B1C2D4' }))).toBe('person somebody_else');
    const { reference: _, ...nameless } = ours;
    expect(judged(doubt(), { kind: 'found', report: nameless })).toBe('person somebody_else');
  });

  it.each([
    ['another amount', { amountMinor: 1233 }, 'person amount_differs'],
    ['another currency', { currency: 'CHF' }, 'person amount_differs'],
    ['a result that says neither', { verdict: 'unclear' }, 'person somebody_else'],
    ['another kind', { kind: 'refund' }, 'person somebody_else'],
    ['a refusal', { verdict: 'refused' }, 'proved own_reference declined'],
    ['a stop', { verdict: 'aborted' }, 'proved own_reference aborted'],
    ['its undoing', { kind: 'void' }, 'proved own_reference reversed'],
    ['its undoing, unclear', { kind: 'void', verdict: 'unclear' }, 'person somebody_else'],
  ] as const)('found with %s', (_title, changes, row) => {
    expect(judged(doubt(), found(changes))).toBe(row);
  });

  it('is for a person when the amount is missing', () => {
    const { amountMinor: _, ...report } = ours;
    expect(judged(doubt(), { kind: 'found', report })).toBe('person amount_differs');
  });

  it('took its approval back when it had said approved and stores a refusal', () => {
    expect(judged(doubt({}, true), found({ verdict: 'refused' }))).toBe('proved own_reference reversed');
  });
});

describe('a list without it', () => {
  it('tells that nothing was charged only while what came before it is still there', () => {
    expect(judged(doubt(), absent(before))).toBe('unchanged not_in_list not_charged');
    expect(judged(doubt({}, true), absent(before))).toBe('unchanged not_in_list reversed');
  });

  it('proves nothing when it is empty, or what came before it is gone or was changed', () => {
    expect(judged(doubt(), absent())).toBe('person no_witness');
    expect(judged(doubt(), absent({ ...before, number: '000001' }))).toBe('person no_witness');
    expect(judged(doubt(), absent({ ...before, kind: 'void' }))).toBe('person no_witness');
  });

  it('proves nothing when nothing was there before', () => {
    expect(judged(doubt({ baseline: markOf({ kind: 'empty' }) }), absent())).toBe('person no_witness');
    expect(judged(doubt({ baseline: null }), absent(before))).toBe('person no_witness');
  });

  it('proves nothing when it cannot be read', () => {
    expect(judged(doubt(), { kind: 'unreadable', detail: 'no end' })).toBe('person unreadable');
  });
});

describe('a terminal that keeps every command that it ever got', () => {
  const last: LastTransaction = { kind: 'found', report: before };
  const neverSeen: OwnTransaction = { kind: 'never_seen', keptMs: HOUR_MS, last };

  it.each<[string, LastTransaction]>([
    ['is another one', { kind: 'found', report: ours }],
    ['is gone', { kind: 'empty' }],
    ['cannot be read', { kind: 'unreadable', detail: 'no end' }],
  ])('proves nothing when its last transaction %s', (_title, now) => {
    expect(judged(doubt(), { ...neverSeen, last: now })).toBe('person no_witness');
    expect(judged(doubt({ baseline: null }), { ...neverSeen, last: now })).toBe('person no_witness');
  });

  it('proves it on a terminal that has never sold anything', () => {
    const attempt = doubt({ baseline: markOf({ kind: 'empty' }) });
    expect(judged(attempt, { ...neverSeen, last: { kind: 'empty' } })).toBe(
      'unchanged never_seen not_charged',
    );
  });

  it('tells by not having seen it that nothing was charged', () => {
    expect(judged(doubt(), neverSeen)).toBe('unchanged never_seen not_charged');
  });

  it.each([
    ['older than what it keeps', HOUR_MS + 1],
    ['newer than the clock', -1],
  ])('proves nothing of a payment that is %s', (_title, age) => {
    const attempt = doubt();
    expect(judged(attempt, neverSeen, attempt.createdAt + age)).toBe('person no_witness');
  });

  it('proves nothing where it had said approved', () => {
    expect(judged(doubt({}, true), neverSeen)).toBe('person no_witness');
  });
});

describe('a void', () => {
  const sale = { attemptId: 'the sale', ticket: 'B1C2D2' };
  const undoing = doubt({ type: 'void', parentId: sale.attemptId, amount: { minor: 1234, currency: 'EUR' } });
  const of = (report: TransactionReport) => {
    const asked = { attemptId: undoing.id, ticket: TICKET, sale };
    const { kind, row, ...rest } = judgeOwn(undoing, { kind: 'found', report }, asked, undoing.createdAt);
    return [kind, row, 'of' in rest ? rest.of : ''].join(' ').trim();
  };

  it('happened where the terminal has its own record of it, whatever it says of the sale', () => {
    expect(of({ ...ours, kind: 'void' })).toBe('proved own_reference charged');
    expect(of({ ...ours, kind: 'unknown', verdict: 'refused' })).toBe('proved own_reference declined');
  });

  it('is told by its sale only where that is shown as undone, or as standing in a list that shows such things', () => {
    expect(of({ ...ours, reference: sale.ticket, kind: 'void' })).toBe('proved own_reference charged');
    expect(of({ ...ours, reference: sale.ticket })).toBe('unchanged own_reference not_charged');
  });

  it('is not told by another payment', () => {
    expect(of({ ...ours, reference: 'B1C2D9', kind: 'void' })).toBe('person somebody_else');
  });
});

describe('a void, which has no reference of its own', () => {
  const original = { number: '000042', amountMinor: 1234 };
  const undoing = doubt({
    type: 'void',
    parentId: 'parent',
    original,
    amount: { minor: 1234, currency: 'EUR' },
  });

  it('happened when its sale is shown as undone', () => {
    expect(judged(undoing, found({ kind: 'void' }))).toBe('proved own_reference charged');
    expect(judged(undoing, found({ originalTrace: ours.trace ?? '' }))).toBe('proved own_reference charged');
  });

  it('did not happen when its sale stands, and not before the settle time', () => {
    expect(judged(undoing, found())).toBe('unchanged own_reference not_charged');
  });

  it('is for a person when its sale is not listed: a close forgets voids and sales alike', () => {
    expect(judged(undoing, absent(before))).toBe('person no_witness');
  });
});
