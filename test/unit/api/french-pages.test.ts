import { expect, it } from 'vitest';
import { trustPage } from '../../../src/api/lan/trust-page.ts';
import { noReceiptPage } from '../../../src/api/receipts/receipt-page.ts';

const FACTS = { host: 'shop.local', address: 'https://shop.local:8443', fingerprint: '', device: null };

it.each([
  ['trust', trustPage({ ...FACTS, language: 'fr' })],
  ['no receipt', noReceiptPage('fr', 'busy')],
  ['an expired receipt', noReceiptPage('fr', 'gone')],
])('the French page of %s has no line break before a sign, nor inside of quotation marks', (_, page) => {
  const [, body = ''] = page.split('<h1>');
  expect(body).toMatch(/\p{L}/u);
  expect(body.replaceAll(/<[^>]*>/g, '')).not.toMatch(/ [:;?!»]|« /);
});
