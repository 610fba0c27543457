import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { overwrite } from '../support/damage.ts';
import { aFolder } from '../support/money-database.ts';
import { askOver } from '../support/socket.ts';
import { statusOf, Till, tillctl } from '../support/till.ts';
import { command } from '../unit/cli/command-line.ts';

const PAGE_BYTES = 4096;
const LISTS = ['invoices', 'customers', 'products'];
const LIMIT_MS = 600_000;
/** Both kinds of damage at every page are seven minutes; without it, the kinds take turns from page to page. */
const EVERY_DAMAGE = process.env['TILLD_EVERY_DAMAGE'] !== undefined;

interface Damage {
  readonly name: string;
  readonly apply: (file: string) => void;
}

/** A shop with a filled mirror whose daemon was stopped in good order. */
async function aShop(): Promise<{ readonly world: World; readonly till: Till; readonly whole: string }> {
  const inbox = join(aFolder(), 'inbox');
  mkdirSync(inbox);
  const people = Array.from({ length: 120 }, (_, row) => `${row},c${row}@shop.example,Customer ${row}`);
  writeFileSync(join(inbox, 'customers.csv'), `number,mail,name\n${people.join('\n')}\n`);
  // A file that was written to less than a second ago is left for the next run, which is a minute away.
  await wait(1_200);
  const customers = { files: 'customers*.csv', id: 'number', fields: { email: 'mail', name: 'name' } };
  const provider_a = {
    connector: 'files',
    folder: inbox,
    sink: 'service',
    interval_s: 60,
    settings: { still_s: 1, resources: { customers } },
  };
  const world = await aWorld({ autopilotMs: 20 }, { mirror: { lists: LISTS }, integrations: { provider_a } });
  const daemon = await Daemon.start(world);
  await askOver(daemon.socket, 'POST', '/v2/integrations/provider_a/activate', {});
  const till = await Till.at(daemon);
  await isRead(daemon);
  await daemon.stop();
  const whole = join(aFolder(), 'mirror.db');
  copyFileSync(mirrorOf(world), whole);
  return { world, till, whole };
}

const stateOf = (world: World) => join(world.folder, 'state');
const mirrorOf = (world: World) => join(stateOf(world), 'mirror.db');
const keptIn = (world: World) =>
  readdirSync(stateOf(world)).filter((name) => /^mirror\.db\.damaged-\d{4}-\d\d-\d\d-\d+$/.test(name));

/** Every list was read to its end. */
async function isRead(daemon: Daemon): Promise<void> {
  await eventually(async () => {
    const { integrations } = await statusOf(daemon);
    return (
      integrations.length === LISTS.length + 1 &&
      integrations.every(
        (one: { fresh_at: string | null; rows: number }) => one.fresh_at !== null && one.rows > 0,
      )
    );
  }, 30_000);
}

let minor = 1_000;
async function pay(till: Till): Promise<void> {
  minor += 1;
  const sale = { device_id: DEVICE_ID, amount_minor: minor, currency: 'EUR', reference: `basket ${minor}` };
  const { status, body } = await till.ask('POST', '/terminal-payments', sale);
  expect([status, body.error]).toEqual([201, undefined]);
  await eventually(
    async () =>
      (await till.ask('GET', `/terminal-payments/${body.data.id}`)).body.data.status === 'succeeded',
  );
}

function damages(pages: number): readonly Damage[] {
  const zeros = Buffer.alloc(PAGE_BYTES);
  const whole = (name: string, apply: (file: string) => void) => ({ name, apply });
  const ofPages = Array.from({ length: pages }, (_, page) => {
    const kinds = [
      whole(`page ${page + 1} of zeros`, (file) => overwrite(file, page * PAGE_BYTES, zeros)),
      whole(`page ${page + 1} of noise`, (file) =>
        overwrite(file, page * PAGE_BYTES, randomBytes(PAGE_BYTES)),
      ),
    ];
    return EVERY_DAMAGE ? kinds : kinds.slice(page % 2, (page % 2) + 1);
  }).flat();
  return [
    ...ofPages,
    whole('cut off in the middle', (file) => truncateSync(file, Math.floor(pages / 2) * PAGE_BYTES)),
    whole('cut off within a page', (file) => truncateSync(file, 3 * PAGE_BYTES + 100)),
    whole('no database at all', (file) => writeFileSync(file, 'x'.repeat(100_000))),
    whole('a folder', (file) => {
      rmSync(file);
      mkdirSync(file);
    }),
  ];
}

