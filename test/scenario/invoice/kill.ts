import { parseArgs } from 'node:util';
import { playInvoices } from './rounds.ts';

const USAGE =
  'crash:invoice --rounds N [--workers N]   the way of an invoice, killed at every commit point of it';

/** Prints one JSON line at the end; 1 when an invoice was paid twice, or not everywhere once; 2 for a wrong call. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '20' }, workers: { type: 'string', default: '2' } },
  });
  const [rounds, workers] = [Number(values.rounds), Number(values.workers)];
  if (![rounds, workers].every((count) => Number.isSafeInteger(count) && count > 0)) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const startedAt = performance.now();
  const shares = Array.from({ length: workers }, (_, worker) => Math.ceil((rounds - worker) / workers));
  const results = await Promise.all(shares.map((share, worker) => playInvoices(share, worker, workers)));
  const failures = results.flatMap((result) => result.failures);
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  const sum = (of: (result: (typeof results)[number]) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const counts = {
    rounds,
    kills: sum(({ kills }) => kills),
    missed: sum(({ missed }) => missed),
    places: sum(({ places }) => places),
    of: Math.max(...results.map(({ of }) => of)),
  };
  process.stdout.write(`${JSON.stringify({ ...counts, failures, seconds })}\n`);
  return failures.length === 0 ? 0 : 1;
}

process.exitCode = await main();
