import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Attack } from '../attack.ts';
import type { Field } from '../field.ts';
import { failedStart } from '../process.ts';

const USERS = 'users and files';
const START = 'starts refused';
const SECRETS = 'secrets';
const NOBODY = 65_534;
const MAX_OUTPUT = 4 * 1024 * 1024;

/** What another user of this machine can reach, and what an operator must not be able to start. */
export const MACHINE: readonly Attack[] = [
  {
    group: USERS,
    name: 'another user at the unix socket',
    expected: 'refused by the system',
    kind: 'heavy',
    run: async (field) => {
      if (process.getuid?.() !== 0) return { came: 'not tried: only root can play another user', pass: true };
      const answered = await asNobody(field.daemon.socketPath);
      return { came: answered, pass: answered === 'EACCES' };
    },
  },
  ...[
    ['tilld.sock', 0o660],
    ['money.db', 0o660],
    ['credentials', 0o700],
  ].map(
    ([name, most]): Attack => ({
      group: USERS,
      name: `who may open ${name}`,
      expected: `mode ${Number(most).toString(8)} or less`,
      run: (field) => {
        const mode = statSync(join(field.daemon.socketPath, '..', String(name))).mode & 0o777;
        return Promise.resolve({ came: `mode ${mode.toString(8)}`, pass: (mode & ~Number(most)) === 0 });
      },
    }),
  ),

  ...['0.0.0.0:0', '[::]:0', '192.0.2.1:0', 'till.shop:0'].map((listen) =>
    start(`--listen ${listen} without a certificate`, /certificate|tls/i, listen),
  ),
  start('a second daemon on the same state folder', /held by tilld with process id/, '127.0.0.1:0', true),

  {
    group: SECRETS,
    name: 'every key, in what the daemon has written to its log',
    expected: 'none, and a log of bounded size',
    run: (field) => {
      const { output } = field.daemon;
      const found = Object.entries(field.keys).filter(([, key]) => output.includes(key.slice(11)));
      const came = `${found.length} keys in ${Math.round(output.length / 1024)} KiB`;
      return Promise.resolve({ came, pass: found.length === 0 && output.length < MAX_OUTPUT });
    },
  },
  {
    group: SECRETS,
    name: 'every key, in the files of the state folder',
    expected: 'none',
    run: (field) => {
      const files = ['', '-wal'].map((tail) => readIfThere(`${field.daemon.databasePath}${tail}`));
      const found = Object.entries(field.keys).filter(([, key]) =>
        files.some((bytes) => bytes.includes(key.slice(11))),
      );
      return Promise.resolve({ came: `${found.length} keys`, pass: found.length === 0 });
    },
  },
];

/** A start that must end with exit code 2 and words that say why. */
function start(name: string, words: RegExp, listen: string, sameFolder = false): Attack {
  return {
    group: START,
    name,
    expected: `exit 2: ${words.source}`,
    ...(listen === '0.0.0.0:0' ? {} : { kind: 'heavy' as const }),
    run: async (field: Field) => {
      const folder = join(field.daemon.socketPath, '..');
      const ended = await failedStart(field.config, sameFolder ? folder : `${folder}-2`, listen);
      return {
        came: `exit ${ended.code}: ${ended.words.trim().slice(0, 200)}`,
        pass: ended.code === 2 && words.test(ended.words),
      };
    },
  };
}

/** What becomes of a connection by the user nobody: `EACCES`, or `connected`. */
function asNobody(path: string): Promise<string> {
  const script = `require('net').connect(${JSON.stringify(path)}).on('connect', () => { console.log('connected'); process.exit(); }).on('error', (e) => console.log(e.code))`;
  return new Promise((resolve) => {
    const options = { uid: NOBODY, gid: NOBODY, cwd: '/', timeout: 10_000 };
    execFile(process.execPath, ['-e', script], options, (error, stdout, stderr) => {
      resolve(stdout.trim() || stderr.trim().slice(0, 200) || String(error));
    });
  });
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
