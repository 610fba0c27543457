import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildHubPackages } from '../../systemd/package/hub/hub-package.ts';
import { packages } from '../package/releases.ts';
import { BootedMachine, lackingToBoot } from './booted-machine.ts';

const lack = lackingToBoot();
const AS_HUB = 'setpriv --reuid tillhubd --regid tillhubd --init-groups';
const AS_POSTGRES = 'setpriv --reuid postgres --regid postgres --init-groups';
const CONFIG = 'etc/tilld/tilld.jsonc';
/** The shop asks its hub about once a minute, and is idle for some seconds before it ends. */
const TAKEN_MS = 150_000;
let amount = 500;

describe.skipIf(lack !== '')(`a shop and its hub, as they are installed${lack && ` (${lack})`}`, () => {
  const into = mkdtempSync(join(tmpdir(), 'tillhub-deb-'));
  let machine: BootedMachine;
  let agent = '';
  beforeAll(async () => {
    const [deb = ''] = await packages('0.1.0', ['amd64'], 'none');
    const [hub = ''] = await buildHubPackages({
      ...{ into, architectures: ['amd64'], version: '0.1.0', compression: 'none' },
    });
    const prepare = (root: string) => {
      cpSync(join(root, 'usr/share/tilld/demo/tilld.jsonc'), join(root, CONFIG));
      cpSync(hub, join(root, 'root/tillhub.deb'));
    };
    machine = await BootedMachine.boot(deb, prepare, ['postgresql']);
    await machine.must('pg_lsclusters -h | grep -q . || pg_createcluster 15 main', 120_000);
    await machine.must('systemctl restart postgresql', 120_000);
    await machine.until('pg_isready');
    await machine.must('dpkg -i /root/tillhub.deb', 60_000);
    const settings = readFileSync(machine.at('etc/tillhub/tillhub.env'), 'utf8');
    for (const [, step = ''] of settings.matchAll(/sudo -u postgres (create\w+ [^;)]+)/g))
      await machine.must(`${AS_POSTGRES} ${step}`);
    await machine.must(
      "sed -i -e 's/^#\\(TILLHUB_DATABASE=\"postgres:...tillhub\"\\)/\\1/' -e 's/^#PGHOST/PGHOST/' /etc/tillhub/tillhub.env",
    );
    await machine.must(`${AS_HUB} tillhub migrate && systemctl restart tillhub`, 60_000);
    await machine.until('curl -sS -m 10 -o /dev/null http://127.0.0.1:8490/');
    await machine.until('systemctl is-active tilld', 60_000);
  }, 600_000);
  afterAll(async () => {
    await machine?.off();
    rmSync(into, { recursive: true });
  });

  const hub = (words: string) => machine.must(`cd /root && HOME=/root ${AS_HUB} tillhub ${words}`);
  const sign = (words: string) =>
    machine.must(`tillhub ${words} --key /root/anna.key --agent ${agent} --operator Anna`);
  const ask = async (signed: string) => {
    await hub(`commands send ${signed} --tenant Bakery`);
  };
  const pid = () => machine.unit('MainPID');
  const another = (before: string) =>
    machine.until(
      `p=$(systemctl show --value -p MainPID tilld); [ "$p" -gt 0 ] && [ "$p" != ${before} ] && systemctl is-active tilld`,
      TAKEN_MS,
    );
  const sells = async () => {
    amount += 1;
    const sale = `tillctl --json pay --device "Counter 1" --amount ${(amount / 100).toFixed(2)}`;
    expect(JSON.parse(await machine.must(sale, 60_000)).data).toMatchObject({ status: 'succeeded' });
  };

  it('join by a code, and the journal of the shop is at the hub', async () => {
    await sells();
    await hub('tenants add Bakery');
    const [code = ''] = (await hub("shops invite 'Berlin 1' --tenant Bakery")).split('\n');
    const half = await machine.must('tillhub keys new /root/anna.key');
    await machine.must(`tillctl fleet join http://127.0.0.1:8490 ${code} --operator-key Anna=${half}`);
    agent = /^(\S+)/.exec(await hub('shops list --tenant Bakery --agents'))?.[1] ?? '';
    await machine.until(
      `[ "$(${AS_POSTGRES} psql -Atc 'SELECT count(*) > 4 FROM journal' tillhub)" = t ]`,
      TAKEN_MS,
    );
  }, 300_000);

  it('restart tilld when an operator asks, and the shop sells on', async () => {
    const before = await pid();
    await ask(await sign(`sign '{"kind": "restart"}'`));
    await another(before);
    await sells();
    expect(await hub('commands list --tenant Bakery')).toMatch(/restart {2}by Anna {2}done/);
    expect(await machine.must('journalctl -u tilld -o cat | grep -c "restarted by its fleet"')).toBe('1');
  }, 300_000);

  it('run settings that an operator signed, and go back where tilld dies with them', async () => {
    const before = await pid();
    await machine.must(`echo '{"heartbeat_ms": 4321}' > /root/settings.json`);
    await ask(await sign('configuration sign /root/settings.json --hours 1'));
    await another(before);
    expect(await machine.until('tillctl fleet status | grep judged', 60_000)).toMatch(/revision \d+/);
    await sells();
    for (let kill = 0; kill < 3; kill += 1) {
      const killed = await pid();
      await machine.must('systemctl kill -s KILL --kill-whom=main tilld');
      await another(killed);
    }
    expect(await machine.until('tillctl fleet status | grep "started 3 times"', 60_000)).toContain(
      'revision',
    );
    await sells();
    const doctor = await machine.sh('tillctl doctor --json');
    const checks: readonly { readonly id: string; readonly level: string; readonly what: string }[] =
      JSON.parse(doctor.out).data;
    expect(checks.find(({ id }) => id === 'fleet-settings')).toMatchObject({
      level: 'warn',
      what: expect.stringMatching(/was given up: .*; the files of this shop hold alone/),
    });
  }, 400_000);
});
