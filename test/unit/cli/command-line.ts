import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Io } from '../../../src/cli/io.ts';
import { run } from '../../../src/cli/program.ts';

export interface Ran {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly ended: Promise<Ran>;
  interrupt(): void;
  readonly err: string;
}

/** Starts a command line inside this process. */
export function start(argv: readonly string[], more: Partial<Io> = {}): Running {
  const printed = { out: '', err: '' };
  let interrupt: () => void = () => undefined;
  const io: Io = {
    out: (text) => {
      printed.out += text;
    },
    err: (text) => {
      printed.err += text;
    },
    env: {},
    cwd: '/nonexistent',
    input: noInput(),
    onInterrupt: (listener) => {
      interrupt = listener;
      return () => undefined;
    },
    ...more,
  };
  return {
    ended: run(argv, io).then((exit) => ({ exit, ...printed })),
    interrupt: () => interrupt(),
    get err() {
      return printed.err;
    },
  };
}

/** An instant as the interface writes it. */
const RAW_INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/;
/** What is written for programs; a JSON document of several lines is, too. */
const FOR_PROGRAMS = /^\s*[{[]/;

/**
 * Runs a command line inside this process to its end.
 * @throws where it shows people an instant of the interface as it is: every time is in the time zone of the machine, or in UTC with `--utc`
 */
export async function command(argv: readonly string[], more: Partial<Io> = {}): Promise<Ran> {
  const ran = await start(argv, more).ended;
  const [raw] = argv.includes('--csv') || FOR_PROGRAMS.test(ran.out) ? [] : (RAW_INSTANT.exec(ran.out) ?? []);
  if (raw !== undefined) throw new Error(`tillctl ${argv.join(' ')} shows ${raw} instead of a local time`);
  return ran;
}

const BIN = fileURLToPath(new URL('../../../src/cli/tillctl.ts', import.meta.url));

/** Starts the real program in a process of its own. */
export function spawnTillctl(
  argv: readonly string[],
  input = '',
  env: Readonly<Record<string, string>> = {},
) {
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  const printed = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.err += text;
  });
  child.stdin.end(input);
  const ended = new Promise<Ran>((resolve) => {
    child.on('close', (exit) => resolve({ exit, ...printed }));
  });
  return { child, ended, printed };
}

/** The one JSON document that stands on standard output, and nothing else. */
export function documentOf(text: string): unknown {
  if (!text.endsWith('\n') || text.indexOf('\n') !== text.length - 1)
    throw new Error(`not one line: ${text}`);
  return JSON.parse(text);
}

async function* noInput(): AsyncGenerator<Uint8Array> {}
