import { describe, expect, it } from 'vitest';
import { Security } from '../../../drivers/terminals/nexo/security.ts';
import { VirtualSecurity } from '../../../drivers/terminals/nexo/virtual-security.ts';

const SHARED = { key_identifier: 'counter', key_version: 1, passphrase: 'correct horse battery staple' };
const terminal = (changes: Partial<{ keyIdentifier: string; keyVersion: number; passphrase: string }> = {}) =>
  new VirtualSecurity({ keyIdentifier: 'counter', keyVersion: 1, passphrase: SHARED.passphrase, ...changes });

const REQUEST =
  '{"SaleToPOIRequest":{"MessageHeader":{"ServiceID":"A1B2C3"},"PaymentRequest":{"pan":"secret"}}}';
const RESPONSE = {
  SaleToPOIResponse: {
    MessageHeader: { ServiceID: 'A1B2C3' },
    PaymentResponse: { Response: { Result: 'Success' } },
  },
};
const bytesOf = (value: unknown) =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const textOf = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

describe('encrypted messages', () => {
  const till = new Security(SHARED);

  it('are read by the terminal with the same key, and show their header alone', () => {
    const sealed = textOf(till.seal(bytesOf(REQUEST))) ?? '';
    expect(sealed).toContain('"ServiceID":"A1B2C3"');
    expect(sealed).not.toContain('secret');
    expect(terminal().opened(sealed)).toBe(REQUEST);
    expect(textOf(till.seal(bytesOf(REQUEST)))).not.toBe(sealed);
  });

  it('of the terminal are read by the till', () => {
    expect(textOf(till.open(bytesOf(terminal().sealed(RESPONSE))))).toBe(JSON.stringify(RESPONSE));
  });

  it.each([
    ['another passphrase', terminal({ passphrase: 'x' }).sealed(RESPONSE)],
    ['another key', terminal({ keyIdentifier: 'other' }).sealed(RESPONSE)],
    ['another version', terminal({ keyVersion: 2 }).sealed(RESPONSE)],
    ['no encryption', RESPONSE],
    ['nothing', {}],
  ])('with %s are no answer', (_title, response) => {
    expect(till.open(bytesOf(response))).toBeUndefined();
    expect(terminal({ passphrase: 'x' }).opened(textOf(till.seal(bytesOf(REQUEST))) ?? '')).toBeUndefined();
  });

  it('of which one character is another are no answer', () => {
    const sealed = JSON.stringify(terminal().sealed(RESPONSE));
    for (const field of ['NexoBlob', 'Nonce', 'Hmac']) {
      const at = sealed.indexOf(`"${field}":"`) + field.length + 6;
      const other = sealed[at] === 'A' ? 'B' : 'A';
      const changed = `${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`;
      expect(till.open(bytesOf(changed)), field).toBeUndefined();
    }
  });
});
