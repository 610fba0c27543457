import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningApi, startApi } from '../../../src/api/server.ts';
import { HookWakeup } from '../../../src/service/hook-wakeup.ts';
import { ServiceHooks } from '../../../src/service/hooks.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { openShop } from '../api/shop.ts';

const OLD = `whsec_${'a'.repeat(32)}`;
const NEW = `whsec_${'b'.repeat(32)}`;
const STRANGE = `whsec_${'c'.repeat(32)}`;
const AT = Date.UTC(2026, 4, 1, 10, 0, 0);
const PAYMENT = '0198c5a0-aaaa-7000-8000-000000000001';

let api: RunningApi;
let clock: VirtualClock;
let wakeup: HookWakeup;
let secrets: readonly string[];
let notified: boolean[];

beforeEach(async () => {
  clock = new VirtualClock(AT);
  wakeup = new HookWakeup(clock);
  notified = [];
  secrets = [OLD];
  wakeup.subscribe((cancels) => notified.push(cancels));
  // The machine's own clock is a day late; the service's is what counts.
  const serviceTime = { now: () => clock.now() };
  const wrongClock = { ...bindClock(), now: () => clock.now() - 86_400_000 };
  const hooks = new ServiceHooks({ secrets: () => secrets, serviceTime, wakeup, clock: wrongClock });
  api = await served(hooks);
});

afterEach(() => api.stop());

function bindClock() {
  return {
    monotonic: () => clock.monotonic(),
    timer: (name: string, ms: number, fn: () => void) => clock.timer(name, ms, fn),
  };
}

function served(serviceHooks: ServiceHooks | null): Promise<RunningApi> {
  const options = { host: '127.0.0.1', port: 0, socketPath: null, environment: 'sandbox', version: '0.1.0' };
  return startApi(
    { ...options, environment: 'sandbox', allowedHosts: ['hooks.shop.example'] },
    { ...openShop().deps, serviceHooks },
  );
}

function anEvent(id: string, type = 'terminal_payment.requested'): string {
  return JSON.stringify({ id, type, created: '2026-05-01T10:00:00Z', data: { id: PAYMENT } });
}

