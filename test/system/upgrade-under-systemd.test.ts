import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { packages } from '../package/releases.ts';
import { type Ended, tool } from '../support/clean-root.ts';
import { lackingToBoot } from './booted-machine.ts';
import { ShopMachine } from './shop-machine.ts';

const lack = lackingToBoot();
/** Nobody is there to answer: a question of dpkg is an error. */
const INSTALL = 'dpkg -i /root';
const UNATTENDED = '</dev/null';
/** Releases of these sources, by the file that the machine has them in. */
const RELEASES = [
  ['0.1.0', null],
  ['0.2.0', null],
  ['0.2.1', 'never ready'],
  ['0.2.2', 'ends at its start'],
  ['0.2.3', 'ends when it is ready'],
  ['0.3.0', 'never ready'],
] as const;
/** Releases whose program is right, and another file of the package is not. */
const FAULTY_FILES = [
  {
    version: '0.2.4',
    fault: 'its unit does not start',
    paths: ['usr/lib/systemd/system/tilld.service', 'usr/lib/tilld/systemd/tilld.service'],
    change: (text: string) => text.replace(/^ExecStart=/m, 'ExecStartPre=/bin/false\n$&'),
  },
  {
    version: '0.2.5',
    fault: 'its launcher gives Node an option that it does not know',
    paths: ['usr/lib/tilld/bin/tilld'],
    change: (text: string) => text.replace('--disable-sigusr1', '$& --no-such-option'),
  },
];

