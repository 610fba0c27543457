import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DaemonClient } from '../../../src/cli/client.ts';
import { FakeDaemon, refusal } from './fake-daemon.ts';

describe('a call to the daemon', () => {
  let daemon: FakeDaemon;
  beforeEach(async () => {
    daemon = await new FakeDaemon().start();
  });
  afterEach(() => daemon.remove());
  const call = (timeoutMs = 5000) =>
    new DaemonClient(daemon.socket, timeoutMs).call(
      { path: '/v2/x', signal: new AbortController().signal },
      z.object({}),
    );

  it('that is never answered ends as CONNECTION_LOST: money may have moved', async () => {
    daemon.on('GET /v2/x', () => 'hang');
    await expect(call(50)).rejects.toMatchObject({ code: 'CONNECTION_LOST', moneyMoved: 'unknown' });
  });

  it('that is cut off ends as CONNECTION_LOST', async () => {
    daemon.on('GET /v2/x', () => 'destroy');
    await expect(call()).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  });

  it('that nobody hears ends as NO_DAEMON: nothing was sent', async () => {
    await daemon.stop();
    await expect(call()).rejects.toMatchObject({ code: 'NO_DAEMON', moneyMoved: 'no' });
  });

  it('that is refused carries the refusal as it came', async () => {
    const answer = refusal(409, 'terminal_busy', 'Busy.');
    daemon.on('GET /v2/x', () => answer);
    const document = typeof answer === 'string' ? undefined : answer.body;
    await expect(call()).rejects.toMatchObject({ code: 'REFUSED', context: { status: 409, document } });
  });

  it('that meets an unknown route is refused in the envelope', async () => {
    await expect(call()).rejects.toMatchObject({
      context: { document: { error: { code: 'route_unknown', request_id: 'req_1' } } },
    });
  });
});
