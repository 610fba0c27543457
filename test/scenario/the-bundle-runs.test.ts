import { X509Certificate } from 'node:crypto';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageFiles } from '../../src/agent/pages.ts';
import { bundle, ROOT } from '../../systemd/package/bundle.ts';
import { launcher } from '../../systemd/package/launcher.ts';
import { DaemonProcess } from '../bench/daemon-process.ts';
import type { Program } from '../bench/program.ts';
import { eventually } from '../support/daemon.ts';

/** What of the answers is read here. */
interface StatusAnswer {
  readonly data: { readonly link: { readonly state: string }; readonly outbox: { readonly pending: number } };
}

/** How the daemon prints its ready line. */
const READY_CALL = 'process.stdout.write(`tilld ready';

describe('the bundle of the package, without the sources and with the flags of its launcher', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-bundle-'));
  const config = join(folder, 'config/tilld.jsonc');
  let program: Program;
  let daemon: DaemonProcess;

  beforeAll(async () => {
    program = await packed(folder);
    daemon = await DaemonProcess.start({ config, stateDir: join(folder, 'state'), program });
  }, 60_000);
  afterAll(async () => {
    await daemon?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('reaches the service, takes a payment and reports it', async () => {
    const status = async () => ((await daemon.ask('GET', '/v2/status')) as StatusAnswer).data;
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

  it('serves devices of the shop under an authority that it makes', async () => {
    const file = join(folder, 'config/lan.jsonc');
    const lan = '"version": 1, "listen": { "lan": { "name": "shop", "host": "127.0.0.1", "port": 0 } },';
    writeFileSync(file, readFileSync(config, 'utf8').replace('"version": 1,', lan));
    const served = await DaemonProcess.start({ config: file, stateDir: join(folder, 'lan'), program });
    const url = await eventually(async () => {
      const { data } = (await served.ask('GET', '/v2/status')) as { data: { urls: { lan: string | null } } };
      return data.urls.lan ?? undefined;
    });
    const reply = await fetch(`${url.replace('https://shop.local', 'http://127.0.0.1')}/trust/ca.crt`);
    const { subject } = new X509Certificate(Buffer.from(await reply.arrayBuffer()));
    expect(subject).toBe('O=tilld\nCN=tilld shop.local');
    await served.stop();
  }, 60_000);

  it('has source maps that lead to our sources', () => {
    const lines = readFileSync(join(folder, 'src/tilld.js'), 'utf8').split('\n');
    const line = lines.findIndex((text) => text.includes(READY_CALL));
    const map = new SourceMap(JSON.parse(readFileSync(join(folder, 'src/tilld.js.map'), 'utf8')));
    const entry = map.findEntry(line, lines[line]?.indexOf(READY_CALL) ?? -1);
    expect(entry).toMatchObject({ originalSource: '../src/agent/serve.ts' });
  });

  it.each<[what: string, spoil: (cache: string) => void]>([
    ['is damaged', (cache) => onFilesIn(cache, (file) => truncateSync(file, 1_000))],
    ['has the bytes of something else', (cache) => onFilesIn(cache, (file) => writeFileSync(file, 'x'))],
    [
      'cannot be written',
      (cache) => {
        rmSync(cache, { recursive: true });
        writeFileSync(cache, 'a file where the folder should be');
      },
    ],
  ])(
    'starts with a compile cache that %s',
    async (_what, spoil) => {
      const state = join(folder, 'another');
      const cache = join(folder, 'cache');
      const options = { config, stateDir: state, program, env: { NODE_COMPILE_CACHE: cache } };
      await (await DaemonProcess.start(options)).stop();
      expect(filesIn(cache).length).toBeGreaterThan(10);
      spoil(cache);
      await (await DaemonProcess.start(options)).stop();
      rmSync(cache, { recursive: true });
    },
    60_000,
  );
});

/** The package as it lies on a disk, without the sources. */
async function packed(folder: string): Promise<Program> {
  await bundle(join(folder, 'src'));
  writeFileSync(join(folder, 'package.json'), '{"version":"0.1.0","type":"module"}');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const command = join(folder, 'tilld');
  writeFileSync(command, launcher('tilld', { lib: folder, node: process.execPath }), { mode: 0o755 });
  mkdirSync(join(folder, 'config'));
  cpSync(join(ROOT, 'config/demo/tilld.jsonc'), join(folder, 'config/tilld.jsonc'));
  return { name: 'package', command, args: [] };
}

/** The files of a compile cache, which are in one folder for each release of Node. */
function filesIn(cache: string): readonly string[] {
  return globSync(join(cache, '*/*'));
}

function onFilesIn(cache: string, change: (file: string) => void): void {
  for (const file of filesIn(cache)) change(file);
}
