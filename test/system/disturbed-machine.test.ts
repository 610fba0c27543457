import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { packages } from '../package/releases.ts';
import { lackingToBoot } from './booted-machine.ts';
import { ShopMachine } from './shop-machine.ts';

const lack = lackingToBoot();
const DAYS = 86_400_000;
const DROP_IN = '/etc/systemd/system/tilld.service.d/test.conf';
const SMALL_DISK = `systemctl stop tilld.socket tilld.service && cp -a /var/lib/tilld /var/tmp/books &&
  mount -t tmpfs -o size=96M tmpfs /var/lib/tilld && cp -a /var/tmp/books/. /var/lib/tilld`;
const LARGE_DISK = `systemctl stop tilld.socket tilld.service; cp -a /var/lib/tilld/. /var/tmp/books;
  umount /var/lib/tilld && rm -f /var/tmp/books/filled && cp -a /var/tmp/books/. /var/lib/tilld; rm -rf /var/tmp/books`;

describe.skipIf(lack !== '')(`the machine of the shop is disturbed${lack && ` (${lack})`}`, () => {
  let shop: ShopMachine;

  beforeAll(async () => {
    const [deb = ''] = await packages('0.1.0', ['amd64'], 'none');
    shop = await ShopMachine.boot(deb, 'off');
    cpSync(
      join(import.meta.dirname, '../support/wrong-clock.mjs'),
      shop.machine.at('usr/local/lib/wrong-clock.mjs'),
    );
  }, 300_000);
  afterAll(() => shop?.machine.off());
  beforeEach(async () => {
    await shop.machine.must('systemctl start tilld.socket tilld.service', 60_000);
    await shop.sells();
  }, 90_000);

  const main = () => shop.machine.unit('MainPID');
  const health = () => shop.machine.sh('curl -s -m 5 http://127.0.0.1:8480/healthz').then(({ out }) => out);

  it('its power is cut: it sells again by itself', async () => {
    await shop.machine.powerCut();
    await shop.sells();
    expect(await shop.sell()).toBe('succeeded');
  }, 120_000);

  it('its power is cut while a customer pays: the outcome is found out, and nothing was charged', async () => {
    const id = await shop.customer();
    await shop.machine.powerCut();
    expect(await shop.outcome(id)).not.toBe('succeeded');
    expect(await shop.charges()).toBe(0);
    await shop.sells();
    expect(await shop.sell()).toBe('succeeded');
  }, 180_000);

  it('its power is cut just after the terminal charged: the customer is charged once', async () => {
    const id = await shop.customer();
    await shop.approve();
    await shop.machine.powerCut();
    const outcome = await shop.outcome(id);
    expect(await shop.charges()).toBe(outcome === 'succeeded' ? 1 : 0);
    expect(await shop.charges()).toBeLessThanOrEqual(1);
  }, 180_000);

  it('its disk is full when tilld starts: it sells nothing, says why, and sells by itself once there is room', async () => {
    const { machine } = shop;
    await machine.must(SMALL_DISK);
    try {
      await machine.sh('cat /dev/zero > /var/lib/tilld/filled');
      await machine.sh('timeout 20 systemctl start tilld.socket tilld.service', 30_000);
      expect(await health()).not.toContain('"can_sell":true');
      expect(await machine.must('journalctl -u tilld -n 200 --no-pager')).toMatch(/full/);
      await machine.must('rm /var/lib/tilld/filled');
      await shop.sells();
      expect(await shop.sell()).toBe('succeeded');
    } finally {
      await machine.sh(LARGE_DISK, 60_000);
    }
  }, 180_000);

  it.each([400, -400])(
    'its clock is %i days off: it sells, and after the clock is right again, too',
    async (days) => {
      const { machine } = shop;
      writeFileSync(machine.at('usr/local/lib/clock-off'), String(days * DAYS));
      const setting =
        'Environment=NODE_OPTIONS=--import=/usr/local/lib/wrong-clock.mjs WRONG_CLOCK=/usr/local/lib/clock-off';
      await machine.must(
        `install -d /etc/systemd/system/tilld.service.d && printf '[Service]\\n%s\\n' '${setting}' > ${DROP_IN} && systemctl daemon-reload && systemctl restart tilld`,
        60_000,
      );
      await shop.sells();
      expect(await shop.sell()).toBe('succeeded');
      await machine.must(`rm ${DROP_IN} && systemctl daemon-reload && systemctl restart tilld`, 60_000);
      await shop.sells();
      expect([await shop.sell(), await shop.charges()]).toEqual(['succeeded', 1]);
      const { data } = JSON.parse((await machine.sh('tillctl --json doctor --full', 60_000)).out);
      const chain = data.find(({ id }: { id: string }) => id === 'journal-chain');
      expect(chain).toMatchObject({ level: 'ok' });
    },
    180_000,
  );

  it('its configuration is gone: it comes up by itself once the file is there', async () => {
    const { machine } = shop;
    await machine.must('mv /etc/tilld/tilld.jsonc /root/kept.jsonc');
    expect((await machine.sh('systemctl restart tilld', 30_000)).status).not.toBe(0);
    expect(await machine.must('journalctl -u tilld -n 20 --no-pager')).toContain(
      'there is no configuration file',
    );
    await machine.must('mv /root/kept.jsonc /etc/tilld/tilld.jsonc');
    await shop.sells();
  }, 120_000);

  it('a file of conf.d is broken: the journal names the file and its line, and it comes up once that is mended', async () => {
    const { machine } = shop;
    writeFileSync(machine.at('etc/tilld/conf.d/50-chain.jsonc'), '{\n  "lisen": {}\n}');
    expect((await machine.sh('systemctl restart tilld', 30_000)).status).not.toBe(0);
    expect(await machine.must('journalctl -u tilld -n 20 --no-pager')).toMatch(
      /conf\.d\/50-chain\.jsonc:2:3 lisen: .*did you mean "listen"/,
    );
    await machine.must('rm /etc/tilld/conf.d/50-chain.jsonc');
    await shop.sells();
  }, 120_000);

  it('a level of the log in conf.d is taken over by systemctl reload, without a restart', async () => {
    const { machine } = shop;
    const before = await main();
    const file = 'etc/tilld/conf.d/50-chain.jsonc';
    writeFileSync(machine.at(file), '{ "log": { "level": "debug" } }');
    await machine.must('systemctl reload tilld');
    await shop.sell();
    await machine.until(`journalctl -u tilld -n 300 --no-pager | grep -q '"level":"debug"'`);
    await machine.must(`rm /${file} && systemctl reload tilld`);
    expect(await main()).toBe(before);
  }, 60_000);

  it('its compile cache is damaged: it starts and sells', async () => {
    await shop.machine.must(
      'systemctl stop tilld && for f in $(find /var/cache/tilld -type f); do head -c 5000 /dev/urandom > $f; done; systemctl start tilld',
      60_000,
    );
    await shop.sells();
    expect(await shop.sell()).toBe('succeeded');
  }, 60_000);

  it('its journal daemon is killed: the same process sells on', async () => {
    const before = await main();
    await shop.machine.must('systemctl kill -s KILL systemd-journald; sleep 1');
    expect([await shop.sell(), await main()]).toEqual(['succeeded', before]);
  }, 60_000);

  it('its systemd starts itself anew: the same process sells on', async () => {
    const before = await main();
    await shop.machine.must('systemctl daemon-reexec; sleep 1');
    expect([await shop.sell(), await main()]).toEqual(['succeeded', before]);
  }, 60_000);

  it('root has copied the books and owns them now: it starts and sells', async () => {
    await shop.machine.must(
      'systemctl stop tilld && chown -R root:root /var/lib/tilld && systemctl start tilld',
      60_000,
    );
    await shop.sells();
    expect(await shop.sell()).toBe('succeeded');
  }, 60_000);

  it('the number of its last process belongs to another one: it starts and sells', async () => {
    await shop.machine.must(
      `systemctl stop tilld.socket tilld.service && sed -i 's/^[0-9]*/1/' /var/lib/tilld/tilld.pid 2>/dev/null; systemctl start tilld.socket tilld.service`,
      60_000,
    );
    await shop.sells();
  }, 60_000);

  it('tilld is restarted while a customer pays: the payment comes to its end', async () => {
    const id = await shop.customer();
    const restarted = shop.restart();
    await wait(1000);
    await shop.approve();
    await restarted;
    await shop.sells();
    expect([await shop.outcome(id), await shop.charges()]).toEqual(['succeeded', 1]);
  }, 120_000);

  it('tilld is drained and restarted: it sells at once', async () => {
    await shop.machine.must('tillctl drain --for 900');
    expect(await health()).toContain('"code":"draining"');
    await shop.restart();
    await shop.sells();
    expect(await shop.sell()).toBe('succeeded');
  }, 60_000);

  it('tilld crashes while it is drained: it sells at once, and the drain is over', async () => {
    await shop.machine.must('tillctl drain --for 900');
    await shop.machine.must(`kill -9 ${await main()}`);
    await shop.sells();
    expect(await shop.sell()).toBe('succeeded');
  }, 60_000);

  it('tilld crashes twenty times while a customer pays: the outcome is found out, and nobody is charged twice', async () => {
    const id = await shop.customer();
    for (let crash = 0; crash < 20; crash += 1)
      await shop.machine.sh('systemctl kill -s KILL tilld; sleep 0.4');
    expect(await shop.outcome(id)).not.toBe('in_progress');
    expect(await shop.charges()).toBeLessThanOrEqual(1);
    await shop.sells();
    expect(await shop.sell()).toBe('succeeded');
  }, 240_000);
});
