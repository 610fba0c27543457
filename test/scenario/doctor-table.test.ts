import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import type { CheckResult } from '../../src/cli/offline/doctor/check-result.ts';
import { examine } from '../../src/cli/offline/doctor.ts';
import { run } from '../../src/cli/program.ts';
import { BOOKS } from '../support/doctor-rows/books.ts';
import { SERVICE } from '../support/doctor-rows/service.ts';
import { SETTINGS } from '../support/doctor-rows/settings.ts';
import { SOURCES } from '../support/doctor-rows/sources.ts';
import { TERMINALS } from '../support/doctor-rows/terminals.ts';
import { DiagnosticContext } from '../support/doctor-table.ts';
import { aDay, copyOf, type StateFiles, stateFilesOf } from '../unit/cli/books.ts';

const BIN = join(import.meta.dirname, '../../src/cli/tillctl.ts');
const DOCTOR = join(import.meta.dirname, '../../src/cli/offline/doctor');
const ROWS = [...BOOKS, ...SETTINGS, ...TERMINALS, ...SERVICE, ...SOURCES];
/** What may begin a command that mends something. */
const COMMAND =
  /(?:^|[\s;(:])(?:tillctl|tilld|systemctl|systemd-analyze|chmod|chown|mv|rm|cp|install|usermod|mount|du|fuser|timedatectl|apt-get|npm|ping|getent|ip|ls|ss|ps|curl|openssl|resolvectl|update-grub|unset|sudo) \S/;
const MOST_MS = 10_000;
/** A deadline passes, or a process of another user starts: these are looked at all at once, because their shops are not each other's. */
const WAITED_FOR = new Set([
  'a terminal that says nothing',
  'a terminal at another speed',
  'a service that never answers',
  'a service that there is no way to',
  'books that the user of tilld may not write',
  'a state folder that is closed to who asks',
  'a user who is not in the group of the port',
]);

const home = mkdtempSync(join(tmpdir(), 'tilld-doctor-table-'));
let known: StateFiles | null = null;
let day: StateFiles;
const planted: { readonly fault: string; readonly id: string; readonly ms: number }[] = [];
beforeEach(async () => {
  known ??= copyOf(await stateFilesOf(aDay), join(home, 'state'));
  day = known;
});
afterAll(() => {
  rmSync(home, { recursive: true });
  const slowest = planted.toSorted((a, b) => b.ms - a.ms)[0];
  const ids = new Set(planted.map(({ id }) => id)).size;
  process.stdout.write(
    `doctor table: ${planted.length} faults planted, found and named under ${ids} ids; the slowest took ${Math.round(slowest?.ms ?? 0)} ms (${slowest?.fault ?? '-'})\n`,
  );
});

async function findingsOf(shop: DiagnosticContext): Promise<readonly CheckResult[]> {
  shop.writeConfig();
  if (shop.user !== null) return asUser(shop, shop.user);
  const io: Io = { ...NO_IO, env: shop.env };
  const options = { stateDir: shop.books.folder, config: shop.config, ...shop.options };
  return examine(options, io, shop.now, shop.machine);
}

/** The real program, started as another user. */
async function asUser({ books, config }: DiagnosticContext, uid: number): Promise<readonly CheckResult[]> {
  chmodSync(dirname(books.folder), 0o755);
  chmodSync(config, 0o644);
  const args = ['doctor', '--json', '--state-dir', books.folder, '--config', config];
  const child = spawn(process.execPath, [BIN, ...args], { cwd: '/', uid, gid: uid, env: {} });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  const document: { readonly data: readonly CheckResult[] } = JSON.parse(out);
  return document.data;
}

const GROUPS = ['webhooks', 'keys', 'outbox', 'devices', 'config'];

/** The commands of tillctl in a text that tillctl does not know. */
async function unknownVerbs(text: string): Promise<readonly string[]> {
  const found = [...text.matchAll(/tillctl ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g)];
  const known = await Promise.all(
    found.map(async ([, verb = '', second = '']) => {
      let help = '';
      const io = {
        ...NO_IO,
        out: (output: string) => {
          help += output;
        },
      };
      const exit = await run([verb, '--help'], io);
      const isThere =
        exit === 0 && (!GROUPS.includes(verb) || second === '' || help.includes(`  ${second} `));
      return isThere ? [] : [`${verb} ${second}`];
    }),
  );
  return known.flat();
}

const NO_IO: Io = {
  out: () => undefined,
  err: () => undefined,
  env: {},
  cwd: '/nonexistent',
  input: (async function* () {})(),
  onInterrupt: () => () => undefined,
};

/** Plants a fault in a shop of its own and has the doctor look. */
async function isNamed({ fault, id, level, what, fix, plant }: (typeof ROWS)[number]): Promise<void> {
  const shop = new DiagnosticContext(day);
  await plant(shop);
  const begin = performance.now();
  const found = await findingsOf(shop);
  const ms = performance.now() - begin;
  const named = found.find((one) => one.id === id && one.level === level && one.what.includes(what));
  const others = found.filter((one) => one.level !== 'ok');
  expect(named, `${fault}: ${JSON.stringify(others, null, 1)}`).toBeDefined();
  expect(named?.fix).toContain(fix);
  expect(named?.fix).toMatch(COMMAND);
  expect(named?.why).not.toBe('');
  expect(await unknownVerbs(named?.fix ?? '')).toEqual([]);
  // Another user has a process of its own, which compiles everything first.
  if (shop.user === null) expect(ms).toBeLessThan(MOST_MS);
  planted.push({ fault, id, ms: shop.user === null ? ms : 0 });
}

describe('the doctor', () => {
  it('finds nothing wrong with a shop that is well', async () => {
    const found = await findingsOf(new DiagnosticContext(day));
    expect(found.filter(({ level }) => level !== 'ok')).toEqual([]);
  });

  for (const row of ROWS.filter(({ fault }) => !WAITED_FOR.has(fault))) {
    const lacking = row.lack?.() ?? null;
    it.skipIf(lacking !== null)(
      `names ${row.fault} (${row.id}) and the command that mends it${lacking ?? ''}`,
      () => isNamed(row),
    );
  }

  const waited = ROWS.filter(({ fault, lack }) => WAITED_FOR.has(fault) && !lack?.());
  it(`names what it must wait for, and the command that mends it: ${waited.map(({ fault }) => fault).join(', ')}`, async () => {
    await Promise.all(waited.map(isNamed));
  });

  it('has a table of more than forty faults, no two of one name', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(40);
    expect(new Set(ROWS.map(({ fault }) => fault)).size).toBe(ROWS.length);
  });

  it('has its README say of each finding what it is and what mends it, and of no other', () => {
    const sources = readdirSync(DOCTOR).filter((name) => name.endsWith('.ts'));
    const text = sources.map((name) => readFileSync(join(DOCTOR, name), 'utf8')).join('\n');
    const ids = [
      ...text.matchAll(/(?:\b(?:ok|warn|fail|warn\)|fail\))\(\s*|const id = |^ {2}\[)'([a-z-]+)'/gm),
    ];
    const rows = readFileSync(join(DOCTOR, 'README.md'), 'utf8').matchAll(
      /^\| `([a-z-]+)` \| (.+?) \| (.*?) \| (.*?) \|$/gm,
    );
    const rowsOf = [...rows].map(([, id = '', level = '', , fix = '']) => ({ id, level, fix }));
    expect(rowsOf.map(({ id }) => id).sort()).toEqual([...new Set(ids.map(([, id]) => id))].sort());
    expect(rowsOf.filter(({ level, fix }) => level !== 'ok' && fix === '')).toEqual([]);
    for (const { id, level } of ROWS) expect(rowsOf.find((one) => one.id === id)?.level, id).toContain(level);
  });
});
