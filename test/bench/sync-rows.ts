import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { BenchAgent } from './agent.ts';
import { type BenchOptions, type Print, rounded } from './figure.ts';

const LOOK_MS = 500;
const LONGEST_MS = 20 * 60_000;
const TENTH = 0.1;
const LINES_AT_ONCE = 10_000;

interface Progress {
  readonly read: number;
  readonly rows: number;
  readonly outcome: string;
}

/** The mirror of a list of the service: from the first request to the row that readers see. */
export async function syncMirror({ rows }: BenchOptions, print: Print): Promise<void> {
  const agent = await BenchAgent.start({ mirror: { lists: ['customers'], interval_s: 86_400 } }, rows);
  try {
    await watched(agent, 'sync-mirror', rows, print);
  } finally {
    await agent.stop();
  }
}

/** An import: a CSV file of a provider, into the service, a hundred at a time. */
export async function syncImport({ rows }: BenchOptions, print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-bench-drop-'));
  await writeCustomers(folder, rows);
  const agent = await BenchAgent.start({ integrations: { provider_a: importIntegration(folder) } }, 0);
  try {
    await agent.ask('POST', '/v2/integrations/provider_a/activate', {});
    await watched(agent, 'sync-import', rows, print);
  } finally {
    await agent.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An integration that reads customers of a folder. */
export function importIntegration(folder: string): object {
  const fields = { email: 'mail', name: 'name' };
  return {
    connector: 'files',
    folder,
    settings: { still_s: 1, resources: { customers: { files: 'customers-*.csv', id: 'number', fields } } },
    interval_s: 60,
  };
}

export async function writeCustomers(folder: string, rows: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const file = createWriteStream(join(folder, 'customers-1.csv'));
  file.write('number,mail,name,town\n');
  for (let from = 0; from < rows; from += LINES_AT_ONCE) {
    const count = Math.min(LINES_AT_ONCE, rows - from);
    const lines = Array.from(
      { length: count },
      (_, index) => `${from + index},c${from + index}@shop.example,Customer ${from + index},Town\n`,
    );
    if (!file.write(lines.join(''))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
  await wait(1_500);
}

/** Follows the first run of the only stream to its end. */
async function watched(agent: BenchAgent, bench: string, rows: number, print: Print): Promise<void> {
  const startedAt = performance.now();
  const rss = { tenth: Number.NaN, most: 0 };
  for (;;) {
    await wait(LOOK_MS);
    const { read, outcome } = progressOf(agent);
    if (Number.isNaN(rss.tenth) && read >= rows * TENTH) rss.tenth = agent.rss();
    rss.most = Math.max(rss.most, agent.rss());
    if (outcome !== 'running' && outcome !== '') break;
    if (performance.now() - startedAt > LONGEST_MS)
      throw new Error(`${bench}: not done after ${LONGEST_MS} ms`);
  }
  const ms = performance.now() - startedAt;
  const { read, outcome } = progressOf(agent);
  const end = agent.rss();
  if (outcome !== 'complete') throw new Error(`${bench}: the run ended ${outcome}`);
  const shown = countOf(agent);
  if (shown !== rows) throw new Error(`${bench}: ${shown} rows instead of ${rows}`);
  const figure = (metric: string, value: number, unit: string) =>
    print({ bench, metric, value: rounded(value), unit, against: null, ratio: null });
  figure('rows', rows, 'rows');
  figure('time', ms / 1_000, 's');
  figure('rate', rows / (ms / 1_000), 'rows/s');
  figure('records read', read, 'records');
  print({
    bench,
    metric: 'RSS at the end',
    value: rounded(end / 1024 / 1024, 1),
    unit: 'MiB',
    against: 'RSS after a tenth of the records',
    ratio: rounded(end / rss.tenth),
  });
  figure('RSS, most', rss.most / 1024 / 1024, 'MiB');
}

function progressOf(agent: BenchAgent): Progress {
  return looking(agent, (database) => {
    const row = database
      .prepare('SELECT read, outcome, created AS rows FROM runs ORDER BY no DESC LIMIT 1')
      .get() as Progress | undefined;
    return row ?? { read: 0, rows: 0, outcome: '' };
  });
}

function countOf(agent: BenchAgent): number {
  const sql = `SELECT count(*) AS n FROM rows, streams
    WHERE rows.stream = streams.id AND rows.generation = streams.generation AND fate <> 2`;
  return looking(agent, (database) => (database.prepare(sql).get() as { n: number }).n);
}

function looking<T>(agent: BenchAgent, look: (database: Sqlite.Database) => T): T {
  const database = new Sqlite(agent.mirror, { readonly: true });
  try {
    return look(database);
  } finally {
    database.close();
  }
}
