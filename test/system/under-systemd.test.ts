import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { packages } from '../package/releases.ts';
import { BootedMachine, lackingToBoot } from './booted-machine.ts';

const lack = lackingToBoot();
const CONFIG = 'etc/tilld/tilld.jsonc';
/** Another amount each time: the same one within half a minute would be the same sale. */
let amount = 500;
function pay(): string {
  amount += 1;
  return `tillctl --json pay --device "Counter 1" --amount ${(amount / 100).toFixed(2)}`;
}
/** Asks for some seconds; prints the calls that were refused. A start that cannot sell yet answers with 503. */
const ASK = `for i in $(seq 40); do curl -sS -m 60 -o /dev/null -w '%{http_code}\\n' http://127.0.0.1:8480/healthz 2>&1; sleep 0.1; done | grep -iE 'refused|^000$'`;
/** A program of the user nobody that listens on the port of tilld, and says so. */
const THIEF = `setpriv --reuid=65534 --regid=65534 --clear-groups /usr/lib/tilld/node -e "require('net').createServer().listen(8480, '127.0.0.1', () => console.log('has it')).on('error', (e) => { console.log(e.code); process.exit(1); })"`;

describe.skipIf(lack !== '')(`the installed service under systemd${lack && ` (${lack})`}`, () => {
  let machine: BootedMachine;

  beforeAll(async () => {
    const [deb = ''] = await packages('0.1.0', ['amd64'], 'none');
    machine = await BootedMachine.boot(deb, (root) =>
      cpSync(join(root, 'usr/share/tilld/demo/tilld.jsonc'), join(root, CONFIG)),
    );
  }, 300_000);
  afterAll(() => machine?.off());
  beforeEach(() => machine.must('systemctl start tilld.socket tilld.service', 60_000), 90_000);

  const main = () => machine.unit('MainPID');
  const running = () => machine.until('systemctl is-active tilld', 60_000);
  const edit = (change: (text: string) => string) =>
    writeFileSync(machine.at(CONFIG), change(readFileSync(machine.at(CONFIG), 'utf8')));

  it('sells, by its command line and over its port', async () => {
    const { data } = JSON.parse(await machine.must(pay()));
    expect(data).toMatchObject({ status: 'succeeded', charged: 'yes' });
    expect(await machine.must('curl -s -m 5 http://127.0.0.1:8480/healthz')).toContain('"can_sell":true');
  });

  it('has its port and its socket from systemd', async () => {
    expect(await machine.unit('Listen', 'tilld.socket')).toMatch(
      /127\.0\.0\.1:8480[\s\S]*\/run\/tilld\/tilld\.sock/,
    );
    expect(await machine.must('stat -c "%U:%G %a" /run/tilld/tilld.sock')).toBe('tilld:tilld 660');
    expect(await machine.must(`ss -Hltn 'sport = :8480' | wc -l`)).toBe('1');
  });

  it('keeps connections waiting over a restart: none is refused', async () => {
    const asked = machine.sh(ASK, 60_000);
    await wait(500);
    await machine.must('systemctl restart tilld', 60_000);
    expect((await asked).out).toBe('');
  });

  it('is started again after kill -9, and the till that was waiting gets its answer', async () => {
    const before = await main();
    const asked = machine.sh(ASK, 60_000);
    await machine.must(`kill -9 ${before}`);
    // Only a request that the killed process had accepted can be without an answer.
    expect((await asked).out).toMatch(/^(000\n)?$/);
    await running();
    expect(await main()).not.toBe(before);
  });

  it('is started again after SIGTERM to its process alone', async () => {
    const before = await main();
    await machine.must(`kill ${before}`);
    await machine.until(
      `[ "$(systemctl show --value -p MainPID tilld)" -gt 0 ] && [ "$(systemctl show --value -p MainPID tilld)" != ${before} ]`,
    );
    await running();
  });

  it('is not given up after a crash loop', async () => {
    for (let crash = 0; crash < 25; crash += 1)
      await machine.sh(
        'systemctl kill -s KILL tilld; systemctl reset-failed tilld.socket 2>/dev/null; sleep 0.3',
      );
    await running();
    expect(await machine.unit('ActiveState', 'tilld.socket')).toBe('active');
    expect(JSON.parse(await machine.must(pay())).data.status).toBe('succeeded');
  }, 120_000);

  it('leaves its port to no other program while it is down', async () => {
    await machine.must('systemctl stop tilld');
    expect((await machine.sh(THIEF, 10_000)).out.trim()).toBe('EADDRINUSE');
  });

  it('stays down when it is stopped with its socket, whoever calls', async () => {
    await machine.must('systemctl stop tilld.socket tilld.service');
    expect((await machine.sh('curl -s -m 3 http://127.0.0.1:8480/healthz')).status).not.toBe(0);
    expect(await machine.unit('ActiveState')).toBe('inactive');
  });

  it('is started by the first till that calls', async () => {
    await machine.must('systemctl stop tilld.service');
    expect(await machine.must('curl -s -m 30 http://127.0.0.1:8480/healthz')).toContain('"can_sell"');
  });

  it('whose port another program took names its user, waits, and sells once it is free', async () => {
    await machine.must('systemctl stop tilld.socket tilld.service');
    const thief = machine.sh(THIEF, 60_000);
    await machine.until(`ss -Hltn 'sport = :8480' | grep -q LISTEN`);
    await machine.sh('systemctl start --no-block tilld.service');
    await machine.until(
      'systemctl show --value -p StatusText tilld | grep -q "port 8480 is held by a program of nobody"',
    );
    expect(await machine.unit('NRestarts')).toBe('0');
    await machine.must('pkill -9 -U nobody');
    await thief;
    await running();
    expect(JSON.parse(await machine.must(pay())).data.status).toBe('succeeded');
    await machine.must(
      'systemctl stop tilld.service && systemctl reset-failed; systemctl start tilld.socket',
    );
  }, 120_000);

  it('with another port in its configuration has both, and says so', async () => {
    edit((text) => text.replace('"version": 1,', '"version": 1, "listen": {"port": 9000},'));
    await machine.must('systemctl restart tilld', 60_000);
    for (const port of [8480, 9000])
      expect(await machine.must(`curl -s -m 5 http://127.0.0.1:${port}/healthz`)).toContain('can_sell');
    edit((text) => text.replace(' "listen": {"port": 9000},', ''));
    await machine.must('systemctl restart tilld', 60_000);
  });

  it('with a broken configuration waits for it, and comes up by itself', async () => {
    edit((text) => `${text} broken`);
    expect((await machine.sh('systemctl restart tilld', 60_000)).status).not.toBe(0);
    expect((await machine.sh('systemctl is-failed tilld')).out.trim()).not.toBe('failed');
    const tries = Number(await machine.unit('NRestarts'));
    await wait(5_000);
    expect(Number(await machine.unit('NRestarts')) - tries).toBeLessThanOrEqual(1);
    edit((text) => text.replace(/ broken$/, ''));
    await running();
  }, 120_000);

  it('starts nothing while its package is unpacked: who calls waits', async () => {
    await machine.must('systemctl stop tilld.service && cp /usr/bin/sleep /root/dpkg');
    const unpacks = machine.sh('/root/dpkg 60 & echo $! > /run/tilld.unpacking; wait', 70_000);
    await machine.until('pgrep -x dpkg');
    expect((await machine.sh('curl -s -m 2 http://127.0.0.1:8480/healthz')).status).toBe(28);
    await machine.must('pkill -x dpkg');
    await unpacks;
    await running();
    await machine.must('rm /run/tilld.unpacking');
  });

  it('is upgraded while tills ask: none is refused', async () => {
    const asked = machine.sh(ASK.replace('seq 40', 'seq 80'), 120_000);
    await wait(300);
    await machine.must(
      `env ${'DEBIAN_FRONTEND=noninteractive'} dpkg -i --force-confold /root/tilld.deb`,
      120_000,
    );
    expect((await asked).out).toBe('');
    expect(JSON.parse(await machine.must(pay())).data.status).toBe('succeeded');
    await machine.must('[ ! -e /run/tilld.unpacking ]');
  }, 180_000);

  it('has its errors, and only those, under the priority of errors', async () => {
    const priorities = (filter: string) =>
      machine.must(
        `journalctl -b -u tilld _COMM=MainThread + _SYSTEMD_UNIT=tilld.service -o json ${filter} --no-pager`,
      );
    const lines = (await priorities('')).split('\n').map((line) => JSON.parse(line));
    const ours = lines.filter(({ MESSAGE }) => typeof MESSAGE === 'string' && MESSAGE.startsWith('{'));
    expect(ours.length).toBeGreaterThan(20);
    const levels: Record<string, string> = { error: '3', warn: '4', info: '6', debug: '7' };
    for (const { MESSAGE, PRIORITY } of ours) expect(PRIORITY).toBe(levels[JSON.parse(MESSAGE).level]);
  });

  it('says to a person outside its group how to join it', async () => {
    await machine.sh('useradd -m till-staff');
    const outside = await machine.sh(
      'setpriv --reuid=till-staff --regid=till-staff --init-groups tillctl status',
    );
    expect(outside.status).not.toBe(0);
    expect(outside.err).toContain('you are not in the group tilld');
    const remedy = /sudo (usermod -aG tilld \S+?)\./.exec(outside.err)?.[1] ?? 'false';
    await machine.must(remedy);
    const inside = await machine.must(
      'setpriv --reuid=till-staff --regid=till-staff --init-groups tillctl status',
    );
    expect(inside).toMatch(/can sell|Counter 1/i);
  });

  it('trusts no socket of another user', async () => {
    await machine.sh('useradd -m mallory');
    await machine.must('install -d -m 777 /srv/shop && install -d -o mallory /srv/shop/.tilld');
    const mallory = machine.sh(
      `setpriv --reuid=mallory --regid=mallory --clear-groups /usr/lib/tilld/node -e "require('http').createServer((q, r) => r.end('paid')).listen('/srv/shop/.tilld/tilld.sock')"`,
      30_000,
    );
    await machine.until('[ -S /srv/shop/.tilld/tilld.sock ]');
    const asked = await machine.sh('cd /srv/shop && tillctl status');
    await machine.must('pkill -9 -U mallory');
    await mallory;
    expect(asked.status).not.toBe(0);
    expect(asked.err).toContain('belongs to mallory');
  });

  it('that hangs is ended by the watchdog, and started again', async () => {
    await machine.must(
      'mkdir -p /run/systemd/system/tilld.service.d && printf "[Service]\\nWatchdogSec=6\\n" > /run/systemd/system/tilld.service.d/soon.conf && systemctl daemon-reload && systemctl restart tilld',
      60_000,
    );
    const before = await main();
    await machine.must(`kill -STOP ${before}`);
    await machine.until(`[ "$(systemctl show --value -p MainPID tilld)" != ${before} ]`, 60_000);
    await running();
    await machine.must(
      'rm -r /run/systemd/system/tilld.service.d && systemctl daemon-reload && systemctl restart tilld',
      60_000,
    );
  }, 180_000);

  it('has limits of memory and of log lines, and little exposure', async () => {
    expect(Number(await machine.unit('MemoryHigh'))).toBeLessThanOrEqual(500 * 2 ** 20);
    expect(Number(await machine.unit('LogRateLimitBurst'))).toBeGreaterThan(0);
    const exposure = await machine.sh('systemd-analyze security tilld --no-pager | tail -1');
    expect(Number(/: (\d+\.\d)/.exec(exposure.out)?.[1])).toBeLessThanOrEqual(1.5);
  });

  it('comes back with the machine', async () => {
    for (const unit of ['tilld.socket', 'tilld.service'])
      expect(await machine.must(`systemctl is-enabled ${unit}`)).toBe('enabled');
  });
});
