import { execFile } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { z } from 'zod';
import { only } from './words.ts';

/** Maximum bytes that are read from the end of a log, and maximum lines in the bundle. */
const MOST_BYTES = 4_194_304;
const MOST_LINES = 2_000;
const JOURNAL_MS = 3_000;
/** tilld's messages: small letters, a few signs, words of natural length, too few digits for any number. */
const MESSAGE = /^(?!(?:.*\d){5})(?!.*\S{25})[a-z][a-z0-9 ,;:'()./-]{0,119}$/;
/** The included fields, and the required form of each. */
const FIELDS = {
  time: only.instant,
  level: only.word,
  device: only.uuid,
  attempt: only.uuid,
  code: only.code,
  kind: only.word,
  reason: only.word,
  part: only.word,
  slot: only.word,
  status: only.number,
  ms: only.number,
  lost: only.number,
} as const;

const Line = z.record(z.string(), z.unknown());

/**
 * The newest lines of the log, of a file or of the system's journal: the known fields, each in its form, and the message where it has
 * the form of tilld's messages. Errors appear by their codes alone: their texts may come from other systems.
 */
export async function logLines(file: string | null) {
  const text = file === null ? await fromJournal() : endOf(file);
  const lines = text.split('\n').slice(-MOST_LINES).flatMap(lineOf);
  return { from: file === null ? 'journald' : 'file', lines };
}

function lineOf(text: string) {
  let parsed: z.infer<typeof Line>;
  try {
    parsed = Line.parse(JSON.parse(text));
  } catch {
    return [];
  }
  const fields = Object.entries(FIELDS).flatMap(([name, form]) =>
    parsed[name] === undefined ? [] : [[name, form(parsed[name])] as const],
  );
  const { msg } = parsed;
  return [{ ...Object.fromEntries(fields), msg: typeof msg === 'string' && MESSAGE.test(msg) ? msg : null }];
}

async function fromJournal(): Promise<string> {
  const args = ['-u', 'tilld', '-o', 'cat', '-n', String(MOST_LINES), '--no-pager', '-q'];
  const { stdout } = await promisify(execFile)('journalctl', args, {
    timeout: JOURNAL_MS,
    maxBuffer: MOST_BYTES,
  });
  return stdout;
}

function endOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, MOST_BYTES));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8');
  } finally {
    closeSync(file);
  }
}
