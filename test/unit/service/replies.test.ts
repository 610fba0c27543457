import { describe, expect, it } from 'vitest';
import {
  claimReply,
  paymentReply,
  refundOrVoidReply,
  resourceReply,
  saleReply,
} from '../../../src/service/replies.ts';

const OURS = '0199c0de-0000-7000-8000-00000000000a';
const THEIRS = '0199c0de-0000-7000-8000-0000000000ff';
const metadata = (attempt: string) => ({ tilld: { agent: 'a', attempt } });
const SALE = { id: OURS, device_id: 'd1', amount_minor: 5, currency: 'EUR', metadata: metadata(OURS) };
const { metadata: _, ...PLAIN } = SALE;
const shown = (fields: object) => ({ data: { status: 'requested', ...fields } });

describe('The answer to the create of a sale', () => {
  it.each<[string, object, object]>([
    ['our id', SALE, { id: OURS }],
    ['our id in capitals', SALE, { id: OURS.toUpperCase() }],
    ['an id of its own and our echo', SALE, { id: THEIRS, metadata: metadata(OURS) }],
    ['our id after a body without metadata', PLAIN, { id: OURS, type: 'sale' }],
    [
      'neither, but the sale that was asked for',
      SALE,
      { id: THEIRS, device_id: 'd1', amount_minor: 5, currency: 'EUR' },
    ],
  ])('is ours with %s', (_name, asked, fields) => {
    expect(saleReply({ ...asked }).safeParse(shown(fields)).success).toBe(true);
  });

  it.each<[string, object]>([
    ['another id and nothing else', { id: THEIRS }],
    ['another id and the echo of another attempt', { id: THEIRS, metadata: metadata(THEIRS) }],
    ['our id and the echo of another attempt', { id: OURS, metadata: metadata(THEIRS) }],
    ['the sale of another attempt', { ...SALE, id: THEIRS, metadata: metadata(THEIRS) }],
    ['another amount', { ...PLAIN, id: THEIRS, amount_minor: 6 }],
    ['another currency', { ...PLAIN, id: THEIRS, currency: 'USD' }],
    ['another device', { ...PLAIN, id: THEIRS, device_id: 'd2' }],
    ['another kind', { id: OURS, type: 'refund' }],
    ['a status that the contract does not have', { id: OURS, status: 'settling' }],
    ['no status', { id: OURS, status: null }],
    ['a number for an id', { id: 7 }],
    ['an id without end', { id: 'x'.repeat(201) }],
  ])('is not ours with %s', (_name, fields) => {
    expect(saleReply(SALE).safeParse(shown(fields)).success).toBe(false);
  });
});

describe('The answer to a refund or a void', () => {
  const refund = { id: OURS, amount_minor: 5, metadata: metadata(OURS) };
  const reads = (fields: object) =>
    refundOrVoidReply('refund', refund, ['ours-P', 'S-P']).safeParse(shown(fields)).success;

  it('shows it under our id, under our echo, or below its sale', () => {
    expect(reads({ id: OURS })).toBe(true);
    expect(reads({ id: THEIRS, metadata: metadata(OURS) })).toBe(true);
    expect(reads({ id: THEIRS, type: 'refund', parent_id: 's-p' })).toBe(true);
    expect(reads({ id: THEIRS, type: 'refund', parent_id: 'ours-p' })).toBe(true);
  });

  it('never shows the sale, another kind, or a refund of another sale', () => {
    expect(reads({ id: 'S-P', type: 'sale' })).toBe(false);
    expect(reads({ id: 'S-P', metadata: metadata(OURS) })).toBe(false);
    expect(reads({ id: 'ours-P' })).toBe(false);
    expect(reads({ id: OURS, type: 'void' })).toBe(false);
    expect(reads({ id: THEIRS, type: 'refund', parent_id: 'Q' })).toBe(false);
    expect(reads({ id: THEIRS, type: 'refund' })).toBe(false);
  });
});

describe('What is asked for by its id', () => {
  it('is that payment and no other', () => {
    expect(paymentReply(OURS).safeParse(shown({ id: OURS.toUpperCase() })).success).toBe(true);
    expect(paymentReply(OURS).safeParse(shown({ id: THEIRS })).success).toBe(false);
    expect(paymentReply(OURS).safeParse({ id: OURS, status: 'requested' }).success).toBe(false);
  });

  it('is that device, or that invoice, and no other', () => {
    expect(resourceReply('d1').safeParse({ data: { id: 'd1' } }).success).toBe(true);
    expect(resourceReply('d1').safeParse({ data: { id: 'd2' } }).success).toBe(false);
    expect(resourceReply('d1').safeParse({ data: [{ id: 'd1' }] }).success).toBe(false);
    expect(resourceReply().safeParse({ data: { id: 'made now' } }).success).toBe(true);
    expect(resourceReply().safeParse({ data: {} }).success).toBe(false);
  });
});

describe('The answer to a claim', () => {
  const reads = (fields: object) => claimReply('P', 'agent-1').safeParse({ data: fields }).success;

  it('shows the payment moved on, by this agent where it names one', () => {
    expect(reads({ id: 'P', status: 'in_progress' })).toBe(true);
    expect(reads({ id: 'P', status: 'in_progress', agent: 'agent-1' })).toBe(true);
    expect(reads({ id: 'P', status: 'in_progress', agent: null })).toBe(true);
    expect(reads({ id: 'P', status: 'requested' })).toBe(false);
    expect(reads({ id: 'P', status: 'in_progress', agent: 'agent-2' })).toBe(false);
    expect(reads({ id: 'Q', status: 'in_progress' })).toBe(false);
    expect(reads({ id: 'P' })).toBe(false);
  });
});
