import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { command } from './command-line.ts';
import { FakeDaemon, list, PAYMENT_ID } from './fake-daemon.ts';

describe('a list without rows', () => {
  let daemon: FakeDaemon;
  beforeEach(async () => {
    daemon = await new FakeDaemon()
      .on('GET /v2/terminal-payments', () => list([]))
      .on('GET /v2/outbox', () => list([]))
      .on('GET /v2/keys', () => list([]))
      .on('GET /v2/webhook-deliveries', () => list([]))
      .start();
  });
  afterEach(() => daemon.remove());

  it.each([
    ['payments', 'There are no payments.'],
    ['payments --in-doubt', 'There are no payments in doubt.'],
    ['payments --on yesterday --card 4242', 'There are no payments on yesterday with card …4242.'],
    ['payments --status declined', 'There are no payments with status declined.'],
    ['outbox', 'There are no reports that wait or are parked.'],
    ['outbox list --status dropped', 'There are no reports with status dropped.'],
    ['keys list', 'There are no keys.'],
    ['keys list --status revoked', 'There are no keys with status revoked.'],
    ['webhooks deliveries', 'There are no deliveries.'],
    ['webhooks deliveries --status failed', 'There are no deliveries with status failed.'],
    [`webhooks deliveries --endpoint ${PAYMENT_ID}`, `There are no deliveries to endpoint ${PAYMENT_ID}.`],
  ])('says that there are none: %s', async (words, printed) => {
    const { exit, out } = await command(['--socket', daemon.socket, ...words.split(' ')]);
    expect({ exit, out }).toEqual({ exit: 0, out: `${printed}\n` });
  });
});
