import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Budget } from '../../../src/outbox/budget.ts';
import { CreateWatch } from '../../../src/service/create-watch.ts';
import { ReportsToService } from '../../../src/service/reports-to-service.ts';
import { ServiceClient } from '../../../src/service/service-client.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { FakeHttp, type Reply } from './fake-http.ts';

const signal = new AbortController().signal;
const MISSING: Reply = { status: 404, body: { error: { code: 'resource_not_found', message: 'm' } } };

function portOn(answers: Readonly<Record<string, Reply>>, deviceIds = ['d1', 'd2', 'd3', 'd4']) {
  const clock = new VirtualClock();
  let key = 1;
  const http = new FakeHttp(
    () => 0,
    (request) => answers[request.path] ?? MISSING,
  );
  const client = new ServiceClient({ http, log: silentLog, credential: () => `key-${key++}` });
  const creates = new CreateWatch(clock);
  const port = new ReportsToService(client, new Budget(clock), deviceIds, creates);
  return { http, port, creates };
}

const payment: Reply = { status: 200, body: { data: { id: 'P', status: 'succeeded', auth_code: '42' } } };
const device = (id: string): Reply => ({ status: 200, body: { data: { id } } });

describe('Telling of a refund or void', () => {
  const parent = { attemptId: 'ours', paymentId: 'S' };
  const suspect = { type: 'refund', parentId: 'S', deviceId: 'd1', amountMinor: 1 } as const;

  it("goes below the service's id of the sale, and makes what is listed there suspect until it is answered", async () => {
    const { port, http, creates } = portOn({ '/terminal-payments/S/refund': { status: 503 } });
    expect(await port.giveBack('refund', parent, { id: 'R' }, 'k', signal)).toMatchObject({
      kind: 'unavailable',
    });
    expect(http.lines).toEqual(['POST /terminal-payments/S/refund']);
    expect(creates.mayBeOurs(suspect, 0)).toBe(true);
    expect(creates.mayBeOurs({ ...suspect, parentId: 'ours' }, 0)).toBe(true);
    expect(creates.mayBeOurs({ ...suspect, type: 'void' }, 0)).toBe(false);
    const refund = { id: 'R', status: 'requested', type: 'refund', parent_id: 'S' };
    const answered = portOn({ '/terminal-payments/S/refund': { status: 201, body: { data: refund } } });
    await answered.port.giveBack('refund', parent, { id: 'R' }, 'k', signal);
    expect(answered.creates.mayBeOurs(suspect, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});

describe('Looking a payment up', () => {
  it('shows what the service has', async () => {
    const { port, http } = portOn({ '/terminal-payments/P': payment });
    expect(await port.lookUp('P', signal)).toEqual({
      kind: 'found',
      payment: { id: 'P', status: 'succeeded', authCode: '42' },
    });
    expect(http.requests).toHaveLength(1);
  });

  it('believes a 404 only while a device of ours is visible with the very same key', async () => {
    const { port, http } = portOn({ '/terminal-devices/d2': device('d2') });
    expect(await port.lookUp('P', signal)).toEqual({ kind: 'absent' });
    expect(http.lines).toEqual([
      'GET /terminal-payments/P',
      'GET /terminal-devices/d1',
      'GET /terminal-devices/d2',
      'GET /terminal-payments/P',
    ]);
    expect(new Set(http.requests.map((request) => request.headers?.['x-api-key'])).size).toBe(1);
  });

  it('asks once more behind the witness: a key that was blind at first may see by then', async () => {
    const replies = [MISSING, payment];
    const { port } = portOn({
      '/terminal-devices/d1': device('d1'),
      get '/terminal-payments/P'() {
        return replies.shift() ?? MISSING;
      },
    });
    expect(await port.lookUp('P', signal)).toMatchObject({ kind: 'found', payment: { status: 'succeeded' } });
    expect(replies).toEqual([]);
  });

  it('does not believe a 404 of a key that sees nothing of ours, and asks for three devices at most', async () => {
    const { port, http } = portOn({});
    expect(await port.lookUp('P', signal)).toEqual({ kind: 'hidden' });
    expect(http.requests).toHaveLength(4);
  });

  it.each<[string, Readonly<Record<string, Reply>>, string]>([
    ['5xx to the look-up', { '/terminal-payments/P': { status: 503 } }, 'unavailable'],
    ['401 to the look-up', { '/terminal-payments/P': { status: 401 } }, 'unauthorised'],
    ['2xx without a payment', { '/terminal-payments/P': { status: 200, body: {} } }, 'unavailable'],
    [
      '2xx with another payment',
      { '/terminal-payments/P': { status: 200, body: { data: { id: 'Q', status: 'succeeded' } } } },
      'unavailable',
    ],
    ['another device to the witness', { '/terminal-devices/d1': device('d2') }, 'unavailable'],
    ['5xx to the witness', { '/terminal-devices/d1': { status: 503 } }, 'unavailable'],
    ['403 to the witness', { '/terminal-devices/d1': { status: 403 } }, 'forbidden'],
  ])('settles nothing on %s', async (_, answers, kind) => {
    expect(await portOn(answers).port.lookUp('P', signal)).toMatchObject({
      kind: 'no_answer',
      answer: { kind },
    });
  });
});
