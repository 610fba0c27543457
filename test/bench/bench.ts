import { parseArgs } from 'node:util';
import type { BenchOptions, Print } from './figure.ts';

/** One figure of the product's, or a few that belong together; loaded when it is asked for. */
type Bench = (options: BenchOptions, print: Print) => Promise<void>;
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  syncs: async () => (await import('./syncs.ts')).syncs,
  latency: async () => (await import('./latency.ts')).latency,
  growth: async () => (await import('./growth.ts')).growth,
  upgrade: async () => (await import('./upgrade.ts')).upgrade,
  queue: async () => (await import('./queue.ts')).queue,
  start: async () => (await import('./start.ts')).start,
  serial: async () => (await import('./serial.ts')).serial,
  stream: async () => (await import('./stream.ts')).stream,
  'sync-mirror': async () => (await import('./sync-rows.ts')).syncMirror,
  'sync-import': async () => (await import('./sync-rows.ts')).syncImport,
  newcomer: async () => (await import('./newcomer.ts')).newcomer,
  mirror: async () => (await import('./mirror.ts')).mirror,
  'sync-stages': async () => (await import('./sync-stages.ts')).syncStages,
  load: async () => (await import('./load.ts')).load,
  'driver-hosts': async () => (await import('./driver-hosts.ts')).driverHosts,
  'payments-beside': async () => (await import('./payments-beside.ts')).paymentsBeside,
};
const OPTIONS = {
  rows: { type: 'string', default: '1000000' },
  times: { type: 'string', default: '300' },
  attempts: { type: 'string', default: '1000000' },
  seconds: { type: 'string', default: '600' },
  'sync-ms': { type: 'string', default: '0' },
  seventh: { type: 'boolean', default: false },
} as const;
const USAGE = `bench [-- NAME…] [--rows N] [--times N] [--attempts N] [--seconds N] [--sync-ms N] [--seventh]; names: ${Object.keys(BENCHES).join(', ')}`;

/** Runs what is named, or everything; one JSON line per figure. 1: a bench failed, 2: a wrong call. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS });
  const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
  const { rows, times, attempts, seconds, seventh } = values;
  const sizes = { rows: +rows, times: +times, attempts: +attempts, seconds: +seconds };
  const options = { ...sizes, syncMs: +values['sync-ms'], seventh };
  const isWrong =
    Object.values(sizes).some((size) => !Number.isSafeInteger(size) || size < 1) ||
    !Number.isSafeInteger(options.syncMs) ||
    options.syncMs < 0;
  if (isWrong || names.some((name) => !Object.hasOwn(BENCHES, name))) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const print: Print = (figure) => void process.stdout.write(`${JSON.stringify(figure)}\n`);
  for (const name of names) await (await BENCHES[name]?.())?.(options, print);
  return 0;
}

process.exitCode = await main();