it(
  'a mirror with any page damaged stops no sale: it is set aside and read again, and the books are not touched',
  async () => {
    const { world, till, whole } = await aShop();
    const pages = statSync(whole).size / PAGE_BYTES;
    expect(pages).toBeGreaterThanOrEqual(22);
    const failures: string[] = [];
    for (const { name, apply } of damages(pages)) {
      for (const file of readdirSync(stateOf(world)).filter((one) => one.startsWith('mirror.db')))
        rmSync(join(stateOf(world), file), { recursive: true });
      copyFileSync(whole, mirrorOf(world));
      apply(mirrorOf(world));
      try {
        await sells(world, till);
      } catch (error) {
        failures.push(`${name}: ${String(error).slice(0, 600)}`);
      }
    }
    process.stdout.write(`${pages} pages, ${damages(pages).length} damages, ${failures.length} failed\n`);
    expect(failures).toEqual([]);
  },
  LIMIT_MS,
);

/** The daemon is ready, a sale succeeds, the mirror was set aside and is read again, and what is said of it is true. */
async function sells(world: World, till: Till): Promise<void> {
  const before = world.service.control.ledger().length;
  const daemon = await Daemon.start(world);
  try {
    const moved = till.moved(daemon);
    const { reasons } = await statusOf(daemon);
    const shownReason = reasons.find(({ code }: { code: string }) => code === 'mirror_replaced');
    await pay(moved);
    await isRead(daemon);
    expect(keptIn(world)).toHaveLength(1);
    if (shownReason)
      expect(shownReason.message).toMatch(/mirror\.db\.damaged-.*no customer was charged.*nothing to do/i);
    const places = ['--socket', daemon.socket, '--state-dir', stateOf(world), '--config', world.config];
    const doctor = await command(['doctor', ...places]);
    expect(doctor.out).toMatch(/mirror\.db\.damaged-\d{4}/);
    expect(doctor.out).toMatch(/no customer was charged/);
    await eventually(async () => world.service.control.ledger().length > before);
  } finally {
    await daemon.stop();
  }
  expect(readFileSync(mirrorOf(world)).subarray(0, 15).toString()).toBe('SQLite format 3');
  expect(existsSync(`${mirrorOf(world)}-wal`)).toBe(false);
}

it(
  'what the doctor says of a damaged mirror helps when it is followed to the letter',
  async () => {
    const { world, till } = await aShop();
    overwrite(mirrorOf(world), 6 * PAGE_BYTES, randomBytes(PAGE_BYTES));
    const stopped = { socket: join(stateOf(world), 'tilld.sock') };
    const asked = await tillctl(
      stopped,
      'doctor',
      '--json',
      '--state-dir',
      stateOf(world),
      '--config',
      world.config,
    );
    const { data } = JSON.parse(asked.stdout) as {
      data: readonly { id: string; level: string; fix: string }[];
    };
    const fix = data.find(({ id, level }) => id === 'mirror' && level === 'warn')?.fix ?? '';
    const command =
      /systemctl stop tilld\.socket tilld; (rm -rf [^;]+); systemctl start tilld\.socket tilld$/.exec(
        fix,
      )?.[1];
    execFileSync('sh', ['-c', command ?? 'false']);
    const daemon = await Daemon.start(world);
    await pay(till.moved(daemon));
    await isRead(daemon);
    expect(keptIn(world)).toEqual([]);
    await daemon.stop();
  },
  LIMIT_MS,
);

it(
  'the status says that a mirror was replaced until everything was read again, and the doctor also afterwards',
  async () => {
    const { world } = await aShop();
    overwrite(mirrorOf(world), 6 * PAGE_BYTES, randomBytes(PAGE_BYTES));
    world.service.control.behave({ offline: true });
    const daemon = await Daemon.start(world);
    const reason = async () =>
      (await statusOf(daemon)).reasons.find(({ code }: { code: string }) => code === 'mirror_replaced');
    expect((await reason()).message).toMatch(
      /set aside as mirror\.db\.damaged-.*is read again.*no customer was charged.*nothing to do/,
    );
    world.service.control.behaveWell();
    await isRead(daemon);
    await eventually(async () => (await reason()) === undefined);
    const doctor = await tillctl(daemon, 'doctor', '--state-dir', stateOf(world), '--config', world.config);
    expect(doctor.stdout).toMatch(/mirror\.db can be read\. .* was read again from its sources/);
    await daemon.stop();
  },
  LIMIT_MS,
);
