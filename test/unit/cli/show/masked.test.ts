import { describe, expect, it } from 'vitest';
import { masked } from '../../../../src/cli/show/masked.ts';

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

  it('is whole where it is no record of people', () => {
    expect(masked('products', { name: 'Haircut' })).toEqual({ name: 'Haircut' });
  });
});
