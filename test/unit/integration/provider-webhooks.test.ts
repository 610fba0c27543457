import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import type { ProviderName } from '../../../src/integration/integration.ts';
import { ProviderWebhooks } from '../../../src/integration/provider-webhooks.ts';
import type { WebhookScheme } from '../../../src/integration/webhook-scheme.ts';
import { SqliteIntegrationStore } from '../../../src/store/integrations/sqlite-integration-store.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { aSealer } from '../../support/webhooks.ts';

const HOUR = 3_600_000;
const TOKEN: WebhookScheme = { signature: { type: 'token', header: 'X-Token', prefix: '' }, event: null };
const STANDARD: WebhookScheme = {
  signature: {
    type: 'hmac',
    header: 'webhook-signature',
    algorithm: 'sha256',
    encoding: 'base64',
    key: 'base64',
    form: { style: 'list', version: 'v1' },
    signed: '{body}',
    idHeader: null,
    timestamp: null,
  },
  event: null,
};
const [FIRST, SECOND, THIRD] = ['first-secret-00001', 'second-secret-0002', 'third-secret-00003'];

function open(database = aMoneyDatabase(), sealer = aSealer()) {
  const clock = new VirtualClock();
  const woken: string[] = [];
  let made = 0;
  const store = new SqliteIntegrationStore(database, () => {
    made += 1;
    return `0199c0de-00f2-7000-8000-00000000000${made}`;
  });
  const schemes = new Map<ProviderName, WebhookScheme>([
    ['provider_a', TOKEN],
    ['provider_b', STANDARD],
  ]);
  const wake = (name: ProviderName) => woken.push(name);
  const webhooks = new ProviderWebhooks({ store, sealer, schemes, wake, count: () => undefined, clock });
  return { webhooks, clock, woken, store, database, sealer };
}

function refused(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
  return 'not refused';
}

describe('the secret of webhooks', () => {
  it('is stored sealed, bound to its provider, and outlives a restart', () => {
    const { webhooks, database, sealer, store } = open();
    webhooks.setSecret('provider_a', FIRST, 24 * HOUR);
    const rows = JSON.stringify(database.all('SELECT * FROM provider_slots'));
    expect(rows).not.toContain(FIRST);
    const again = open(database, sealer);
    expect(again.webhooks.secretsOf('provider_a')).toEqual([FIRST]);
    const [one, other] = store.all();
    if (!one || !other) throw new Error('there are four');
    store.update({ ...other, sealedWebhookSecrets: one.sealedWebhookSecrets });
    expect(again.webhooks.secretsOf('provider_b'), 'another one').toBeNull();
  });

  it('leaves the one before it valid for a while, and two at most', () => {
    const { webhooks, clock } = open();
    webhooks.setSecret('provider_a', FIRST, 24 * HOUR);
    webhooks.setSecret('provider_a', SECOND, 24 * HOUR);
    expect(webhooks.secretsOf('provider_a')).toEqual([SECOND, FIRST]);
    expect(webhooks.view('provider_a')?.previousSecretUntil).toBe(clock.now() + 24 * HOUR);
    webhooks.setSecret('provider_a', SECOND, 0);
    expect(webhooks.secretsOf('provider_a'), 'stored again: as it was').toEqual([SECOND, FIRST]);
    clock.jumpWallClock(24 * HOUR);
    expect(webhooks.secretsOf('provider_a')).toEqual([SECOND]);
    expect(webhooks.view('provider_a')?.previousSecretUntil).toBeNull();
    webhooks.setSecret('provider_a', FIRST, 24 * HOUR);
    webhooks.setSecret('provider_a', THIRD, 24 * HOUR);
    expect(webhooks.secretsOf('provider_a')).toEqual([THIRD, FIRST]);
    webhooks.setSecret('provider_a', SECOND, 0);
    expect(webhooks.secretsOf('provider_a'), 'no overlap').toEqual([SECOND]);
    webhooks.removeSecret('provider_a');
    expect(webhooks.secretsOf('provider_a')).toEqual([]);
    expect(webhooks.view('provider_a')?.isSecretStored).toBe(false);
  });

  it('is refused where it is short, no base64 where it must be, or of no use', () => {
    const { webhooks } = open();
    expect(refused(() => webhooks.setSecret('provider_a', 'short', 0))).toBe('SETTINGS_INVALID');
    expect(refused(() => webhooks.setSecret('provider_b', 'whsec_not base64!', 0))).toBe('SETTINGS_INVALID');
    expect(refused(() => webhooks.setSecret('provider_b', 'whsec_c2hvcnQ=', 0))).toBe('SETTINGS_INVALID');
    expect(refused(() => webhooks.setSecret('terminal', FIRST, 0))).toBe('OPERATION_NOT_SUPPORTED');
    expect(refused(() => webhooks.removeSecret('terminal'))).toBe('OPERATION_NOT_SUPPORTED');
    webhooks.setSecret('provider_b', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 0);
    expect(webhooks.view('provider_b')?.isSecretStored).toBe(true);
    expect(webhooks.view('terminal')).toBeNull();
  });

  it('that cannot be opened is none, and another takes its place', () => {
    const { webhooks, database } = open();
    webhooks.setSecret('provider_a', FIRST, 0);
    const { webhooks: later } = open(database, aSealer());
    expect(later.secretsOf('provider_a')).toBeNull();
    expect(later.view('provider_a')?.isSecretStored).toBe(true);
    later.setSecret('provider_a', SECOND, HOUR);
    expect(later.secretsOf('provider_a')).toEqual([SECOND]);
  });
});

describe('a webhook', () => {
  it('that is genuine wakes, is counted, and writes nothing', () => {
    const { webhooks, woken, database, clock } = open();
    webhooks.setSecret('provider_a', FIRST, 0);
    const writes = () => database.get('SELECT total_changes() AS changes');
    const before = writes();
    webhooks.listening('http://127.0.0.1:8490');
    webhooks.accepted('provider_a', null);
    webhooks.refused('provider_a', 'unsigned');
    expect(woken).toEqual(['provider_a']);
    expect(writes()).toEqual(before);
    expect(webhooks.view('provider_a')).toEqual({
      url: 'http://127.0.0.1:8490/hooks/provider_a',
      isSecretStored: true,
      previousSecretUntil: null,
      accepted: 1,
      refused: 1,
      lastAcceptedAt: clock.now(),
      lastRefusedAt: clock.now(),
      lastRefusal: 'unsigned',
    });
  });
});