function signed(body: string, secret = OLD, at = AT): string {
  const seconds = Math.floor(at / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

async function knock(body: string, signature?: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${api.url}/hooks/service`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(signature === undefined ? {} : { 'x-service-signature': signature }),
      ...headers,
    },
    body,
  });
  const { error } = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: error?.code, challenge: response.headers.get('www-authenticate') };
}

describe('webhooks of the service', () => {
  it('that are genuine are answered 200 without any key, and ring once for a whole burst in any order', async () => {
    for (const id of ['evt_3', 'evt_1', 'evt_2']) {
      const body = anEvent(id);
      expect(await knock(body, signed(body))).toMatchObject({ status: 200 });
    }
    await clock.advance(60);
    expect(notified).toEqual([false]);
  });

  it('that come again are answered 200 and ring nothing', async () => {
    const body = anEvent('evt_1');
    await knock(body, signed(body));
    await clock.advance(5_000);
    expect(await knock(body, signed(body))).toMatchObject({ status: 200 });
    await clock.advance(5_000);
    expect(notified).toHaveLength(1);
  });

  it('are refused with a challenge and without effect when the signature is wrong, missing, malformed or of another body', async () => {
    const body = anEvent('evt_1');
    const refusals = [
      await knock(body, signed(body, STRANGE)),
      await knock(body),
      await knock(body, signed(body).replace('v1=', 'v0=')),
      await knock(body, `${signed(body)},v1=${'0'.repeat(64)}`),
      await knock(body.replace(PAYMENT, PAYMENT.replace('1', '2')), signed(body)),
    ];
    expect(refusals.map(({ status, code }) => [status, code])).toEqual([
      [401, 'signature_invalid'],
      [401, 'authentication_failed'],
      [401, 'authentication_failed'],
      [401, 'authentication_failed'],
      [401, 'signature_invalid'],
    ]);
    expect(refusals.every(({ challenge }) => challenge?.startsWith('Bearer realm='))).toBe(true);
    await clock.advance(5_000);
    expect(notified).toEqual([]);
  });

  it("are taken within five minutes of the service's own time, and refused beyond, before and after", async () => {
    const at = async (shiftMs: number) => {
      const body = anEvent(`evt_${shiftMs}`);
      return (await knock(body, signed(body, OLD, AT + shiftMs))).status;
    };
    expect(await at(-300_000)).toBe(200);
    expect(await at(300_000)).toBe(200);
    expect(await at(-301_000)).toBe(401);
    expect(await at(301_000)).toBe(401);
  });

  it('may be signed with either secret while one is rolled, and with none when there is none', async () => {
    secrets = [NEW, OLD];
    const [first, second, third] = [anEvent('evt_1'), anEvent('evt_2'), anEvent('evt_3')];
    expect(await knock(first, signed(first, OLD))).toMatchObject({ status: 200 });
    expect(await knock(second, signed(second, NEW))).toMatchObject({ status: 200 });
    secrets = [];
    expect(await knock(third, signed(third, NEW))).toMatchObject({ status: 503 });
  });

  it('that are signed but no events are 400; a body over 64 KiB is 413', async () => {
    for (const body of ['nothing', '{}', '{"id":"","type":"x"}', '[]'])
      expect(await knock(body, signed(body))).toMatchObject({ status: 400, code: 'invalid_request_error' });
    const huge = JSON.stringify({ id: 'evt_1', type: 'x', data: 'x'.repeat(70_000) });
    expect(await knock(huge, signed(huge))).toMatchObject({ status: 413 });
  });

  it('of strangers are told to wait after some, while genuine ones still come through', async () => {
    const body = anEvent('evt_1');
    const wrong = [];
    for (let n = 0; n < 12; n += 1) wrong.push((await knock(body, signed(body, STRANGE))).status);
    expect(wrong.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(wrong.at(-1)).toBe(429);
    expect(await knock(body, signed(body))).toMatchObject({ status: 200 });
  });

  it('come by the names that lead here and from no web page', async () => {
    const body = anEvent('evt_1');
    const evil = await knock(body, signed(body), { origin: 'https://evil.example' });
    expect(evil.status).toBe(403);
    await clock.advance(5_000);
    expect(notified).toEqual([]);
  });

  it('have no address while no secret is configured', async () => {
    const other = await served(null);
    const body = anEvent('evt_1');
    const headers = { 'x-service-signature': signed(body) };
    const response = await fetch(`${other.url}/hooks/service`, { method: 'POST', headers, body });
    expect(response.status).toBe(404);
    await other.stop();
  });

  it('of other things than terminals ring nothing; a cancel says so', async () => {
    const paid = anEvent('evt_1', 'invoice.paid');
    await knock(paid, signed(paid));
    await clock.advance(2_000);
    expect(notified).toEqual([]);
    const cancelled = anEvent('evt_2', 'billing.terminal_payment.cancelled');
    await knock(cancelled, signed(cancelled));
    await clock.advance(2_000);
    expect(notified).toEqual([true]);
  });
});

describe('the pace of polls', () => {
  const listed = (id: string, ageMs: number) => wakeup.listed([{ id, ageMs }]);

  it('is thirty seconds within ten minutes of a hook, and the usual one before and after', async () => {
    expect(wakeup.intervalMs(4_000)).toBe(4_000);
    wakeup.heard(null, false);
    expect(wakeup.intervalMs(4_000)).toBe(30_000);
    expect(wakeup.intervalMs(60_000)).toBe(60_000);
    await clock.advance(600_000);
    expect(wakeup.intervalMs(4_000)).toBe(4_000);
  });

  it('is the usual one again once a poll finds work that no hook told of, but not for what may be on its way', () => {
    wakeup.heard('told', false);
    listed('told', 60_000);
    listed('fresh', 1_000);
    expect(wakeup.trusted).toBe(true);
    listed('untold', 60_000);
    expect(wakeup.trusted).toBe(false);
  });

  it('hooks in a row ring at most once a second', async () => {
    for (let n = 0; n < 30; n += 1) {
      wakeup.heard(`p${n}`, false);
      await clock.advance(100);
    }
    expect(notified.length).toBeGreaterThanOrEqual(3);
    expect(notified.length).toBeLessThanOrEqual(4);
  });
});
