import { describe, expect, it } from 'vitest';
import { reachOf } from '../../../src/net/reach.ts';
import { reachObjection, urlObjection } from '../../../src/webhooks/endpoint-url.ts';

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

describe('the reach of an endpoint', () => {
  const none = reachOf([]);

  it.each([
    'https://shop.example/',
    'https://8.8.8.8/',
    'https://[2001:4860:4860::8888]/',
    'https://10.example/',
    'https://fd00.example/',
  ])('%s is of the internet, or a name', (url) => {
    expect(reachObjection(url, none)).toBeNull();
  });

  it.each([
    'https://192.168.1.7/',
    'https://10.0.0.1/',
    'https://172.31.255.255/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://255.255.255.255/',
    'https://224.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://127.1/',
    'https://localhost/',
    'http://localhost/',
    'https://[::1]/',
    'https://[::]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[::ffff:192.168.1.7]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::a00:1]/',
    'https://[2002:a00:1::]/',
    'https://[ff02::1]/',
  ])('%s is not, and is refused when it is registered', (url) => {
    expect(reachObjection(url, none)).toContain('webhooks.allow_private');
  });

  it.each<[readonly string[], string, boolean]>([
    [['192.168.1.0/24'], '192.168.1.7', true],
    [['192.168.1.0/24'], '192.168.2.7', false],
    [['192.168.1.7'], '::ffff:192.168.1.7', true],
    [['fd00::/8'], 'fd12::1', true],
    [['fd00::/8'], '10.0.0.1', false],
    [['0.0.0.0/0'], '10.0.0.1', true],
    [['::/0'], '10.0.0.1', false],
    [[], 'not an address', false],
  ])('with %j, %s: %s', (ranges, address, reached) => {
    expect(reachOf(ranges)(address)).toBe(reached);
  });
});
