import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { aFolder } from '../support/money-database.ts';
import { statusOf, tillctl } from '../support/till.ts';

const README = readFileSync(join(import.meta.dirname, '../../src/api/README.md'), 'utf8');
const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

/** The programs of the quick start, by the name in their first line. */
function programs(): ReadonlyMap<string, string> {
  const blocks = README.matchAll(/```(?:js|python)\n((?:\/\/|#) ([\w.]+):[\s\S]*?)```/g);
  return new Map([...blocks].map(([, text = '', name = '']) => [name, text]));
}

/** The shell blocks in their order, each with the output that is printed below it. */
function shellBlocks(): readonly { readonly block: string; readonly output: string }[] {
  const blocks = README.matchAll(/```sh\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g);
  return [...blocks].map(([, block = '', output = '']) => ({ block, output }));
}

async function aTill(name: string) {
  const world = await aWorld();
  const daemon = await Daemon.start(world);
  const file = join(world.folder, name);
  writeFileSync(file, programs().get(name) ?? '');
  const scopes = ['payments:read', 'payments:write', 'webhooks:read'].flatMap((scope) => ['--scope', scope]);
  const { stdout } = await tillctl(daemon, 'keys', 'create', ...scopes, '--json');
  const key: string = JSON.parse(stdout).data.key;
  const command = (args: readonly string[], url: string) => ({
    program: interpreterOf(name),
    args: [file, ...args],
    options: {
      cwd: world.folder,
      env: { ...process.env, TILLD_URL: url, TILLD_KEY: key, TILLD_DEVICE: DEVICE_ID },
    },
  });
  const pay = (amount: string, basket: string, url = daemon.url) => ended(command([amount, basket], url));
  return { world, daemon, key, pay, command };
}

function interpreterOf(name: string): string {
  return name.endsWith('.py') ? 'python3' : process.execPath;
}

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv };
}

function ended({ program, args, options }: Command) {
  return new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: `${stdout}${stderr}` }),
    );
  });
}

const charged = ({ terminal }: World) =>
  terminal.snapshot().ledger.map(({ kind, result, amountMinor }) => [kind, result, amountMinor]);

/** Loses the answer to the first request that creates a payment, after tilld has taken it. */
async function losingTheFirstAnswer(target: string): Promise<string> {
  let isLost = false;
  const server = createServer(async (request, response) => {
    const isFirst = request.method === 'POST' && !isLost;
    if (isFirst) isLost = true;
    await passedOn(target, request, isFirst ? null : response);
    if (isFirst) request.socket.destroy();
  });
  return urlOf(server);
}

/** Answers 503 with `Retry-After`, then 404 with a page that is no JSON, then as tilld does. `at`: when each creating request came. */
async function failingTwice(target: string, at: number[]): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') at.push(Date.now());
    if (request.method !== 'POST' || at.length > 2) return passedOn(target, request, response);
    await request.toArray();
    if (at.length === 1) response.writeHead(503, { 'retry-after': '2' }).end('{"error":"overloaded"}');
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
  });
  return urlOf(server);
}

/** Sends a request on to tilld, and its answer back; null: the answer is lost. */
async function passedOn(target: string, request: IncomingMessage, response: ServerResponse | null) {
  const body = request.method === 'GET' ? null : Buffer.concat(await request.toArray());
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
  const answer = await fetch(target + request.url, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    body,
  });
  response?.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
}

async function urlOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the quick start of the local interface', { timeout: 60_000 }, () => {
  it.each(['Decline', 'Cancel', 'Cut', 'kill −9'])('%s is shown with curl, in Node and in Python', (what) => {
    const [, block = ''] =
      new RegExp(`\\*\\*${what}[\\s\\S]*?\`\`\`sh\\n([\\s\\S]*?)\`\`\``).exec(README) ?? [];
    expect(
      [/^(?!node|python3).*\b(sale|pay|api) \S/m, /node pay\.mjs/, /python3 pay\.py/].filter(
        (program) => !program.test(block),
      ),
    ).toEqual([]);
  });

  it('has a program for each of the languages that it promises', () => {
    expect([...programs().keys()].sort()).toEqual(
      ['events', 'hook', 'pay'].flatMap((name) => [`${name}.mjs`, `${name}.py`]),
    );
  });

  describe.each(['pay.mjs', 'pay.py'])('%s', (name) => {
    const check = it.skipIf(name === 'pay.py' && !HAS_PYTHON);

    check('takes a payment, and says that the customer was charged', async () => {
      const till = await aTill(name);
      const { code, output } = await till.pay('1234', 'basket-1');
      expect(code, output).toBe(0);
      expect(output).toContain('succeeded charged: yes The customer HAS paid 12.34 EUR.');
      expect(charged(till.world)).toEqual([['sale', 'approved', 1234]]);
    });

    check('ends with a failure when the card is declined or the basket is paid already', async () => {
      const till = await aTill(name);
      till.world.terminal.press('decline');
      expect(await till.pay('1234', 'basket-1')).toMatchObject({
        code: 1,
        output: expect.stringMatching(/^declined charged: no /),
      });
      expect((await till.pay('1234', 'basket-1')).code).toBe(0);
      const { code, output } = await till.pay('1234', 'basket-1');
      expect([code, output]).toEqual([1, expect.stringContaining('payment_already_paid')]);
      expect(charged(till.world).filter(([, result]) => result === 'approved')).toHaveLength(1);
    });

    check(
      'waits as long as an overloaded tilld asks for, also behind a proxy with a page of its own',
      async () => {
        const till = await aTill(name);
        const at: number[] = [];
        const { code, output } = await till.pay('1234', 'basket-1', await failingTwice(till.daemon.url, at));
        expect(code, output).toBe(0);
        const [first = 0, second = 0, third = 0] = at;
        expect(second - first).toBeGreaterThan(1_900);
        expect(third - second).toBeGreaterThan(900);
        expect(charged(till.world)).toEqual([['sale', 'approved', 1234]]);
      },
    );

    check('charges once when the answer to its request is lost', async () => {
      const till = await aTill(name);
      const { code, output } = await till.pay(
        '1234',
        'basket-1',
        await losingTheFirstAnswer(till.daemon.url),
      );
      expect(code, output).toBe(0);
      expect(charged(till.world)).toEqual([['sale', 'approved', 1234]]);
    });
  });

  describe.each(['pay.mjs', 'pay.py'])('%s, killed and started again', (name) => {
    const check = it.skipIf(name === 'pay.py' && !HAS_PYTHON);
    const fileOf = ({ world }: { world: World }) => join(world.folder, 'basket-1.payment.json');
    const keyIn = (file: string): string => JSON.parse(readFileSync(file, 'utf8')).key;

    check('while the customer pays: same basket, same key, one charge', async () => {
      const till = await aTill(name);
      const { program, args, options } = till.command(['1234', 'basket-1'], till.daemon.url);
      const first = spawn(program, args, { ...options, stdio: 'ignore' });
      await eventually(() => till.world.terminal.snapshot().busy);
      const key = keyIn(fileOf(till));
      first.kill('SIGKILL');
      await once(first, 'exit');
      expect(keyIn(fileOf(till))).toBe(key);
      const { code, output } = await till.pay('1234', 'basket-1');
      expect(code, output).toBe(0);
      expect(charged(till.world)).toEqual([['sale', 'approved', 1234]]);
      expect(existsSync(fileOf(till))).toBe(false);
    });

    check('before tilld could be reached: the key was stored before anything was sent', async () => {
      const till = await aTill(name);
      const { program, args, options } = till.command(['1234', 'basket-1'], 'http://127.0.0.1:9');
      const first = spawn(program, args, { ...options, stdio: 'ignore' });
      await eventually(() => existsSync(fileOf(till)));
      first.kill('SIGKILL');
      await once(first, 'exit');
      const key = keyIn(fileOf(till));
      const sent = new Set<string>();
      const { code, output } = await till.pay('1234', 'basket-1', await noting(till.daemon.url, sent));
      expect(code, output).toBe(0);
      expect([...sent]).toEqual([key]);
    });

    check(
      'after the payment has ended: the old answer is asked about, and nothing is charged again',
      async () => {
        const till = await aTill(name);
        const { program, args, options } = till.command(['1234', 'basket-1'], till.daemon.url);
        const first = spawn(program, args, { ...options, stdio: 'ignore' });
        await eventually(() => till.world.terminal.snapshot().busy);
        first.kill('SIGKILL');
        await eventually(() => charged(till.world).length === 1 && !till.world.terminal.snapshot().busy);
        await new Promise((resolve) => setTimeout(resolve, 1500));
        expect((await till.pay('1234', 'basket-1')).output).toMatch(/^succeeded charged: yes/);
        expect(charged(till.world)).toEqual([['sale', 'approved', 1234]]);
      },
    );
  });

  describe.each(['pay.mjs', 'pay.py'])('%s', (name) => {
    it.skipIf(name === 'pay.py' && !HAS_PYTHON)(
      'keeps the key of a basket when its API key is refused',
      async () => {
        const till = await aTill(name);
        const { program, args, options } = till.command(['1234', 'basket-1'], till.daemon.url);
        const refused = { ...options, env: { ...options.env, TILLD_KEY: 'rk_sandbox_nobody' } };
        const { code, output } = await ended({ program, args, options: refused });
        expect([code, output]).toEqual([1, expect.stringContaining('refused invalid_api_key')]);
        expect(existsSync(join(till.world.folder, 'basket-1.payment.json'))).toBe(true);
      },
    );
  });

  it.each(['events.mjs', 'events.py'])(
    '%s prints each event once, also when it is killed and started again',
    async (name) => {
      const till = await aTill('pay.mjs');
      const { world, daemon, key } = till;
      const file = join(world.folder, name);
      writeFileSync(file, programs().get(name) ?? '');
      const heard: string[] = [];
      const listen = () => {
        const env = { ...process.env, TILLD_URL: daemon.url, TILLD_KEY: key };
        const child = spawn(interpreterOf(name), [file], {
          cwd: world.folder,
          env,
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        onTestFinished(() => void child.kill());
        createInterface({ input: child.stdout }).on('line', (line) => heard.push(line.split(' ')[0] ?? ''));
        return child;
      };
      const first = listen();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await till.pay('100', 'basket-1');
      await eventually(() => heard.includes('terminal_payment.succeeded'));
      first.kill('SIGKILL');
      await once(first, 'exit');
      await till.pay('200', 'basket-2');
      listen();
      const each = [
        'terminal_payment.requested',
        'terminal_payment.in_progress',
        'terminal_payment.succeeded',
      ];
      await eventually(() => heard.length >= 6);
      expect(heard).toEqual([...each, ...each]);
    },
  );

  it('the shell blocks do what is printed below them, in the demo', { timeout: 180_000 }, async () => {
    const folder = aFolder();
    const demo = await aDemo(folder);
    for (const [name, text] of programs())
      writeFileSync(join(folder, name), text.replace('9000', String(demo.hookPort)));
    mkdirSync(join(folder, 'bin'));
    const npx = `#!/bin/sh\nshift\nexec "${process.execPath}" "${join(ROOT, 'src/cli/tillctl.ts')}" --socket "${demo.socket}" "$@"\n`;
    writeFileSync(join(folder, 'bin', 'npx'), npx, { mode: 0o755 });
    const blocks = shellBlocks();
    const script = blocks.map(({ block }) => `${block}\necho "${END}"`).join('\n');
    const here = script
      .replaceAll('http://127.0.0.1:8480', demo.url)
      .replaceAll('http://127.0.0.1:8481', demo.sandbox)
      .replaceAll(':9000', `:${demo.hookPort}`);
    const env = {
      ...process.env,
      PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env['PATH']}`,
    };
    const { code, output } = await ended({
      program: 'bash',
      args: ['-ec', here],
      options: { cwd: folder, env },
    });
    expect(code, output).toBe(0);
    const outputs = output.replaceAll('\r', '').split(`${END}\n`);
    for (const [index, { block, output }] of blocks.entries())
      expect(outputs[index], block).toMatch(asPattern(output));
    expect(blocks.filter(({ output }) => output !== '').length).toBeGreaterThan(8);
  });

  it('the signature of the test vector is right', async () => {
    const [, secret = '', signed = '', digest = ''] =
      /with the secret `(\w+)`[\s\S]*?printf %s '([^']*)'[\s\S]*?```text\n(\w+)/.exec(README) ?? [];
    expect(createHmac('sha256', secret).update(signed).digest('hex')).toBe(digest);
    const [time = '', body = ''] = signed.split(/\.(.*)/s);
    expect(README).toContain(`\`${body}\` at \`t=${time}\``);
  });

  it.each(['hook.mjs', 'hook.py'])(
    '%s takes the webhooks of tilld and refuses what was changed on the way',
    async (name) => {
      const { world, daemon, pay } = await aTill('pay.mjs');
      const port = await aFreePort();
      const url = `http://127.0.0.1:${port}/hook`;
      const { stdout } = await tillctl(
        daemon,
        'webhooks',
        'add',
        url,
        '--event',
        'terminal_payment.succeeded',
        '--json',
      );
      const file = join(world.folder, name);
      writeFileSync(file, (programs().get(name) ?? '').replace('9000', String(port)));
      const env = { ...process.env, WEBHOOK_SECRET: JSON.parse(stdout).data.secret };
      const hook = spawn(interpreterOf(name), [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => void hook.kill());
      await expect
        .poll(() =>
          fetch(url, { method: 'POST', body: '{}' }).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(401);
      const heard = firstLineOf(hook);
      expect((await pay('1234', 'basket-1')).code).toBe(0);
      expect(await heard).toMatch(/^terminal_payment\.succeeded [0-9a-f-]{36}$/);
      const now = Math.floor(Date.now() / 1000);
      const forged = await fetch(url, {
        method: 'POST',
        headers: { 'x-service-signature': `t=${now},v1=${'0'.repeat(64)}` },
        body: '{"type":"terminal_payment.succeeded","data":{"id":"x"}}',
      });
      expect(forged.status).toBe(401);
    },
  );
});

const END = '--- end of a block ---';
const ROOT = join(import.meta.dirname, '../..');

/** Expected output, in which `…` stands for anything. */
function asPattern(output: string): RegExp {
  const parts = output.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^\\n]*')}$`);
}

/** `npm start`, on free ports and with a state folder of its own. */
async function aDemo(folder: string) {
  const state = join(folder, 'state');
  const args = [
    'src/main.ts',
    '--config',
    'config/demo/tilld.jsonc',
    '--state-dir',
    state,
    '--listen',
    '127.0.0.1:0',
  ];
  const env = { ...process.env, XDG_STATE_HOME: join(folder, 'outside') };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = (await firstLineOf(child)).replace('tilld ready ', '');
  const socket = join(state, 'tilld.sock');
  const { urls } = await statusOf({ socket });
  return { url, socket, sandbox: String(urls.sandbox), hookPort: await aFreePort() };
}

/** Passes requests on, and notes the idempotency keys of those that create. */
async function noting(target: string, keys: Set<string>): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') keys.add(String(request.headers['idempotency-key']));
    await passedOn(target, request, response);
  });
  return urlOf(server);
}

async function firstLineOf({ stdout }: ChildProcess): Promise<string> {
  const [line] = await once(createInterface({ input: stdout as NonNullable<typeof stdout> }), 'line');
  return String(line);
}

async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
