import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { askOver } from '../../support/socket.ts';
import { type Attack, judge, type Refusal } from '../attack.ts';
import { WEBHOOK_SECRET } from '../device.ts';
import type { Field } from '../field.ts';
import { SALE } from '../request.ts';
import { speak } from '../wire.ts';

const GROUP = 'webhooks of providers';
const PATH = '/hooks/provider_a';
const BODY = '{"type":"invoice.paid"}';
const FLOOD = 2_000;

interface HookRequest {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** A request of a stranger, byte for byte. */
function answered({ method = 'POST', target = PATH, headers = [], body = BODY }: HookRequest): string {
  const hasLength = headers.some((line) => /^(content-length|transfer-encoding):/i.test(line));
  const length = hasLength ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return `${[`${method} ${target} HTTP/1.1`, 'Host: hooks.example', ...length, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

function signature(secret: string, at: number, body = BODY): string {
  const t = Math.floor(at / 1_000);
  return `X-Signature: t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
}

/** One request at the listener of webhooks; no run of a sync may come of it. */
function attack(name: string, refusal: Refusal, message: (field: Field) => HookRequest | string): Attack {
  return {
    group: GROUP,
    name,
    expected: `${refusal.status ?? 'no answer'}`,
    run: async (field) => {
      const before = await accepted(field);
      const bytes = message(field);
      const heard = await speak(
        { host: '127.0.0.1', port: await field.webhookPort() },
        typeof bytes === 'string' ? bytes : answered(bytes),
        { untilClosed: refusal.closes ?? false },
      );
      field.keep(heard.text);
      const verdict = judge(refusal, heard);
      return { ...verdict, pass: verdict.pass && (await accepted(field)) === before };
    },
  };
}

async function accepted(field: Field): Promise<number> {
  const { data } = (await askOver(field.daemon.socketPath, 'GET', '/v2/integrations/provider_a')) as {
    readonly data: { readonly webhook: { readonly accepted: number } };
  };
  return data.webhook.accepted;
}

const NOT_GENUINE = { status: 401, body: /^\{"error":\{"code":"unauthorized"\}\}$/, closes: true } as const;
const NOTHING = { status: 404, closes: true } as const;
const GUESSED = 'a-secret-that-was-guessed';

/** What may come through the proxy or tunnel in front of the listener. */
export const PROVIDER_WEBHOOKS: readonly Attack[] = [
  attack('unsigned', NOT_GENUINE, () => ({})),
  attack('signed with another secret', NOT_GENUINE, () => ({ headers: [signature(GUESSED, Date.now())] })),
  attack('signed with an empty secret', NOT_GENUINE, () => ({ headers: [signature('', Date.now())] })),
  attack('a signature of another body', NOT_GENUINE, () => ({
    headers: [signature(WEBHOOK_SECRET, Date.now(), '{}')],
  })),
  attack('replayed after six minutes', NOT_GENUINE, () => ({
    headers: [signature(WEBHOOK_SECRET, Date.now() - 360_000)],
  })),
  attack('of a time to come', NOT_GENUINE, () => ({
    headers: [signature(WEBHOOK_SECRET, Date.now() + 360_000)],
  })),
  attack('the header twice, one of them genuine', NOT_GENUINE, () => ({
    headers: [signature(GUESSED, Date.now()), signature(WEBHOOK_SECRET, Date.now())],
  })),
  attack('no time beside a genuine signature', NOT_GENUINE, () => ({
    headers: [signature(WEBHOOK_SECRET, Date.now()).replace(/t=\d+,/, '')],
  })),
  ...['provider_b', 'terminal', 'provider_d'].map((name) =>
    attack(`${name}, which has no webhook: the same answer`, NOT_GENUINE, () => ({
      target: `/hooks/${name}`,
      headers: [signature(WEBHOOK_SECRET, Date.now())],
    })),
  ),
  ...['/v2/terminal-payments', '/v2/status', '/v2/keys', '/healthz', '/metrics', '/', '/hooks/service'].map(
    (target) =>
      attack(`${target} of the local interface, with a key`, NOTHING, (field) => ({
        target,
        headers: [`x-api-key: ${field.keys.full}`, 'Content-Type: application/json'],
        body: SALE,
      })),
  ),
  attack('an absolute address of the local interface', NOTHING, (field) => ({
    target: `http://127.0.0.1:${field.daemon.port}/v2/terminal-payments`,
    headers: [`x-api-key: ${field.keys.full}`],
    body: SALE,
  })),
  ...[`${PATH}/../../v2/status`, `${PATH}%2f..`, `${PATH}/`, '/hooks/%70rovider_a', '/HOOKS/provider_a'].map(
    (target) => attack(`the path ${target}`, NOTHING, () => ({ target })),
  ),
  ...['GET', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'].map((method) =>
    attack(method, { status: 405, closes: true }, () => ({ method, body: '' })),
  ),
  attack('CONNECT', { status: null }, () => 'CONNECT 127.0.0.1:8480 HTTP/1.1\r\nHost: x\r\n\r\n'),
  attack('a length and chunks', { status: 400 }, () => ({
    headers: ['Content-Length: 4', 'Transfer-Encoding: chunked'],
    body: '0\r\n\r\n',
  })),
  attack('two lengths', { status: 400 }, () => ({
    headers: ['Content-Length: 2', 'Content-Length: 3'],
    body: '{}',
  })),
  attack('a header of 64 KiB', { status: 431 }, () => ({ headers: [`X-Signature: ${'a'.repeat(65_536)}`] })),
  attack('a body of 10 MB', { status: 413 }, () => ({ headers: ['Content-Length: 10000000'], body: 'x' })),
  {
    group: GROUP,
    name: `${FLOOD} unsigned at once`,
    expected: '401 and 429, three lines in the log',
    kind: 'crowd',
    run: async (field) => {
      const port = await field.webhookPort();
      const before = field.daemon.output.length;
      const statuses = new Map<number, number>();
      for (let sent = 0; sent < FLOOD; sent += 50)
        await Promise.all(
          Array.from({ length: 50 }, async () => {
            const { answers } = await speak({ host: '127.0.0.1', port }, answered({}), { untilClosed: true });
            const status = answers[0]?.status ?? 0;
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          }),
        );
      const output = field.daemon.output.slice(before);
      const added = output.split('\n').filter((line) => line.includes('webhook of a provider'));
      const pass =
        [...statuses.keys()].every((status) => [0, 401, 429].includes(status)) &&
        (statuses.get(429) ?? 0) > 0 &&
        added.length <= 3;
      // The rows behind it are looked at again.
      await wait(1_100);
      return { came: `${JSON.stringify([...statuses])}, ${added.length} lines`, pass };
    },
  },
  {
    group: GROUP,
    name: 'their secret, in the log and in the database',
    expected: 'none',
    run: (field) => {
      const folder = join(field.daemon.socketPath, '..');
      const files = readdirSync(folder).filter((name) => name.startsWith('money.db'));
      const found = files.filter((name) => readFileSync(join(folder, name)).includes(WEBHOOK_SECRET));
      const isLogged = field.daemon.output.includes(WEBHOOK_SECRET);
      const came = `${found.length} of ${files.length} files${isLogged ? ', and the log' : ''}`;
      return Promise.resolve({ came, pass: files.length > 0 && found.length === 0 && !isLogged });
    },
  },
  {
    group: GROUP,
    name: 'a body that never ends, a byte a second',
    expected: '408 within 15 s',
    kind: 'slow',
    run: async (field) => {
      const began = performance.now();
      const socket = connect({ host: '127.0.0.1', port: await field.webhookPort() });
      let text = '';
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.write(answered({ headers: ['Content-Length: 1000'], body: 'x' }));
      const drip = setInterval(() => socket.write('x'), 1_000);
      await new Promise((resolve) => socket.once('close', resolve));
      clearInterval(drip);
      const ms = performance.now() - began;
      return {
        came: `${text.slice(9, 12)} after ${Math.round(ms)} ms`,
        pass: text.includes(' 408 ') && ms < 15_000,
      };
    },
  },
];
