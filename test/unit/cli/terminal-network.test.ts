import { describe, expect, it } from 'vitest';
import type { DiagnosticContext } from '../../../src/cli/offline/doctor/diagnostic-context.ts';
import { checkTerminalNetwork } from '../../../src/cli/offline/doctor/terminal-network.ts';
import { parseConfig } from '../../../src/config/load.ts';
import { DEVICE_ID } from '../../support/attempts.ts';

const FINGERPRINT = Array.from({ length: 32 }, () => 'ab').join(':');

function findings(link: object, more: object = {}) {
  const device = { id: DEVICE_ID, name: 'Counter 1', driver: 'zvt', currency: 'EUR', link, ...more };
  const config = parseConfig(
    JSON.stringify({ version: 1, environment: 'sandbox', devices: [device] }),
    'tilld.jsonc',
  );
  const context: Pick<DiagnosticContext, 'configuration'> = {
    configuration: { config, file: 'tilld.jsonc' } as DiagnosticContext['configuration'],
  };
  return checkTerminalNetwork(context as DiagnosticContext).map(({ level, what }) => [level, what]);
}

describe('what doctor says of a terminal in the network', () => {
  it('names one that is reached without TLS, and its factory password', () => {
    const [[level, what] = []] = findings({ type: 'tcp', host: '192.168.1.40' });
    expect(level).toBe('ok');
    expect(what).toContain('Counter 1 is reached at 192.168.1.40 without TLS');
    expect(what).toContain('a network of their own');
    expect(what).toContain('its ZVT password is the one of the factory');
  });

  it('says when it has TLS, and a password of its own', () => {
    const link = { type: 'tcp', host: 'terminal.shop', tls: { fingerprint: FINGERPRINT } };
    expect(findings(link, { options: { password: '471147' } })).toEqual([
      ['ok', 'Counter 1 proves by TLS that it is itself'],
    ]);
  });

  it('says nothing of a terminal on this machine or on a cable', () => {
    expect(findings({ type: 'tcp', host: '127.0.0.1' })).toEqual([]);
    expect(findings({ type: 'serial', path: '/dev/ttyACM0' })).toEqual([]);
  });

  it.each([['abc'], [FINGERPRINT.slice(3)], [`${FINGERPRINT}:00`]])(
    'refuses the fingerprint %s',
    (fingerprint) => {
      const link = { type: 'tcp', host: '192.168.1.40', tls: { fingerprint } };
      expect(() => findings(link)).toThrow(/SHA-256 fingerprint/);
    },
  );
});
