import { dirname, join } from 'node:path';
import type { Attack, Verdict } from '../attack.ts';
import type { Field } from '../field.ts';
import type { HostileCopy } from '../hostile-packages.ts';
import { speak } from '../wire.ts';

const REACH = 'a driver reaches out';
const BREAKS = 'a driver breaks out';
const BOOKS = 'a driver lies';

/** The sale beside an attack must not take longer, whatever the package does. */
const SALE_MS = 5000;
const FAILED_MS = 15_000;

/** What the package must not get; it answers that it was refused. */
function refusedTry(name: string, title: string, argument?: unknown | ((field: Field) => unknown)): Attack {
  return {
    group: REACH,
    name: title,
    expected: 'refused, nothing read',
    run: async (field) => {
      const wanted = typeof argument === 'function' ? argument(field) : argument;
      const answer = await field.hostile.next().instruct({ name, argument: wanted });
      field.keep(answer ?? '');
      return { came: answer ?? 'the session ended', pass: answer?.startsWith('refused') ?? false };
    },
  };
}

/** What ends the process of the package, while another terminal takes a payment. */
function ends(group: string, name: string, title: string, reason: RegExp, argument?: unknown): Attack {
  return {
    group,
    name: title,
    expected: 'its process ends, others sell',
    run: async (field) => {
      const copy = field.hostile.next();
      await connected(copy);
      return beside(field, copy, reason, () => copy.instruct({ name, argument }));
    },
  };
}

/** What the package does in a payment of its own terminal: the end is in doubt, never a success. */
function inPayment(name: string, title: string, reason: RegExp | null): Attack {
  return {
    group: BOOKS,
    name: title,
    expected: 'in doubt, others sell',
    run: async (field) => {
      const copy = field.hostile.next();
      await copy.instruct({ name, when: 'payment' });
      const verdict = await beside(field, copy, reason, () => sell(field, copy));
      return { came: verdict.came, pass: verdict.pass && verdict.came.includes('in doubt') };
    },
  };
}

/** A row that is for `npm run security` only: it takes seconds, or much of the machine. */
function alone(attack: Attack): Attack {
  return { ...attack, kind: 'heavy' };
}

async function connected(copy: HostileCopy): Promise<void> {
  await copy.instruct({ name: 'environment' });
}

async function beside(
  field: Field,
  copy: HostileCopy,
  reason: RegExp | null,
  attack: () => Promise<string | null>,
): Promise<Verdict> {
  const failures = failuresOf(field, copy);
  const from = performance.now();
  const running = attack();
  const sale = await field.till.sell();
  const took = Math.round(performance.now() - from);
  const answer = await running;
  const why = reason === null ? '' : await failure(field, copy, failures.length);
  const isRight = reason === null || reason.test(why);
  const came = `${why || 'no end'}${answer === null ? '' : `, ${answer}`}; beside it sold in ${took} ms: ${sale.words}`;
  return { came, pass: isRight && sale.ok && took < SALE_MS };
}

