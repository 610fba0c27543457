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
      ['char-hidraw', 'rw'],
    ]);
    expect(unit).toContain('DevicePolicy=closed');
  });

  it('has the drivers of USB ports loaded before it starts: their names would be unknown, and the ports closed', () => {
    const modules = readFileSync(join(SYSTEMD, 'tilld.modules'), 'utf8').split('\n');
    expect(modules).toEqual(expect.arrayContaining(['cdc_acm', 'usbserial', 'usbhid']));
    expect(unit).toMatch(/^After=.*systemd-modules-load\.service/m);
  });

  it('waits longer for the stop than a payment that runs is given', () => {
    const runner = readFileSync(join(SYSTEMD, '../src/payment/dispatch/queue-worker.ts'), 'utf8');
    const grace = Number(/STOP_GRACE_MS = ([\d_]+)/.exec(runner)?.[1]?.replaceAll('_', ''));
    const stopLimit = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) * 1000;
    expect(grace).toBeGreaterThan(0);
    expect(stopLimit).toBeGreaterThanOrEqual(grace + 10_000);
  });
});

describe('the profile for AppArmor', () => {
  const profile = readFileSync(join(SYSTEMD, 'tilld.apparmor'), 'utf8');
  const hasParser = spawnSync('apparmor_parser', ['--version']).status === 0;

  it.skipIf(!hasParser)(`is one (${hasParser ? '' : 'no apparmor_parser: apt-get install apparmor'})`, () => {
    const { status, stderr } = spawnSync(
      'apparmor_parser',
      ['--skip-kernel-load', '--skip-cache', join(SYSTEMD, 'tilld.apparmor')],
      { encoding: 'utf8' },
    );
    expect({ status, stderr: stderr.replace(/^(Cache read\/write|Warning).*\n/gm, '') }).toEqual({
      status: 0,
      stderr: '',
    });
  });

  it('opens every folder of the unit for writing, and every device', () => {
    const folders = (key: string, below: string) =>
      (new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1]?.split(' ') ?? []).map(
        (name) => `${below}/${name}/**`,
      );
    const written = [
      ...folders('StateDirectory', '/var/lib'),
      ...folders('LogsDirectory', '/var/log'),
      ...folders('CacheDirectory', '/var/cache'),
    ];
    expect(written.length).toBe(4);
    for (const path of written) expect(profile).toMatch(new RegExp(`^ {2}${literal(path)} rw`, 'm'));
    for (const [, device = ''] of unit.matchAll(/^DeviceAllow=char-(\S+) rw$/gm))
      expect(profile).toContain(`/dev/${device}[0-9]* rw`);
    expect(unit).toContain('AppArmorProfile=-tilld');
    expect(profile).toMatch(/^profile tilld /m);
  });

  it('opens no secret of the machine and nothing of its users', () => {
    expect(profile).not.toMatch(/^ {2}\/(?:root|home|etc\/shadow|etc\/\*\*|etc\/credstore)/m);
    expect(profile).not.toMatch(/capability|^ {2}\/\*\*/m);
  });
});

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

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
