import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildHubPackages } from '../../systemd/package/hub/hub-package.ts';
import { tool } from '../support/clean-root.ts';
import { BootedMachine, lackingToBoot } from './booted-machine.ts';

const lack = lackingToBoot();
const PAGE = 'curl -sS -m 10 -o /dev/null -w %{http_code} http://127.0.0.1:8490/';
const AS_HUB = 'setpriv --reuid tillhubd --regid tillhubd --init-groups';

describe.skipIf(lack !== '')(`tillhub on a machine with PostgreSQL${lack && ` (${lack})`}`, () => {
  const packages = mkdtempSync(join(tmpdir(), 'tillhub-deb-'));
  let machine: BootedMachine;
  beforeAll(async () => {
    const [deb = ''] = await buildHubPackages({
      into: packages,
      architectures: ['amd64'],
      version: '0.1.0',
      compression: 'none',
    });
    machine = await BootedMachine.boot(deb, undefined, ['postgresql']);
    // A bootstrap has no locale yet when PostgreSQL would make its cluster.
    await machine.must('pg_lsclusters -h | grep -q . || pg_createcluster 15 main', 120_000);
    await machine.must('systemctl restart postgresql', 120_000);
    await machine.until('pg_isready');
  }, 600_000);
  afterAll(async () => {
    await machine?.off();
    rmSync(packages, { recursive: true });
  });

  const state = () => machine.unit('ActiveState', 'tillhub.service');

  it('waits, and is no failed service, until its database is named', async () => {
    expect(await state()).toBe('inactive');
    expect(await machine.unit('Result', 'tillhub.service')).toMatch(/^(success|exec-condition)$/);
    expect((await machine.sh('tillhub doctor')).err).toContain('TILLHUB_DATABASE');
  });

  it('has a unit that systemd takes without a word', () => {
    expect(tool('systemd-analyze', 'verify', '--man=no', `--root=${machine.path}`, 'tillhub.service')).toBe(
      '',
    );
  });

  it('is a hub after the steps that its settings name', async () => {
    const settings = readFileSync(machine.at('etc/tillhub/tillhub.env'), 'utf8');
    for (const [, step = ''] of settings.matchAll(/sudo -u postgres (create\w+ [^;)]+)/g))
      await machine.must(`setpriv --reuid postgres --regid postgres --init-groups ${step}`);
    await machine.must(
      "sed -i -e 's/^#\\(TILLHUB_DATABASE=\"postgres:...tillhub\"\\)/\\1/' -e 's/^#PGHOST/PGHOST/' /etc/tillhub/tillhub.env",
    );
    const line = /^# Then: (.+)$/m.exec(settings)?.[1] ?? '';
    await machine.must(line.replaceAll('sudo -u tillhubd', AS_HUB).replaceAll('sudo ', ''), 60_000);
    expect(await machine.must(`${AS_HUB} tillhub doctor`)).not.toMatch(/WARN|FAIL/);
    await machine.until(`${PAGE} | grep -q 200`);
    await machine.must(`${AS_HUB} tillhub tenants add Bakery`);
    expect(await machine.must(`${AS_HUB} tillhub shops invite 'Berlin 1' --tenant Bakery`)).toMatch(/^\S+\n/);
  }, 120_000);

  it('keeps its settings from other users', async () => {
    expect(await machine.must('stat -c "%U:%G %a" /etc/tillhub/tillhub.env')).toBe('root:tillhubd 640');
  });

  it('is there again after it was killed, and after PostgreSQL was away', async () => {
    const pid = Number(await machine.unit('MainPID', 'tillhub.service'));
    expect(pid).toBeGreaterThan(1);
    await machine.must(`kill -9 ${pid}`);
    await machine.until(`${PAGE} | grep -q 200`);
    await machine.must('systemctl stop postgresql');
    expect((await machine.sh(`${AS_HUB} tillhub doctor`)).out).toMatch(/^FAIL {2}database/);
    await machine.must('systemctl start postgresql');
    await machine.until(`${AS_HUB} tillhub doctor`);
    await machine.until('systemctl is-active tillhub.service');
  }, 120_000);

  it('runs again after an upgrade, and its database outlives a purge', async () => {
    await machine.must('dpkg -i /root/tilld.deb', 60_000);
    await machine.until(`${PAGE} | grep -q 200`);
    expect((await machine.must('dpkg --purge tillhub 2>&1', 60_000)).split('\n')).toContain(
      'tillhub: its PostgreSQL was not touched; it holds what the shops have reported.',
    );
    expect((await machine.sh('ls /etc/tillhub')).status).not.toBe(0);
    const tenants =
      "setpriv --reuid postgres --regid postgres --init-groups psql -Atc 'SELECT name FROM tenant' tillhub";
    expect(await machine.must(tenants)).toBe('Bakery');
  }, 120_000);
});