/** Why the copy's process was ended, as the daemon's log says. */
async function failure(field: Field, copy: HostileCopy, before: number): Promise<string> {
  const until = performance.now() + FAILED_MS;
  for (;;) {
    const last = failuresOf(field, copy);
    if (last.length > before) return last.at(-1) ?? '';
    if (performance.now() > until) return '';
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function failuresOf(field: Field, { name }: HostileCopy): readonly string[] {
  const lines = field.daemon.output.split('\n').filter((line) => line.includes('driver package failed'));
  return lines.flatMap((line) => {
    const { package: of, reason } = JSON.parse(line);
    return of === name ? [reason] : [];
  });
}

/** A sale on the terminal of the package, and how it stands after a while. */
async function sell(field: Field, { deviceId }: HostileCopy): Promise<string> {
  const body = JSON.stringify({ device_id: deviceId, amount_minor: 1234, currency: 'EUR' });
  const id = await created(field, body);
  for (let turn = 0; turn < 200; turn += 1) {
    const text = await ask(field, 'GET', `/v2/terminal-payments/${id}`, '');
    if (/"in_doubt":true/.test(text)) return 'in doubt';
    const status = /"status":"(\w+)"/.exec(text)?.[1] ?? 'nothing';
    if (!['requested', 'in_progress'].includes(status)) return status;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return 'no end';
}

/** It is connected a moment before it can sell. */
async function created(field: Field, body: string): Promise<string> {
  for (let turn = 0; ; turn += 1) {
    const answer = await ask(field, 'POST', '/v2/terminal-payments', body);
    const id = /"id":"([0-9a-f-]{36})"/.exec(answer)?.[1];
    if (id !== undefined) return id;
    if (turn > 40) throw new Error(answer.slice(-300));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function ask(field: Field, method: string, path: string, body: string): Promise<string> {
  const type = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${field.authority}\r\nConnection: close\r\n${type}\r\n`;
  return (await speak(field.socket, `${head}${body}`, { limitMs: 10_000 })).text;
}

const BUILTINS = [
  'fs',
  'fs/promises',
  'net',
  'http',
  'https',
  'http2',
  'tls',
  'dgram',
  'dns',
  'child_process',
  'worker_threads',
  'cluster',
  'inspector',
  'module',
  'vm',
  'os',
  'process',
  'v8',
  'wasi',
  'sqlite',
  'async_hooks',
  'util',
];

const stateFile = (name: string) => (field: Field) =>
  `file://${join(dirname(field.daemon.socketPath), name)}`;

const REACHES: readonly Attack[] = [
  ...BUILTINS.map((name) => refusedTry('import', `imports node:${name}`, `node:${name}`)),
  refusedTry('import', 'imports fs without its prefix', 'fs'),
  refusedTry('import', 'imports a package of tilld', 'better-sqlite3'),
  refusedTry(
    'import',
    'imports a source file of tilld',
    `file://${join(import.meta.dirname, '../../../src/driver-packages/child/channel.ts')}`,
  ),
  refusedTry('import', 'imports code from a data: URL', 'data:text/javascript,export * from "node:fs"'),
  refusedTry('import', 'imports code from a blob: URL', 'blob:nodedata:1'),
  refusedTry('import', 'imports code from the network', 'https://127.0.0.1/x.js'),
  refusedTry('importJson', 'reads credentials/ as JSON', stateFile('credentials/service-key')),
  refusedTry('importJson', 'reads credentials/ by a link in its own folder', './linked.json'),
  refusedTry('importJson', 'reads the configuration', (field: Field) => `file://${field.config}`),
  refusedTry('importJson', 'reads another package', '../hostile-1/package.json'),
  refusedTry('importText', 'reads the database as text', stateFile('money.db')),
  refusedTry('import', 'runs a file of the state folder', stateFile('credentials/service-key')),
  refusedTry('environment', 'reads the environment'),
  ...[
    'getBuiltinModule',
    'binding',
    'dlopen',
    'kill',
    '_debugProcess',
    'exit',
    'abort',
    'stdout',
    'mainModule',
    'ppid',
    'report',
  ].map((name) => refusedTry('property', `process.${name}`, name)),
  refusedTry('constructorOfProcess', 'the constructor of process'),
  ...['fetch', 'WebSocket', 'EventSource', 'WebAssembly', 'require', 'module', 'global', 'Worker'].map(
    (name) => refusedTry('global', `the global ${name}`, name),
  ),
  refusedTry('evaluate', 'eval'),
  refusedTry('function', 'new Function'),
  refusedTry('generatorFunction', 'the constructor of generators'),
  refusedTry('timerOfText', 'a timer of text'),
  refusedTry('metaResolve', 'import.meta.resolve of a module of Node'),
  refusedTry('stackFunctions', 'functions of a stack trace'),
  refusedTry('caller', 'the caller of a function'),
  refusedTry('patchArray', 'a method of Array replaced'),
  refusedTry('patchPromise', 'a method of Promise replaced'),
  refusedTry('patchMap', 'a method of Map replaced'),
  refusedTry('patchString', 'a method of String replaced'),
  refusedTry('patchFunction', 'a method of Function replaced'),
  refusedTry('catchSocket', 'a socket caught by a setter', '_handle'),
  refusedTry('consoleStream', 'the stream of the console'),
  refusedTry('kitPrototype', 'the driver kit replaced, as a module'),
  refusedTry('kitGlobal', 'the driver kit replaced, as a global'),
  refusedTry('hooks', 'the hooks of the loader'),
  refusedTry('otherLink', 'a link of its own making'),
];

const protocol = /breaks the protocol/;
const flood = /sends more than|breaks the protocol|too many requests/;
const memory = /more memory|ended by itself|hangs/;

const BREAKOUTS: readonly Attack[] = [
  ends(BREAKS, 'loop', 'a busy loop', /hangs/),
  ends(BREAKS, 'loopOfMicrotasks', 'a loop of promises', memory),
  alone(ends(BREAKS, 'wait', 'a wait that blocks', /hangs/)),
  alone(ends(BREAKS, 'slowRegex', 'a regular expression without end', /hangs/)),
  ends(BREAKS, 'throwInTimer', 'a throw in a timer', /failed/),
  ends(BREAKS, 'rejectUnhandled', 'a rejection that nothing handles', /failed: planted/),
  ends(BREAKS, 'throwInListener', 'a throw in a listener', /failed: planted/),
  ends(BREAKS, 'throwNothing', 'a throw of undefined', /failed: undefined/),
  alone(ends(BREAKS, 'allocateObjects', 'objects without end', memory)),
  alone(ends(BREAKS, 'allocateBuffers', 'buffers without end', memory)),
  alone(ends(BREAKS, 'allocateStrings', 'strings without end', memory)),
  alone(ends(BREAKS, 'allocateTimers', 'timers without end', memory)),
  ends(BREAKS, 'floodLog', 'a flood of log lines', flood),
  ends(BREAKS, 'floodConsole', 'a flood of console lines', flood),
  ends(BREAKS, 'floodTranscript', 'a flood of frames', flood),
  ends(BREAKS, 'floodLongLines', 'a flood of long frames', flood),
  ends(BREAKS, 'floodWrites', 'a flood of writes', flood),
  ends(BREAKS, 'floodDials', 'a flood of connections', flood),
  ends(BREAKS, 'floodCloses', 'a flood of closes', flood),
  ends(BREAKS, 'longLine', 'a text that is too long', protocol),
  ends(BREAKS, 'nested', 'a message that is nested 400,000 deep', protocol),
  ends(BREAKS, 'longLength', 'a message of 4 GiB announced', protocol),
  ...[
    ['a result of a call that never was', { type: 'result', call: 999_999, value: null, state: {} }],
    [
      'an outcome of a call that never was',
      { type: 'beforeEnd', call: 999_999, outcome: { kind: 'not_started', code: 'X', message: 'x' } },
    ],
    ['an approval of a call that never was', { type: 'accepted', call: 999_999 }],
    ['a message of no known type', { type: 'shutdown' }],
    ['a message that is no JSON', '{"type":'],
    ['a message that is a list', '[1,2,3]'],
    ['a type in the prototype', '{"__proto__":{"type":"ready"}}'],
    ['a link that it never had', { type: 'write', request: 1, link: 999, bytes: 'AAAA' }],
    ['a link by a negative number', { type: 'write', request: 1, link: -1, bytes: 'AAAA' }],
    ['a session that never was', { type: 'record', session: 999, direction: 'sent', summary: 'x' }],
    ['an answer to a ping that was not sent', { type: 'pong', count: 999_999 }],
    [
      'an error in place of a text',
      { type: 'record', session: 1, direction: 'sent', summary: { toString: 'x' } },
    ],
    ['a request number that is no number', { type: 'dial', request: '1', session: 1 }],
  ].map(([title, message]) => ends(BREAKS, 'forge', `forged: ${title}`, protocol, message)),
];

const LIES: readonly Attack[] = [
  inPayment('loopInPayment', 'it hangs in a payment', /hangs/),
  inPayment('throwInPayment', 'it fails in a payment', /failed/),
  inPayment('negativeAmount', 'it reports a negative amount', protocol),
  inPayment('brokenAmount', 'it reports half a cent', protocol),
  inPayment('textAmount', 'it reports an amount as text', protocol),
  inPayment('ownVerdict', 'it reports a verdict of its own', protocol),
];

/** A driver package of an attacker, beside a terminal that goes on selling. */
export const DRIVER_PACKAGES: readonly Attack[] = [...REACHES, ...BREAKOUTS, ...LIES];
