import { describe, expect, it } from 'vitest';
import { urlObjection } from '../../../src/webhooks/endpoint-url.ts';

describe('the address of an endpoint', () => {
  it.each([
    'https://shop.example/hooks?a=1',
    'https://192.168.1.7:8443/',
    'https://localhost/',
    'http://127.0.0.1:9000/hooks',
    'http://localhost/',
    'http://[::1]:9000/',
    'HTTPS://SHOP.EXAMPLE/',
    `https://shop.example/${'a'.repeat(2048 - 21)}`,
  ])('may be %s', (url) => {
    expect(urlObjection(url)).toBeNull();
  });

  it.each([
    ['http://shop.example/', 'must be https'],
    ['http://192.168.1.7/', 'must be https'],
    ['http://127.0.0.1.shop.example/', 'must be https'],
    ['http://localhost.shop.example/', 'must be https'],
    ['http://0.0.0.0/', 'must be https'],
    ['ftp://127.0.0.1/', 'must be https'],
    ['file:///etc/passwd', 'must be https'],
    ['javascript:alert(1)', 'must be https'],
    ['https://user@shop.example/', 'no user'],
    ['https://user:secret@shop.example/', 'no user'],
    ['http://127.0.0.1@shop.example/', 'no user'],
    ['shop.example/hooks', 'an address like'],
    ['', 'an address like'],
    ['https://', 'an address like'],
    ['https://shop.example/a b', 'an address like'],
    ['https://shop.example/\n', 'an address like'],
    [`https://shop.example/${'a'.repeat(2048)}`, 'at most 2048'],
  ])('may not be %j', (url, words) => {
    expect(urlObjection(url)).toContain(words);
  });
});
