import { describe, expect, it } from 'vitest';
import { isInvoiceId, scannedText, searchOf } from '../../../src/console/till/scanned-text.js';

const ID = '0199c0de-0001-7000-8000-00000000000b';

describe('what a scanner has typed', () => {
  it.each([
    [' INV-000012 ', 'INV-000012'],
    ['2026/0012', '2026/0012'],
    ['https://pay.example/i/INV-000012', 'INV-000012'],
    ['https://pay.example/i/INV-000012/', 'INV-000012'],
    ['HTTPS://PAY.EXAMPLE/I?NUMBER=INV-000012', 'INV-000012'],
    ['https://pay.example/#/invoices/RE%202026', 'RE 2026'],
    ['https://pay.example/%', '%'],
    [`https://pay.example/invoices/${ID}`, ID],
  ])('%s means %s', (text, meant) => {
    expect(scannedText(text)).toBe(meant);
  });

  it('is an id only as a whole', () => {
    expect(isInvoiceId(ID.toUpperCase())).toBe(true);
    expect(isInvoiceId(`INV ${ID}`)).toBe(false);
  });
});

describe('what is searched for', () => {
  it.each([
    ['12,34', '1234'],
    ['12.34', '1234'],
    ['1.234,50', '123450'],
    ['1,234.50 €', '123450'],
    ['12,5', '1250'],
    ['INV-000012', 'INV-000012'],
    ['12', '12'],
    ['1,234', '1,234'],
    ['v1.2 Müller', 'v1.2 Müller'],
  ])('%s is searched as %s', (text, search) => {
    expect(searchOf(text, 'EUR')).toBe(search);
  });
});
