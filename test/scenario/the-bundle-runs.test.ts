import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageFiles } from '../../src/boot/pages.ts';
import { bundle } from '../../systemd/package/bundle.ts';
import { launcher } from '../../systemd/package/launcher.ts';
import { ROOT } from '../../systemd/package/lean-bundle.ts';
import { makeSnapshot } from '../../systemd/package/snapshot.ts';
import { DaemonProcess } from '../bench/daemon-process.ts';
import type { Program } from '../bench/program.ts';
import { eventually } from '../support/daemon.ts';

/** What of the answers is read here. */
interface Told {
  readonly data: { readonly link: { readonly state: string }; readonly outbox: { readonly pending: number } };
}

describe('the bundle of the package, without the sources and with the flags of its launcher', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-bundle-'));
  let daemon: DaemonProcess;

  beforeAll(async () => {
    const program = await packed(folder);
    const config = join(folder, 'config/tilld.jsonc');
    daemon = await DaemonProcess.start({ config, stateDir: join(folder, 'state'), program });
  }, 60_000);
  afterAll(async () => {
    await daemon?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('reaches the service, takes a payment and reports it', async () => {
    const status = async () => ((await daemon.ask('GET', '/v2/status')) as Told).data;
    await eventually(async () => (await status()).link.state === 'online');
    const sale = { device_id: '0199c0de-0000-7000-8000-000000000001', amount_minor: 1_234, currency: 'EUR' };
    const { data } = (await daemon.ask('POST', '/v2/terminal-payments', sale)) as { data: { id: string } };
    const path = `/v2/terminal-payments/${data.id}`;
    const payment = async () => ((await daemon.ask('GET', path)) as { data: { status: string } }).data;
    await eventually(async () => (await payment()).status === 'succeeded');
    await eventually(async () => (await status()).outbox.pending === 0);
  }, 60_000);

  it('examines itself with its own command line', async () => {
    await daemon.ask('POST', '/v2/doctor', {});
    const state = async () =>
      ((await daemon.ask('GET', '/v2/doctor')) as { data: { state: string } }).data.state;
    const ended = await eventually(async () => {
      const now = await state();
      return now !== 'running' && now;
    }, 60_000);
    expect(ended).toBe('done');
  }, 90_000);

  it('serves every page that the sources serve', async () => {
    for (const { path, text } of pageFiles()) {
      const reply = await fetch(`${daemon.url}${path}`);
      expect({ path, status: reply.status }).toEqual({ path, status: 200 });
      expect(await reply.text()).toBe(text);
    }
  }, 60_000);

  it('was woken from its snapshot', () => {
    expect(isWoken(daemon)).toBe(true);
  });
});

describe('a snapshot that does not wake', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-unwoken-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is left out by the next start, and tried again by the one behind it', async () => {
    const program = await packed(folder);
    const [snapshot = ''] = globSync(join(folder, 'tilld-*.snapshot'));
    const whole = readFileSync(snapshot);
    writeFileSync(snapshot, whole.subarray(0, 1_000_000));
    const cache = join(folder, 'cache');
    mkdirSync(cache);
    const wish = {
      config: join(folder, 'config/tilld.jsonc'),
      stateDir: join(folder, 'state'),
      program,
      env: { CACHE_DIRECTORY: cache },
    };
    await expect(DaemonProcess.start(wish)).rejects.toThrow('ended before it was ready');
    const next = await DaemonProcess.start(wish);
    expect(isWoken(next)).toBe(false);
    await next.stop();
    writeFileSync(snapshot, whole);
    for (const _again of [1, 2]) {
      const woken = await DaemonProcess.start(wish);
      expect(isWoken(woken)).toBe(true);
      await eventually(() => !existsSync(join(cache, 'waking')));
      await woken.stop();
    }
  }, 90_000);
});

/** The package as it lies on a disk, without the sources. */
async function packed(folder: string): Promise<Program> {
  await bundle(join(folder, 'src'));
  writeFileSync(join(folder, 'package.json'), '{"version":"0.1.0","type":"module"}');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  makeSnapshot(folder, process.execPath, '0.1.0');
  const programs = { lib: folder, node: process.execPath, bundled: join(folder, 'src') };
  const command = join(folder, 'tilld');
  writeFileSync(command, launcher('tilld', programs), { mode: 0o755 });
  mkdirSync(join(folder, 'config'));
  cpSync(join(ROOT, 'config/demo/tilld.jsonc'), join(folder, 'config/tilld.jsonc'));
  return { name: 'package', command, args: [] };
}

function isWoken(daemon: DaemonProcess): boolean {
  return readFileSync(`/proc/${daemon.pid}/cmdline`, 'utf8').includes('--snapshot-blob');
}