describe.skipIf(lack !== '')(`the package is upgraded${lack && ` (${lack})`}`, () => {
  let shop: ShopMachine;

  beforeAll(async () => {
    const files = await Promise.all(
      RELEASES.map(async ([version, fault]) => (await packages(version, ['amd64'], 'none', fault))[0] ?? ''),
    );
    shop = await ShopMachine.boot(files[0] ?? '', 'off');
    for (const [index, file] of files.entries())
      cpSync(file, shop.machine.at(`root/${RELEASES[index]?.[0]}.deb`));
    cpSync(older(files[0] ?? ''), shop.machine.at('root/0.0.9.deb'));
    for (const { version, paths, change } of FAULTY_FILES)
      cpSync(edited(files[1] ?? '', { version, paths, change }), shop.machine.at(`root/${version}.deb`));
  }, 600_000);
  afterAll(() => shop?.machine.off());

  const install = (version: string, environment = ''): Promise<Ended> =>
    shop.machine.sh(`env ${environment} ${INSTALL}/${version}.deb ${UNATTENDED}`, 300_000);
  /** The release that every test begins with, ready to sell. */
  beforeEach(async () => {
    await shop.machine.sh('pkill -9 dpkg; tillctl drain --end');
    const isThere = (await shop.packaged().catch(() => '')) === 'install ok installed 0.1.0';
    if (!isThere) expect(await install('0.1.0', 'TILLD_DRAIN_SECONDS=0')).toMatchObject({ status: 0 });
    await shop.machine.must('systemctl start tilld.socket tilld.service', 60_000);
    await shop.sells();
  }, 180_000);

  it('over an edited configuration: nobody is asked, every byte of it is kept, and it sells', async () => {
    shop.edit((text) => `// edited by the shop\n${text}`);
    const before = shop.config;
    expect(await install('0.2.0')).toMatchObject({ status: 0 });
    expect([shop.config, await shop.release()]).toEqual([before, '0.2.0']);
    expect(await shop.sell()).toBe('succeeded');
  });

  it('from a release whose conffile was edited: nobody is asked, and the file is kept as it is', async () => {
    const { machine } = shop;
    await machine.must('systemctl stop tilld.socket tilld.service');
    const before = shop.config;
    await machine.must(`dpkg --purge tilld; rm -rf /etc/tilld; ${INSTALL}/0.0.9.deb ${UNATTENDED}`, 120_000);
    expect(await machine.must('dpkg -s tilld | grep -A1 ^Conffiles')).toContain('/etc/tilld/tilld.jsonc');
    shop.edit(() => before);
    expect(await install('0.2.0')).toMatchObject({ status: 0 });
    expect(shop.config).toBe(before);
    expect(await machine.must('ls /etc/tilld')).toBe('conf.d\ntilld.jsonc');
    expect(await shop.sell()).toBe('succeeded');
  });

  it('keeps the defaults of a chain in conf.d, and brings its own', async () => {
    const { machine } = shop;
    writeFileSync(machine.at('etc/tilld/conf.d/50-chain.jsonc'), '{ "heartbeat_ms": 20000 }');
    expect(await install('0.2.0')).toMatchObject({ status: 0 });
    const { files } = JSON.parse(await machine.must('tillctl --json config check')).data;
    expect(files).toEqual([
      '/etc/tilld/conf.d/10-package.jsonc',
      '/etc/tilld/conf.d/50-chain.jsonc',
      '/etc/tilld/tilld.jsonc',
    ]);
    await machine.must('rm /etc/tilld/conf.d/50-chain.jsonc');
  });

  it('while a customer pays: waits, takes no other payment, and this one ends once', async () => {
    const id = await shop.customer();
    const installed = install('0.2.0');
    await shop.machine.until('tillctl --json status | grep -q draining');
    await wait(3000);
    expect(await shop.packaged()).toMatch(/ 0\.1\.0$/);
    const refused = await shop.machine.sh('curl -s -m 5 http://127.0.0.1:8480/healthz');
    expect(refused.out).toContain('"code":"draining"');
    await shop.approve();
    expect(await installed).toMatchObject({ status: 0 });
    expect([await shop.release(), await shop.outcome(id), await shop.charges()]).toEqual([
      '0.2.0',
      'succeeded',
      1,
    ]);
  });

  it('is put off where a terminal stays busy: nothing is changed, and payments are taken', async () => {
    const before = await shop.machine.unit('MainPID');
    const id = await shop.customer();
    const { status, err } = await install('0.2.0', 'TILLD_DRAIN_SECONDS=3');
    expect(status).not.toBe(0);
    expect(err).toMatch(/tilld: the upgrade is put off: a terminal was not idle within 3 s/);
    expect([await shop.packaged(), await shop.machine.unit('MainPID')]).toEqual([
      'install ok installed 0.1.0',
      before,
    ]);
    await shop.approve();
    expect([await shop.outcome(id), await shop.charges(), await shop.sell()]).toEqual([
      'succeeded',
      1,
      'succeeded',
    ]);
  });

  it('that is not to wait gives a payment 15 s, and its outcome is found out afterwards', async () => {
    const id = await shop.customer();
    const installed = install('0.2.0', 'TILLD_DRAIN_SECONDS=0');
    await wait(1500);
    await shop.approve();
    expect(await installed).toMatchObject({ status: 0 });
    await shop.sells();
    expect([await shop.outcome(id), await shop.charges()]).toEqual(['succeeded', 1]);
  });

  it('goes on at once where tilld was stopped', async () => {
    await shop.machine.must('systemctl stop tilld.socket tilld.service');
    expect(await install('0.2.0')).toMatchObject({ status: 0 });
    expect(await shop.packaged()).toBe('install ok installed 0.2.0');
    await shop.sells();
  });

  it('goes on where tilld hangs and answers nothing', async () => {
    await shop.machine.must('kill -STOP $(systemctl show --value -p MainPID tilld)');
    expect(await install('0.2.0')).toMatchObject({ status: 0 });
    await shop.sells();
    expect(await shop.release()).toBe('0.2.0');
  }, 180_000);

  it('over a configuration that is broken: it is installed, and sells once the file is mended', async () => {
    shop.edit((text) => `${text} broken`);
    await shop.machine.sh('systemctl restart tilld', 30_000);
    expect(await install('0.2.0', 'TILLD_READY_SECONDS=5')).toMatchObject({ status: 0 });
    shop.edit((text) => text.replace(/ broken$/, ''));
    await shop.sells();
    expect(await shop.release()).toBe('0.2.0');
  }, 180_000);

  const FAULTY = [
    ...RELEASES.slice(2, 5).map(([version, fault]) => [fault, version] as const),
    ...FAULTY_FILES.map(({ version, fault }) => [fault, version] as const),
  ];
  it.each(FAULTY)(
    'to a release that is faulty (%s): it is rolled back by itself, and the shop sells',
    async (_fault, version) => {
      const before = performance.now();
      const { status, err } = await install(version, 'TILLD_READY_SECONDS=10');
      expect(status).not.toBe(0);
      expect(err).toMatch(/not ready within 10 s and was rolled back: release 0\.1\.0 runs again/);
      expect(performance.now() - before).toBeLessThan(120_000);
      expect([await shop.release(), await shop.sell()]).toEqual(['0.1.0', 'succeeded']);
      expect(await shop.packaged()).toBe(`install ok half-configured ${version}`);
      expect(await shop.machine.must('journalctl -t tilld --no-pager')).toContain('was rolled back');
    },
    180_000,
  );

  it('after a roll-back tries once more only when the terminals are idle, and a restart keeps the old one', async () => {
    const { machine } = shop;
    await install('0.2.1', 'TILLD_READY_SECONDS=5');
    const id = await shop.customer();
    const again = await machine.sh(`TILLD_DRAIN_SECONDS=2 dpkg --configure -a ${UNATTENDED}`, 120_000);
    expect([again.status === 0, again.err]).toEqual([false, expect.stringContaining('put off')]);
    await shop.approve();
    expect([await shop.outcome(id), await shop.charges()]).toEqual(['succeeded', 1]);
    await shop.restart();
    expect([await shop.release(), await shop.sell()]).toEqual(['0.1.0', 'succeeded']);
    const third = await machine.sh(`TILLD_READY_SECONDS=5 dpkg --configure -a ${UNATTENDED}`, 120_000);
    expect([third.status === 0, third.err]).toEqual([false, expect.stringContaining('was rolled back')]);
    expect(await shop.sell()).toBe('succeeded');
  }, 240_000);

  it('after a roll-back to a mended release: that one runs, and nothing of the faulty one is left', async () => {
    await install('0.2.1', 'TILLD_READY_SECONDS=5');
    expect(await install('0.2.0')).toMatchObject({ status: 0 });
    expect([await shop.release(), await shop.packaged()]).toEqual(['0.2.0', 'install ok installed 0.2.0']);
    expect(existsSync(shop.machine.at('usr/lib/tilld-previous'))).toBe(false);
    expect((await shop.machine.sh('dpkg --verify tilld | grep -v tilld.jsonc')).out).toBe('');
  }, 180_000);

  it('by root who removes it after a roll-back: nothing is left but configuration and books', async () => {
    await install('0.2.1', 'TILLD_READY_SECONDS=5');
    await shop.machine.must('dpkg --remove tilld', 60_000);
    expect((await shop.machine.sh('ls -d /usr/lib/tilld* /usr/bin/tillctl')).out).toBe('');
    expect(await shop.machine.must('ls /etc/tilld/tilld.jsonc /var/lib/tilld/money.db')).toContain(
      'money.db',
    );
  }, 180_000);

  it.each([0, 150, 600, 1500])(
    'whose unpacking a power cut ends after %i ms: the machine sells with the release before, and the upgrade can be done again',
    async (ms) => {
      void shop.machine.sh(`${INSTALL}/0.2.0.deb ${UNATTENDED}`, 120_000);
      await shop.machine.until('[ -e /run/tilld.unpacking ]');
      await wait(ms);
      await shop.machine.powerCut();
      await shop.sells();
      expect(await shop.sell()).toBe('succeeded');
      expect(await install('0.2.0')).toMatchObject({ status: 0 });
      expect([await shop.release(), await shop.sell()]).toEqual(['0.2.0', 'succeeded']);
    },
    240_000,
  );

  it('of which a part of the files is in place when the power goes: the machine sells with the release before', async () => {
    void shop.machine.sh(`${INSTALL}/0.2.0.deb ${UNATTENDED}`, 120_000);
    await shop.machine.until('[ -e /run/tilld.unpacking ] && pkill -STOP -x dpkg');
    // As dpkg does it: a file of another release, renamed into its place.
    await shop.machine.must(
      'cd /usr/lib/tilld/src && for file in $(ls *.js | tail -n 20); do echo "of another release" > new && mv new $file; done',
    );
    await shop.machine.powerCut();
    await shop.sells();
    expect([await shop.release(), await shop.sell()]).toEqual(['0.1.0', 'succeeded']);
    expect(await install('0.2.0')).toMatchObject({ status: 0 });
    expect([await shop.release(), await shop.sell()]).toEqual(['0.2.0', 'succeeded']);
  }, 240_000);

  it('whose dpkg is killed while it unpacks: the machine sells with the release before, and nobody has to come', async () => {
    void shop.machine.sh(`${INSTALL}/0.2.0.deb ${UNATTENDED}`, 120_000);
    await shop.machine.until('[ -e /run/tilld.unpacking ]');
    await wait(300);
    await shop.machine.must('pkill -9 -x dpkg');
    await shop.sells();
    expect([await shop.release(), await shop.sell()]).toEqual(['0.1.0', 'succeeded']);
    expect(await install('0.2.0')).toMatchObject({ status: 0 });
    expect([await shop.release(), await shop.sell()]).toEqual(['0.2.0', 'succeeded']);
  }, 240_000);

  it('whose files are unpacked and not configured when the power goes: the release before sells until dpkg goes on', async () => {
    await shop.machine.must(`dpkg --unpack /root/0.2.0.deb ${UNATTENDED}`, 120_000);
    await shop.machine.powerCut();
    await shop.sells();
    expect(await shop.release()).toBe('0.1.0');
    await shop.machine.must(`dpkg --configure -a ${UNATTENDED}`, 120_000);
    expect([await shop.release(), await shop.sell()]).toEqual(['0.2.0', 'succeeded']);
  }, 240_000);

  it('to a faulty release, and the power goes while it is waited for: dpkg --configure -a rolls it back', async () => {
    void shop.machine.sh(`TILLD_READY_SECONDS=60 ${INSTALL}/0.2.1.deb ${UNATTENDED}`, 120_000);
    await shop.machine.until('[ "$(readlink /usr/lib/tilld-current)" = tilld-previous ]');
    await shop.machine.until('[ "$(readlink /usr/lib/tilld-current)" = tilld ]');
    await wait(3000);
    await shop.machine.powerCut();
    await shop.machine.sh(`TILLD_READY_SECONDS=5 dpkg --configure -a ${UNATTENDED}`, 120_000);
    await shop.sells();
    expect([await shop.release(), await shop.sell()]).toEqual(['0.1.0', 'succeeded']);
  }, 240_000);

  // The last one: no older release can write the books afterwards.
  it('to a faulty release that has changed the books for good: it stays, and says that there is no way back', async () => {
    // Long enough that its migration is done: before that the release before could write them still.
    const { status, err } = await install('0.3.0', 'TILLD_READY_SECONDS=30');
    expect(status).not.toBe(0);
    expect(err).toMatch(/tilld 0\.1\.0 cannot write these books/);
    expect(err).toMatch(/the new release is not ready, and release 0\.1\.0 cannot write the books any more/);
    expect(await shop.machine.must('readlink /usr/lib/tilld-current')).toBe('tilld');
    expect(await shop.machine.unit('ActiveState')).toBe('activating');
  }, 180_000);
});

