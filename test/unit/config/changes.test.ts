import { describe, expect, it } from 'vitest';
import { configChanges } from '../../../src/config/changes.ts';
import { parseConfig } from '../../../src/config/load.ts';

const parse = (more: object) =>
  parseConfig(JSON.stringify({ version: 1, environment: 'sandbox', ...more }), 'tilld.jsonc');
const tls = { certificate: '/a.pem', key: '/a.key' };
const device = {
  id: '0199c0de-0000-7000-8000-0000000000d1',
  name: 'Counter 1',
  driver: 'zvt',
  currency: 'EUR',
  link: { type: 'tcp', host: '192.0.2.1' },
};

describe('a configuration that is read again', () => {
  it.each([
    ['nothing', {}, {}, [], []],
    ['the level of the log', {}, { log: { level: 'debug' } }, ['log.level'], []],
    ['another certificate', { tls }, { tls: { ...tls, certificate: '/b.pem' } }, ['tls.certificate'], []],
    ['a certificate where there was none', {}, { tls }, [], ['tls']],
    ['a port', {}, { listen: { port: 9000 } }, [], ['listen.port']],
    ['a device more', {}, { devices: [device] }, [], ['devices']],
    [
      'the address of a terminal',
      { devices: [device] },
      { devices: [{ ...device, link: { type: 'tcp', host: '192.0.2.2' } }] },
      [],
      ['devices[0].link.host'],
    ],
  ])(
    'takes over what can be, and names what needs a restart: %s',
    (_what, before, after, takenOver, needRestart) => {
      expect(configChanges(parse(before), parse(after))).toEqual({ takenOver, needRestart });
    },
  );
});
