import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/base/errors.ts';
import type { ControllableTerminal, Fault, Key } from '../../../../src/sandbox/controllable-terminal.ts';
import { DEVICE, OUR_ID, withSandbox } from './sandbox-at-work.ts';

/** A keypad that only remembers; the virtual terminals themselves have their own tests. */
function keypad(name: string) {
  const pressed: Key[] = [];
  const injected: Fault[] = [];
  const terminal: ControllableTerminal = {
    name,
    press: (key) => void pressed.push(key),
    inject: (fault) => {
      if (injected.length > 0) throw new AppError('SANDBOX_FAULT_INVALID', 'at most one may wait');
      injected.push(fault);
    },
    snapshot: () => ({
      name,
      protocol: 'zvt',
      address: 'tcp://127.0.0.1:20007',
      busy: true,
      screen: 'Please insert card',
      ledger: [
        {
          sequence: 1,
          batch: 1,
          reference: '',
          receiptNumber: '0001',
          trace: '000001',
          kind: 'sale',
          amountMinor: 1234,
          currency: 'EUR',
          result: 'approved',
          reversed: false,
          undoes: null,
          byHand: false,
          at: Date.UTC(2026, 0, 5, 9),
        },
      ],
    }),
  };
  return { terminal, pressed, injected };
}

describe('the control routes', () => {
  it('show what the sandbox is, how it behaves and what it holds', async () => {
    await withSandbox(async ({ ask, create }) => {
      await create();
      const { data } = (await ask('GET', '/sandbox', { key: null })).body;
      expect(data).toMatchObject({
        now: '2026-01-05T09:00:00.000Z',
        service: { plan: 'enterprise', honours_our_id: true, has_claim: true },
        behaviour: { offline: false, answer_lost: null },
        held: { payments: 1, events: 1, idempotency_keys: 0 },
      });
      expect(JSON.stringify(data)).not.toContain('rk_sandbox');
    });
  });

  it('let the back office ask for a payment, as old as it wants', async () => {
    await withSandbox(async ({ ask }) => {
      const body = {
        device_id: DEVICE,
        amount_minor: 500,
        currency: 'EUR',
        reference: 'table 4',
        created_ago_ms: 360_000,
      };
      const reply = await ask('POST', '/sandbox/payments', { body, key: null });
      expect(reply.status).toBe(201);
      expect(reply.body.data).toMatchObject({ status: 'requested', created_at: '2026-01-05T08:54:00.000Z' });
      const polled = await ask('GET', `/v2/terminal-payments?status=requested&device_id=${DEVICE}`);
      expect(polled.body.data).toEqual([reply.body.data]);
      expect((await ask('GET', '/v2/events')).body.data[0].type).toBe('terminal_payment.requested');
      const [line] = (await ask('GET', '/sandbox/ledger', { key: null })).body.data;
      expect(line).toMatchObject({ asked_by: 'back_office', calls: { create: { applied: 1 } } });
    });
  });

  it.each([
    [{ device_id: DEVICE, amount_minor: 0, currency: 'EUR' }, 400],
    [{ device_id: OUR_ID, amount_minor: 1, currency: 'EUR' }, 404],
    [{ device_id: DEVICE, amount_minor: 1, currency: 'EUR', id: OUR_ID }, 400],
    ['{', 400],
  ])('refuse a payment %j with %i', async (body, status) => {
    await withSandbox(async ({ ask, service }) => {
      expect((await ask('POST', '/sandbox/payments', { body })).status).toBe(status);
      expect(service.control.ledger()).toEqual([]);
    });
  });

  it('prove that a result was reported once', async () => {
    await withSandbox(async ({ ask, create, ledgerLine }) => {
      await create({ id: OUR_ID });
      const report = (idempotencyKey: string) =>
        ask('POST', `/v2/terminal-payments/${OUR_ID}/result`, {
          body: { status: 'succeeded' },
          idempotencyKey,
        });
      for (const key of ['r1', 'r1', 'r2']) await report(key);
      expect(ledgerLine(OUR_ID)?.['calls']).toMatchObject({
        result: { applied: 1, replayed: 1, refused: 1 },
      });
    });
  });

  it('show the terminals and reach their keys and faults', async () => {
    const { terminal, pressed, injected } = keypad('Counter 1');
    await withSandbox(
      async ({ ask }) => {
        const [shown] = (await ask('GET', '/sandbox/terminals', { key: null })).body.data;
        expect(shown).toMatchObject({ name: 'Counter 1', screen: 'Please insert card', busy: true });
        expect(shown.ledger[0]).toMatchObject({
          batch: 1,
          by_hand: false,
          amount_minor: 1234,
          at: '2026-01-05T09:00:00.000Z',
        });
        const path = '/sandbox/terminals/Counter%201';
        expect((await ask('POST', `${path}/keys`, { body: { key: 'wrong_pin' } })).status).toBe(200);
        const fault = { when: 'result', do: 'cut', times: 2 };
        expect((await ask('POST', `${path}/faults`, { body: { fault } })).status).toBe(200);
        const full = await ask('POST', `${path}/faults`, { body: { fault } });
        expect([full.status, full.body.error.param]).toEqual([400, 'fault']);
        expect([pressed, injected]).toEqual([['wrong_pin'], [fault]]);
        expect((await ask('POST', `${path}/keys`, { body: { key: 'smash' } })).body.error.param).toBe('key');
        expect((await ask('POST', `${path}/faults`, { body: { fault: { when: 'now' } } })).status).toBe(400);
        expect((await ask('POST', '/sandbox/terminals/Other/keys', { body: { key: 'abort' } })).status).toBe(
          404,
        );
      },
      {},
      { terminals: [terminal] },
    );
  });
});

describe('a web page from elsewhere', () => {
  const get = (url: string, path: string, headers: Readonly<Record<string, string>>) =>
    new Promise<{ status: number; body: unknown }>((resolve, reject) => {
      const sent = request(url + path, { headers }, (response) => {
        json(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      });
      sent.on('error', reject);
      sent.end();
    });

  it.each([
    ['/sandbox', { host: 'evil.example' }, 421],
    ['/sandbox', { host: '127.0.0.1.evil.example' }, 421],
    ['/sandbox', { origin: 'https://evil.example' }, 403],
    ['/sandbox', { origin: 'null' }, 403],
    ['/%73andbox/ledger', { origin: 'https://evil.example' }, 403],
    ['/sandbox/unknown', { host: 'evil.example' }, 421],
    ['/sandbox', { origin: 'http://localhost:8480' }, 200],
    ['/sandbox', { host: 'localhost' }, 200],
  ])('%s with %j: %i', async (path, headers, status) => {
    await withSandbox(async ({ service }) => {
      expect((await get(service.url, path, headers)).status).toBe(status);
    });
  });

  it('cannot post a form to the control routes', async () => {
    await withSandbox(async ({ ask, service }) => {
      const headers = { 'content-type': 'text/plain' };
      const reply = await ask('POST', '/sandbox/behaviour', { body: '{"offline":true}', headers });
      expect(reply.status).toBe(400);
      expect(service.control.overview()['behaviour']).toMatchObject({ offline: false });
    });
  });
});
