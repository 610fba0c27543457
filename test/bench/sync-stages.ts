import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/store/database.ts';
import { MIRROR_MIGRATIONS } from '../../src/store/mirror/mirror-migrations.ts';
import { type BenchOptions, figuresOf, median, type Print } from './figure.ts';
import { startLeanService } from './service-beside.ts';
import { SyncParts } from './sync-parts.ts';

/** Stages take turns, so that whatever else the machine does meets all of them; the first round only warms up. */
const ROUNDS = 4;
const MOST_ROWS = 20_000;
const BAR = 0.45;

/** Of one stage, for the whole list: ms by the clock, and ms of this process. */
interface Took {
  readonly wall: number;
  readonly cpu: number;
}

/** What of a sync costs what: a list of the service from the bytes to the mirror, and on to the service. */
export async function syncStages({ rows: atMost }: BenchOptions, print: Print): Promise<void> {
  const rows = Math.min(atMost, MOST_ROWS);
  const { service, url } = await startLeanService({ customers: rows });
  const parts = await SyncParts.open(url, 'cursor');
  const moving = await SyncParts.open(url, 'offset');
  const stages = stagesOf(parts, moving, rows);
  const all = new Map<string, Took[]>(stages.map(([name]) => [name, []]));
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, work] of stages) {
        const took = await work();
        if (round > 0) all.get(name)?.push(took);
      }
    }
  } finally {
    await Promise.all([parts.close(), moving.close()]);
    service.disconnect();
  }
  printFigures(all, rows, print);
}

type Stage = readonly [name: string, work: () => Promise<Took>];

function stagesOf(parts: SyncParts, moving: SyncParts, rows: number): readonly Stage[] {
  return [
    [GET, () => taken(() => parts.get(rows))],
    [PARSE, () => taken(() => parts.parsed(rows))],
    [BARE, () => inMirror(({ path }) => taken(() => parts.stored(rows, path)))],
    ['records by the connector', () => taken(() => parts.listed())],
    ['and fingerprints, judged', () => taken(() => parts.judged())],
    [WHOLE, () => inMirror((mirror) => taken(() => parts.mirrored(mirror)))],
    [
      'whole run, nothing changed',
      () =>
        inMirror(async (mirror) => {
          await parts.mirrored(mirror);
          return taken(() => parts.mirrored(mirror));
        }),
    ],
    [
      'whole run of a list with offsets, read twice',
      () => inMirror((mirror) => taken(() => moving.mirrored(mirror))),
    ],
    ['whole run into the service', () => inMirror((mirror) => taken(() => parts.imported(mirror)))],
  ];
}

const GET = 'GET';
const PARSE = 'GET and JSON.parse';
const BARE = 'GET, JSON.parse and the bare statement';
const WHOLE = 'whole run into an empty mirror';

function printFigures(all: ReadonlyMap<string, readonly Took[]>, rows: number, print: Print): void {
  const figure = figuresOf('sync-stages', print);
  const rate = (name: string, of: keyof Took) =>
    rows / (median((all.get(name) ?? []).map((took) => took[of])) / 1_000);
  for (const name of all.keys()) {
    figure(name, rate(name, 'wall'), 'rows/s', { name: PARSE, value: rate(PARSE, 'wall') });
    figure(`${name}, processor time`, rate(name, 'cpu'), 'rows/s', {
      name: PARSE,
      value: rate(PARSE, 'cpu'),
    });
  }
  for (const clock of ['wall', 'cpu'] as const) {
    const by = clock === 'wall' ? 'by the clock' : 'by processor time';
    const whole = rate(WHOLE, clock) / rate(PARSE, clock);
    figure(`whole run / GET and JSON.parse, ${by}`, whole, '×', { name: 'the bar', value: BAR });
    figure(`whole run / with the bare statement, ${by}`, rate(WHOLE, clock) / rate(BARE, clock), '×');
  }
}

async function taken(work: () => Promise<void>): Promise<Took> {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wall: performance.now() - wall, cpu: (user + system) / 1_000 };
}

async function inMirror(work: (mirror: Database) => Promise<Took>): Promise<Took> {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-bench-'));
  const mirror = Database.open(join(folder, 'mirror.db'), MIRROR_MIGRATIONS, '0.1.0', 'normal');
  try {
    return await work(mirror);
  } finally {
    mirror.close();
    rmSync(folder, { recursive: true });
  }
}
