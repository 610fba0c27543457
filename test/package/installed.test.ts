import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { virtualZvt } from '../../drivers/terminals/zvt/virtual.ts';
import { silentLog } from '../../src/base/log.ts';
import { PACKAGE_KINDS } from '../../src/cli/offline/driver-new/kinds.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { startVirtualTerminal } from '../../src/sandbox/terminal/start-virtual-terminal.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { CleanRoot, lacking, tool } from '../support/clean-root.ts';
import { eventually } from '../support/daemon.ts';
import { writeZvtPackage } from '../support/driver-packages/write-package.ts';
import { textMemory, VIRTUAL_TERMINAL } from '../support/shop.ts';
import { PackagedDaemon } from './packaged-daemon.ts';
import { packages } from './releases.ts';

const lack = lacking(['debootstrap', 'lintian', 'dpkg-deb', 'systemd-analyze']);
const README = join(import.meta.dirname, '../../systemd/README.md');
const KEY = 'rk_sandbox_given_by_root';

describe.skipIf(lack !== '')(`the package in a clean Debian${lack && ` (${lack})`}`, () => {
  let deb = '';
  let root: CleanRoot;

  beforeAll(async () => {
    [deb = ''] = await packages('0.1.0');
    root = CleanRoot.make();
  });
  afterAll(() => root?.remove());

  it('has nothing that lintian warns of', async () => {
    expect(tool('lintian', '--allow-root', '--fail-on', 'error,warning', deb)).toBe('');
  });

  it('comes to its first sale with the three commands of the README', async () => {
    const [install = '', start = '', sell = '', ...more] = commandsOf(README);
    expect(more).toEqual([]);
    await root.must('apt-get update -qq');
    tool('cp', deb, root.at('tmp/tilld_0.1.0_amd64.deb'));
    const begin = performance.now();
    await root.must(
      `cd /tmp && ${install.replace('sudo ', '').replace('apt ', 'apt-get -y --no-install-recommends ')}`,
    );
    const shop = 'mkdir -p /tmp/shop && cd /tmp/shop &&';
    const as = (command: string) => `${shop} { ${command.replace(/&$/, '')} ;}`;
    await root.must(`chmod 1777 /tmp && ${shop} (${start.replace(/&$/, '> ready 2> log & echo $! > pid')})`);
    try {
      await eventually(() => readFileSync(root.at('tmp/shop/ready'), 'utf8').includes('tilld ready'), 30_000);
      expect(await root.must(as(sell))).toMatch(/12\.34/);
      const seconds = Math.round((performance.now() - begin) / 100) / 10;
      process.stdout.write(`${JSON.stringify({ path: 'deb to first sale', commands: 3, seconds })}\n`);
      const ledger = readFileSync(root.at('tmp/shop/.tilld/sandbox/terminal-counter-1.json'), 'utf8');
      expect(ledger.match(/"approved"/g)).toHaveLength(1);
    } finally {
      await root.must('kill $(cat /tmp/shop/pid)');
    }
  });

  it('made its user, who may open serial ports, and a folder that is closed to others', async () => {
    expect(await root.must('id tilld')).toMatch(/dialout/);
    expect((await root.must('stat -c "%U:%G %a" /var/lib/tilld')).trim()).toBe('tilld:tilld 750');
    expect((await root.must('stat -c "%U:%G %a" /etc/tilld/tilld.jsonc')).trim()).toBe('root:root 644');
    expect(await root.must('tillctl config check')).toMatch(/tilld\.jsonc is fine/);
  });

  it('sells as the user tilld, with the key that systemd would hand over', async () => {
    mkdirSync(root.at('run/credentials/tilld.service'), { recursive: true });
    writeFileSync(root.at('run/credentials/tilld.service/service-key'), KEY);
    await root.must(
      'chown -R tilld: /run/credentials/tilld.service && chmod -R go= /run/credentials/tilld.service',
    );
    const demo = ['--config', '/usr/share/tilld/demo/tilld.jsonc'];
    const daemon = await PackagedDaemon.start(root, demo);
    try {
      const { data } = await daemon.tillctl('pay --device "Counter 1" --amount 5.00');
      expect(data.status).toBe('succeeded');
      expect((await root.must('ls /var/lib/tilld/credentials')).split('\n')).not.toContain('service-key');
      const page = await (await fetch(daemon.url)).text();
      const files = [...page.matchAll(/(?:href|src)="(\/[^"]+)"|: "(\/pages\/[^"]+)"/g)];
      expect(files.length).toBeGreaterThan(5);
      for (const [, linked, vendor] of files)
        expect((await fetch(new URL(linked ?? vendor ?? '', daemon.url))).status, linked ?? vendor).toBe(200);
      const examined = await daemon.examined();
      expect(examined).toMatchObject({ state: 'done', failure: null });
      expect(examined.findings.map(({ id }) => id)).toContain('journal-chain');
    } finally {
      await daemon.end('SIGTERM');
    }
  });

  it('runs a driver package that root installed in a process of its own, and sells through it', async () => {
    const terminal = await startVirtualTerminal({ ...VIRTUAL_TERMINAL, autopilotMs: 50 }, virtualZvt, {
      clock: systemClock,
      log: silentLog,
      memory: textMemory(),
    });
    await writeZvtPackage(root.at('usr/lib/tilld/driver-packages'));
    const { hostname, port } = new URL(terminal.address.replace('tcp:', 'http:'));
    const link = { type: 'tcp', host: hostname, port: Number(port) };
    const device = { id: DEVICE_ID, name: 'Counter 1', driver: 'zvt-package', currency: 'EUR', link };
    const config = {
      version: 1,
      environment: 'sandbox',
      driver_packages: ['zvt-package'],
      devices: [device],
    };
    writeFileSync(root.at('etc/tilld/package.jsonc'), JSON.stringify(config));
    expect(await root.must('tillctl config check /etc/tilld/package.jsonc')).toMatch(/is fine/);
    const daemon = await PackagedDaemon.start(root, ['--config', '/etc/tilld/package.jsonc']);
    try {
      const { data } = await daemon.tillctl('pay --device "Counter 1" --amount 7.00');
      expect(data.status, daemon.log).toBe('succeeded');
      expect(terminal.snapshot().ledger.map(({ amountMinor }) => amountMinor)).toEqual([700]);
      const [found = ''] = (await root.must('grep -l driver-child.js /proc/[0-9]*/cmdline || true')).split(
        '\n',
      );
      const folder = dirname(found);
      expect(await root.must(`tr '\\0' ' ' < ${found}`)).toContain(
        '--permission --allow-fs-read=/usr/lib/tilld/',
      );
      expect(await root.must(`tr '\\0' ' ' < ${folder}/environ`)).toBe('UV_THREADPOOL_SIZE=1 ');
      const status = await root.must(`cat ${folder}/status`);
      const [rss, threads] = [/VmRSS:\s+(\d+)/.exec(status)?.[1], /Threads:\s+(\d+)/.exec(status)?.[1]];
      const mib = Math.round(Number(rss) / 1024);
      globalThis.process.stdout.write(
        `${JSON.stringify({ process: 'driver package', mib, threads: Number(threads) })}\n`,
      );
    } finally {
      await daemon.end('SIGTERM');
      await terminal.stop();
    }
  });

  it.each(PACKAGE_KINDS)(
    'makes a driver package of kind %s whose npm test is green at once',
    async (kind) => {
      const name = `acme${kind.replace(/\W/g, '')}`;
      expect(await root.must(`cd /tmp && tillctl driver new ${name} --kind ${kind}`)).toContain('npm test');
      const made = root.at(`tmp/${name}`);
      const path = `PATH=${dirname(process.execPath)}:${process.env['PATH']}`;
      tool('env', '-C', made, path, 'npm', 'install', '--offline', '--no-audit', '--no-fund');
      const { scripts } = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'));
      expect(scripts.test).toMatch(/^node /);
      // The Node of the package stands for the author's: a bare Debian has neither Node 24 nor npm.
      const tested = await root.must(`cd /tmp/${name} && /usr/lib/tilld/${scripts.test}`);
      expect(tested).toContain('"failed":0');
    },
  );

  it('has a unit that systemd takes without a word', async () => {
    const call = `--root=${root.path}`;
    expect(tool('systemd-analyze', 'verify', '--man=no', call, 'tilld.service')).toBe('');
  });

  it('has a manual and completions that its own shell can read', async () => {
    expect(await root.must('zcat /usr/share/man/man1/tillctl.1.gz')).toMatch(/\.SS end\\-of\\-day/);
    expect(tool('bash', '-n', root.at('usr/share/bash-completion/completions/tillctl'))).toBe('');
    expect(await root.must('tillctl complete -- sta')).toMatch(/^status\t/);
  });

  it('keeps the books when it is purged, and says where they are', async () => {
    const { err, status } = await root.sh('dpkg --purge tilld');
    expect({ status, err }).toMatchObject({
      status: 0,
      err: expect.stringMatching(/\/var\/lib\/tilld was kept/),
    });
    expect(await root.must('ls /var/lib/tilld/money.db')).toMatch(/money\.db/);
  });

  it('removes the books when it is purged by somebody who has said so', async () => {
    await root.must(
      'dpkg -i /tmp/tilld_0.1.0_amd64.deb && touch /etc/tilld/purge-state && dpkg --purge tilld',
    );
    expect((await root.sh('ls -d /var/lib/tilld /etc/tilld')).status).not.toBe(0);
  });
});

/** The commands of the README's first block of them. */
function commandsOf(file: string): readonly string[] {
  const block =
    /```sh\n(?<commands>[\s\S]*?)```/.exec(readFileSync(file, 'utf8'))?.groups?.['commands'] ?? '';
  return block.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
