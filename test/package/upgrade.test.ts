import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CleanRoot, lacking } from '../support/clean-root.ts';
import { aWorld, eventually, type World } from '../support/daemon.ts';
import { PackagedDaemon } from './packaged-daemon.ts';
import { packages } from './releases.ts';

const lack = lacking(['debootstrap', 'dpkg-deb']);

describe.skipIf(lack !== '')(`another release over the books of a shop${lack && ` (${lack})`}`, () => {
  it('takes over a payment that is open, up and down, and refuses books that it cannot write', async () => {
    const [first = '', second = '', third = ''] = (
      await Promise.all(['0.1.0', '0.2.0', '0.3.0'].map((version) => packages(version, ['amd64'], 'none')))
    ).flat();
    const { root, world } = await aShop(first);

    let daemon = await PackagedDaemon.start(root);
    const sold = (await daemon.tillctl('pay --device "Counter 1" --amount 10.00')).data.id;
    let open = await cutShort(daemon, 2000);

    expect(await root.install(second)).toMatchObject({ status: 0 });
    daemon = await PackagedDaemon.start(root);
    expect(await version(root)).toBe('0.2.0');
    await settled(daemon, open);
    expect([chargedMinor(world), await statusOf(daemon, sold)]).toEqual([3000, 'succeeded']);

    open = await cutShort(daemon, 3000);
    expect(await root.install(first)).toMatchObject({ status: 0 });
    daemon = await PackagedDaemon.start(root);
    expect(await version(root)).toBe('0.1.0');
    await settled(daemon, open);
    expect([chargedMinor(world), await statusOf(daemon, sold)]).toEqual([6000, 'succeeded']);

    open = await cutShort(daemon, 4000);
    expect(await root.install(third)).toMatchObject({ status: 0 });
    daemon = await PackagedDaemon.start(root);
    await settled(daemon, open);
    open = await cutShort(daemon, 5000);

    const before = fingerprint(root);
    const refused = await root.install(first);
    expect(refused.status).not.toBe(0);
    expect(refused.out + refused.err).toMatch(
      /tilld 0\.1\.0 cannot write these books: they need 0\.3\.0 or later\. Nothing was changed/,
    );
    expect([await version(root), fingerprint(root)]).toEqual(['0.3.0', before]);

    daemon = await PackagedDaemon.start(root);
    await settled(daemon, open);
    expect(chargedMinor(world)).toBe(15_000);
    expect((await daemon.tillctl('payments')).data).toHaveLength(5);
    const findings = (await daemon.tillctl('doctor --state-dir /var/lib/tilld')).data;
    const bad = findings.filter(({ level }: { level: string }) => level === 'fail');
    expect(bad.map(({ id, what }: { id: string; what: string }) => `${id}: ${what}`)).toEqual([]);
    await daemon.end('SIGTERM');
  });
});

/** A machine with that release, whose terminal and service are somewhere else and outlive every daemon. */
async function aShop(deb: string): Promise<{ readonly root: CleanRoot; readonly world: World }> {
  const root = CleanRoot.make();
  onTestFinished(() => root.remove());
  const world = await aWorld({ autopilotMs: 8000 });
  await root.must('apt-get update -qq');
  expect(await root.install(deb)).toMatchObject({ status: 0 });
  cpSync(world.config, root.at('etc/tilld/tilld.jsonc'));
  mkdirSync(root.at('run/credentials/tilld.service'), { recursive: true });
  const key = readFileSync(`${world.folder}/state/credentials/service-key`, 'utf8');
  writeFileSync(root.at('run/credentials/tilld.service/service-key'), key);
  await root.must(
    'chown -R tilld: /run/credentials/tilld.service && chmod -R go= /run/credentials/tilld.service',
  );
  return { root, world };
}

/** Begins a payment and takes the daemon away while the customer is at the terminal. @returns its id */
async function cutShort(daemon: PackagedDaemon, minor: number): Promise<string> {
  const amount = (minor / 100).toFixed(2);
  const { id } = (await daemon.tillctl(`pay --device "Counter 1" --amount ${amount} --no-wait`)).data;
  await eventually(async () => (await statusOf(daemon, id)) === 'in_progress');
  await daemon.end('SIGKILL');
  return id;
}

async function settled(daemon: PackagedDaemon, id: string): Promise<void> {
  await eventually(async () => (await statusOf(daemon, id)) !== 'in_progress', 60_000);
  expect(await statusOf(daemon, id)).toBe('succeeded');
}

async function statusOf(daemon: PackagedDaemon, id: string): Promise<string> {
  const payments: readonly { readonly id: string; readonly status: string }[] = (
    await daemon.tillctl('payments')
  ).data;
  return payments.find((payment) => payment.id === id)?.status ?? 'missing';
}

async function version(root: CleanRoot): Promise<string> {
  return (await root.must("dpkg -s tilld | sed -n 's/^Version: //p'")).trim();
}

/** Every byte of the books; a life that is too short to come to rest adds no anchor. */
function fingerprint(root: CleanRoot): string {
  const hash = createHash('sha256');
  for (const name of ['money.db', 'money.db-wal', 'epoch', 'journal-anchors']) {
    const path = root.at(`var/lib/tilld/${name}`);
    hash.update(existsSync(path) ? readFileSync(path) : 'none');
  }
  return hash.digest('hex');
}

/** Minor units that were charged and stand, by the terminal's own ledger. */
function chargedMinor({ terminal }: World): number {
  const stands = terminal.snapshot().ledger.filter((entry) => entry.result === 'approved' && !entry.reversed);
  return stands.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
