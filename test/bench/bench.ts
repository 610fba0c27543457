import { parseArgs } from 'node:util';
import type { Print, Wish } from './figure.ts';
import { paymentsBeside } from './payments-beside.ts';
import { syncImport, syncMirror } from './sync-rows.ts';

const BENCHES: Readonly<Record<string, (wish: Wish, print: Print) => Promise<void>>> = {
  'sync-mirror': syncMirror,
  'sync-import': syncImport,
  'payments-beside': paymentsBeside,
};
const USAGE = `bench [-- NAME…] [--rows N]; names: ${Object.keys(BENCHES).join(', ')}`;

/** Runs what is named, or everything; one JSON line per figure. 1: a bench failed, 2: a wrong call. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rows: { type: 'string', default: '1000000' } },
  });
  const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
  const rows = Number(values.rows);
  if (!Number.isSafeInteger(rows) || rows < 1 || names.some((name) => !Object.hasOwn(BENCHES, name))) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const print: Print = (figure) => void process.stdout.write(`${JSON.stringify(figure)}\n`);
  for (const name of names) await BENCHES[name]?.({ rows }, print);
  return 0;
}

process.exitCode = await main();
