import { expect, it } from 'vitest';
import { isLoopback } from '../../../src/base/loopback.ts';

it.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.255.0.9', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['127.0.0.1.example.com', false],
  ['127.0.0.999', false],
  ['127.1', false],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.0.1', false],
  ['::ffff:10.0.0.1', false],
  ['localhost.example.com', false],
  ['', false],
])('%j is on this machine: %s', (host, loopback) => {
  expect(isLoopback(host)).toBe(loopback);
});
