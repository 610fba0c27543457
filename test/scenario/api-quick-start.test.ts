import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, type World } from '../support/daemon.ts';
import { tillctl } from '../support/till.ts';

const README = readFileSync(join(import.meta.dirname, '../../src/api/README.md'), 'utf8');
const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

/** The programs of the quick start, by the name in their first line. */
function programs(): ReadonlyMap<string, string> {
  const blocks = README.matchAll(/```(?:js|python)\n((?:\/\/|#) ([\w.]+):[\s\S]*?)```/g);
  return new Map([...blocks].map(([, text = '', name = '']) => [name, text]));
}

async function aTill(name: string) {
  const world = await aWorld();
  const daemon = await Daemon.start(world);
  const file = join(world.folder, name);
  writeFileSync(file, programs().get(name) ?? '');
  const scopes = ['payments:read', 'payments:write'].flatMap((scope) => ['--scope', scope]);
  const { stdout } = await tillctl(daemon, 'keys', 'create', ...scopes, '--json');
  const key: string = JSON.parse(stdout).data.key;
  const pay = (amount: string, reference: string, url = daemon.url) =>
    ended(name.endsWith('.py') ? 'python3' : process.execPath, [file, amount, reference], {
      TILLD_URL: url,
      TILLD_KEY: key,
      TILLD_DEVICE: DEVICE_ID,
    });
  return { world, daemon, pay };
}

function ended(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  return new Promise<{ readonly code: number; readonly said: string }>((resolve) => {
    execFile(program, args, { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, said: `${stdout}${stderr}` }),
    );
  });
}

const charged = ({ terminal }: World) =>
  terminal.snapshot().ledger.map(({ kind, result, amountMinor }) => [kind, result, amountMinor]);

/** Loses the answer to the first request that creates a payment, after tilld has taken it. */
async function losingTheFirstAnswer(target: string): Promise<string> {
  let isLost = false;
  const server = createServer(async (request, response) => {
    const body = request.method === 'GET' ? null : Buffer.concat(await request.toArray());
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      body,
    });
    if (request.method === 'POST' && !isLost) {
      isLost = true;
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the quick start of the local interface', { timeout: 60_000 }, () => {
  it('has a program for each of the languages that it promises', () => {
    expect([...programs().keys()].sort()).toEqual(['hook.mjs', 'pay.mjs', 'pay.py']);
  });

  describe.each(['pay.mjs', 'pay.py'])('%s', (name) => {
    const check = it.skipIf(name === 'pay.py' && !HAS_PYTHON);

    check('takes a payment, and says that the customer was charged', async () => {
      const till = await aTill(name);
      const { code, said } = await till.pay('1234', 'basket-1');
      expect(code, said).toBe(0);
      expect(said).toContain('succeeded charged: yes The customer HAS paid 12.34 EUR.');
      expect(charged(till.world)).toEqual([['sale', 'approved', 1234]]);
    });

    check('ends with a failure when the card is declined or the basket is paid already', async () => {
      const till = await aTill(name);
      till.world.terminal.press('decline');
      expect(await till.pay('1234', 'basket-1')).toMatchObject({
        code: 1,
        said: expect.stringMatching(/^declined charged: no /),
      });
      expect((await till.pay('1234', 'basket-1')).code).toBe(0);
      const { code, said } = await till.pay('1234', 'basket-1');
      expect([code, said]).toEqual([1, expect.stringContaining('payment_already_paid')]);
      expect(charged(till.world).filter(([, result]) => result === 'approved')).toHaveLength(1);
    });

    check('charges once when the answer to its request is lost', async () => {
      const till = await aTill(name);
      const { code, said } = await till.pay('1234', 'basket-1', await losingTheFirstAnswer(till.daemon.url));
      expect(code, said).toBe(0);
      expect(charged(till.world)).toEqual([['sale', 'approved', 1234]]);
    });
  });

  it('hook.mjs takes the webhooks of tilld and refuses what was changed on the way', async () => {
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
    const file = join(world.folder, 'hook.mjs');
    writeFileSync(file, (programs().get('hook.mjs') ?? '').replace('9000', String(port)));
    const env = { ...process.env, WEBHOOK_SECRET: JSON.parse(stdout).data.secret };
    const hook = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
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
  });
});

async function firstLineOf({ stdout }: ChildProcess): Promise<string> {
  const [line] = await once(stdout as NonNullable<typeof stdout>, 'data');
  return String(line).trim();
}

async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
