import { describe, expect, it } from 'vitest';
import { addressWithName } from '../../../src/console/app/passkey.js';

const SHOP = 'https://shop.local:8443';

describe('where a browser makes passkeys', () => {
  it.each([
    ['127.0.0.1', 'http:', '8480', SHOP, 'http://localhost:8480'],
    ['[::1]', 'http:', '8480', null, 'http://localhost:8480'],
    ['192.168.1.20', 'https:', '8443', SHOP, SHOP],
    ['[fd00::7]', 'https:', '8443', SHOP, SHOP],
    ['192.168.1.20', 'https:', '443', null, null],
  ])(
    'at %s it is named an address that this device can open',
    (hostname, protocol, port, shopUrl, address) => {
      expect(addressWithName({ protocol, hostname, port }, shopUrl)).toBe(address);
    },
  );
});
