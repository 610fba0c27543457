import { openSync, writeFileSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Queue, QueueFile } from './queue.ts';

/**
 * One shop that queues its jobs one by one, in a process of its own:
 * `workload.ts QUEUE_FILE DATABASE JOBS ACKS SETTINGS`.
 *
 * A job is acknowledged when the queue has returned or resolved; what it is found by goes to ACKS in one write. After the last one
 * the process is gone as in a power cut: nothing is closed, because closing saves what was not safe.
 */
async function main(
  file: string,
  database: string,
  jobs: number,
  acks: string,
  settings: string,
): Promise<void> {
  const { open } = (await import(pathToFileURL(file).href)) as QueueFile;
  const queue = await open(database);
  const acknowledge = await acknowledger(acks);
  for (let n = 1; n <= jobs; n += 1) acknowledge(String(await queue.enqueue(jobOf(n))));
  writeFileSync(settings, JSON.stringify(await settingsOf(queue)));
  process.kill(process.pid, 'SIGKILL');
}

function jobOf(n: number) {
  return { n, amountMinor: 1234, currency: 'EUR', reference: `order ${n}`, kind: 'result' };
}

async function settingsOf({ pragma }: Queue) {
  if (!pragma) return { journal_mode: null, synchronous: null };
  return { journal_mode: await pragma('journal_mode'), synchronous: await pragma('synchronous') };
}

/** Bun writes files past libc, where no recorder sees it; the recorder's own `write` is called there. */
async function acknowledger(acks: string): Promise<(text: string) => void> {
  if (!('bun' in process.versions)) {
    const fd = openSync(acks, 'a');
    return (text) => void writeSync(fd, text);
  }
  const ffi: string = 'bun:ffi';
  const { dlopen, ptr } = await import(ffi);
  const { symbols } = dlopen(process.env['LD_PRELOAD'], {
    open: { args: ['ptr', 'i32', 'i32'], returns: 'i32' },
    write: { args: ['i32', 'ptr', 'u64'], returns: 'i64' },
  });
  const O_WRONLY_CREAT_APPEND = 0x441;
  const fd = symbols.open(ptr(Buffer.from(`${acks}\0`)), O_WRONLY_CREAT_APPEND, 0o600);
  return (text) => {
    const bytes = Buffer.from(text);
    symbols.write(fd, ptr(bytes), bytes.length);
  };
}

const [file = '', database = '', jobs = '', acks = '', settings = ''] = process.argv.slice(2);
await main(file, database, Number(jobs), acks, settings);
