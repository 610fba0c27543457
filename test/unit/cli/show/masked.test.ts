import { describe, expect, it } from 'vitest';
import { DryRun } from '../../../../src/api/contract/sync.ts';
import { maskedRun } from '../../../../src/cli/show/dry-run.ts';
import { masked, maskedWords } from '../../../../src/sentences/masked.js';

describe('a record that is shown without personal data', () => {
  it('keeps ids, states, dates and amounts, and the first letter of anything else', () => {
    const record = {
      external_id: 'c-1',
      name: 'Anna Muster',
      email: 'anna@example.com',
      address: { line1: 'Hauptstr. 1', country: 'DE' },
      birth_date: '1990-01-01',
      born_on: '1990-01-01',
      created_at: '2026-01-01T00:00:00Z',
      status: 'active',
      amount_minor: 100,
      tags: ['regular', ''],
      note: null,
      metadata: {
        source: { number: '0301234567', favourite_stylist: 'Özlem', mobile: 491701234567, visits: 12 },
      },
      total_minor: 100_000_000,
    };
    expect(masked('customers', record)).toEqual({
      external_id: 'c-1',
      name: 'A…',
      email: 'a…',
      address: { line1: 'H…', country: 'DE' },
      birth_date: '1…',
      born_on: '1…',
      created_at: '2026-01-01T00:00:00Z',
      status: 'active',
      amount_minor: 100,
      tags: ['r…', ''],
      note: null,
      metadata: { source: { number: '0…', favourite_stylist: 'Ö…', mobile: '…', visits: 12 } },
      total_minor: 100_000_000,
    });
  });

  it('shows no mail address and no number of a person in fields whose names say nothing of one', () => {
    const record = {
      id: 'anna@example.com',
      mail_from: 'anna@example.com',
      from: 'Anna <anna@example.com>',
      tax_id: 'DE123456789',
      passport_id: 'C01X00T47',
      insurance_id: 'A123456780',
      vat_percent: 19,
      tax_minor: 190,
    };
    expect(masked('customers', record)).toEqual({
      id: 'a…',
      mail_from: 'a…',
      from: 'A…',
      tax_id: 'D…',
      passport_id: 'C…',
      insurance_id: 'A…',
      vat_percent: 19,
      tax_minor: 190,
    });
  });

  it('is whole where it is no record of people', () => {
    expect(masked('products', { name: 'Haircut' })).toEqual({ name: 'Haircut' });
  });
});

describe('a reason that is shown without personal data', () => {
  it.each([
    [
      '"age" cannot be worked out: Unable to cast value to a number: "Erika Mustermann"; name is a text',
      '"age" cannot be worked out: Unable to cast value to a number: "E…"; name is a text',
    ],
    ['must be a timestamp. Given "Erika"', 'must be a timestamp. Given "E…"'],
    ['The values "Erika" and "3 \\"x" either side', 'The values "E…" and "3…" either side'],
    ['the mail erika@example.com is known', 'the mail e… is known'],
    ['PATCH /v2/customers/erika%40example.com', 'PATCH /v2/customers/e…'],
    ['its "name" is not a text', 'its "name" is not a text'],
    ['it has no "currency"', 'it has no "currency"'],
    ['no mapping of package HC-1', 'no mapping of package HC-1'],
  ])('%s', (words, shown) => {
    expect(maskedWords(words)).toBe(shown);
  });

  it('is masked in a dry run, too, wherever it stands', () => {
    const words = 'Unable to cast value to a number: "Erika Mustermann"';
    const run = DryRun.parse({
      object: 'dry_run',
      resource: 'customers',
      read: 1,
      source_requests: 1,
      sink_requests: 0,
      unchanged: 0,
      writes: [{ op: 'park', id: 'erika@example.com', request: null, body: words }],
      writes_in_all: 1,
      counts: { create: 0, update: 0, remove: 0, park: 1, ignore: 0 },
      reasons: [{ op: 'park', reason: words, records: 1 }],
      warnings: [words],
    } satisfies DryRun);
    const text = JSON.stringify(maskedRun(run));
    expect(text).not.toMatch(/Mustermann|erika@/);
    expect(text).toContain('Unable to cast value');
  });
});
