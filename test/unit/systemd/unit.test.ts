import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { terminalDrivers } from '../../../drivers/index.ts';

const SYSTEMD = join(import.meta.dirname, '../../../systemd');
const unit = readFileSync(join(SYSTEMD, 'tilld.service'), 'utf8');
const rules = readFileSync(join(SYSTEMD, '70-tilld.rules'), 'utf8');
const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;
const title = (words: string) =>
  hasAnalyze ? words : `${words} (no systemd-analyze: apt-get install systemd)`;

describe('the unit', () => {
  it.skipIf(!hasAnalyze)(title('exposes no more than 1.5 of what a service can'), () => {
    const call = [
      'security',
      '--offline=true',
      '--threshold=15',
      '--no-pager',
      join(SYSTEMD, 'tilld.service'),
    ];
    const { status, stdout, stderr } = spawnSync('systemd-analyze', call, { encoding: 'utf8' });
    expect(stderr).not.toMatch(/unknown|ignoring|failed to parse/i);
    expect({ status, overall: /Overall.*/.exec(stdout)?.[0] }).toMatchObject({ status: 0 });
  });

  it('opens the ports of terminals and no other device', () => {
    const devices = [...unit.matchAll(/^DeviceAllow=(\S+) (\S+)$/gm)].map(([, device, how]) => [device, how]);
    expect(devices).toEqual([
      ['char-ttyS', 'rw'],
      ['char-ttyUSB', 'rw'],
      ['char-ttyACM', 'rw'],
    ]);
    expect(unit).toContain('DevicePolicy=closed');
  });

  it('has the drivers of USB ports loaded before it starts: their names would be unknown, and the ports closed', () => {
    const modules = readFileSync(join(SYSTEMD, 'tilld.modules'), 'utf8').split('\n');
    expect(modules).toEqual(expect.arrayContaining(['cdc_acm', 'usbserial']));
    expect(unit).toMatch(/^After=.*systemd-modules-load\.service/m);
  });

  it('waits longer for the stop than a payment that runs is given', () => {
    const runner = readFileSync(join(SYSTEMD, '../src/payment/dispatch/queue-worker.ts'), 'utf8');
    const grace = Number(/STOP_GRACE_MS = ([\d_]+)/.exec(runner)?.[1]?.replaceAll('_', ''));
    const patience = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) * 1000;
    expect(grace).toBeGreaterThan(0);
    expect(patience).toBeGreaterThanOrEqual(grace + 10_000);
  });
});

describe('the rules of the device names', () => {
  it('know every fingerprint of a driver, so that no ModemManager talks into a payment', () => {
    const known = terminalDrivers.flatMap(({ usbFingerprints }) => usbFingerprints ?? []);
    expect(known.length).toBeGreaterThan(0);
    for (const { vendorId, productId } of known) {
      expect(rules).toContain(
        `ATTRS{idVendor}=="${vendorId}", ATTRS{idProduct}=="${productId}", ENV{TILLD_TERMINAL}="1"`,
      );
    }
    expect(rules).toMatch(/ENV\{ID_MM_DEVICE_IGNORE\}="1"/);
  });
});