/** A package some of whose files are changed, as another version. */
function edited(
  deb: string,
  { version, paths, change }: Omit<(typeof FAULTY_FILES)[number], 'fault'>,
): string {
  const { edit, pack } = opened(deb);
  for (const path of paths)
    edit(path, (text) => {
      if (change(text) === text) throw new Error(`${path} has no longer what is to be changed`);
      return change(text);
    });
  return pack(version);
}

/** A package that is taken apart, and put together again as another version. */
function opened(deb: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-older-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, 'root');
  tool('dpkg-deb', '-R', deb, root);
  const edit = (path: string, change: (text: string) => string) =>
    writeFileSync(join(root, path), change(readFileSync(join(root, path), 'utf8')));
  const pack = (version: string) => {
    edit('DEBIAN/control', (text) => text.replace(/^Version: .*$/m, `Version: ${version}`));
    const file = join(folder, `${version}.deb`);
    tool('dpkg-deb', '--root-owner-group', '-Znone', '--build', root, file);
    return file;
  };
  return { root, edit, pack };
}

/** The package as it was before: the configuration is a conffile, there is no `conf.d`, and its scripts know neither drain nor roll-back. */
function older(deb: string): string {
  const { root, edit, pack } = opened(deb);
  for (const name of ['tilld', 'tillctl']) {
    renameSync(join(root, `usr/lib/tilld/bin/${name}`), join(root, `usr/bin/${name}`));
    edit(`usr/bin/${name}`, (text) => text.replaceAll('tilld-current', 'tilld'));
  }
  rmSync(join(root, 'etc/tilld/conf.d'), { recursive: true });
  cpSync(join(root, 'usr/share/tilld/tilld.initial.jsonc'), join(root, 'etc/tilld/tilld.jsonc'));
  writeFileSync(join(root, 'DEBIAN/conffiles'), '/etc/tilld/tilld.jsonc\n');
  rmSync(join(root, 'DEBIAN/preinst'));
  const script = (name: string, lines: readonly string[]) =>
    writeFileSync(join(root, 'DEBIAN', name), ['#!/bin/sh', 'set -e', ...lines, ''].join('\n'));
  script('prerm', ['touch /run/tilld.unpacking', 'deb-systemd-invoke stop tilld.service >/dev/null || true']);
  script('postinst', [
    'systemd-sysusers tilld.conf',
    'systemd-tmpfiles --create tilld.conf',
    'deb-systemd-helper unmask tilld.socket >/dev/null; deb-systemd-helper unmask tilld.service >/dev/null',
    'deb-systemd-helper enable tilld.socket >/dev/null; deb-systemd-helper enable tilld.service >/dev/null',
    'rm -f /run/tilld.unpacking',
    'systemctl daemon-reload',
    'deb-systemd-invoke start tilld.socket tilld.service >/dev/null || true',
  ]);
  script('postrm', []);
  return pack('0.0.9');
}
