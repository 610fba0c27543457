import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Answer, Trouble } from '../../../src/outbox/report-port.ts';
import { type LinkView, ServiceHealth } from '../../../src/service/service-health.ts';
import { APPLIED, no } from '../outbox/scripted-service.ts';
import { readableLog } from '../outbox/sender-harness.ts';

const down = (trouble: Trouble): Answer => ({
  kind: 'unavailable',
  trouble,
  reached: 'no',
  retryAfterMs: null,
  words: '',
});

describe('Health of the service', () => {
  it.each<[string, Answer, LinkView]>([
    ['an answer', APPLIED, { state: 'online', reason: null }],
    ['a final no', no('refused', 422), { state: 'online', reason: null }],
    ['a 404', no('not_found', 404), { state: 'online', reason: null }],
    ['a 429', { kind: 'rate_limited', retryAfterMs: 1 }, { state: 'online', reason: null }],
    ['no line', down('line'), { state: 'offline', reason: 'line' }],
    ['no name', down('name_resolution'), { state: 'offline', reason: 'name_resolution' }],
    ['no service', down('service'), { state: 'offline', reason: 'service' }],
    ['a sign-in page', down('captive_portal'), { state: 'offline', reason: 'captive_portal' }],
    ['another host', down('wrong_host'), { state: 'offline', reason: 'wrong_host' }],
    ['a refused key', no('unauthorised', 401), { state: 'offline', reason: 'key' }],
    ['a missing scope', no('forbidden', 403), { state: 'offline', reason: 'key' }],
  ])('after %s', (_, answer, view) => {
    const health = new ServiceHealth(silentLog);
    health.observe(answer, 'read');
    expect(health.view).toEqual(view);
  });

  it('is offline before anything was heard', () => {
    expect(new ServiceHealth(silentLog).view).toEqual({ state: 'offline', reason: null });
  });

  it('is offline on suspicion, until the next answer', () => {
    const health = new ServiceHealth(silentLog);
    health.observe(APPLIED, 'read');
    health.suspect('line');
    expect(health.view).toEqual({ state: 'offline', reason: 'line' });
    health.observe(APPLIED, 'read');
    expect(health.view.state).toBe('online');
  });

  it('does not take a read for proof that the key may write', () => {
    const health = new ServiceHealth(silentLog);
    health.observe(no('forbidden', 403), 'write');
    health.observe(APPLIED, 'read');
    expect(health.view.reason).toBe('key');
    health.observe(APPLIED, 'write');
    expect(health.view).toEqual({ state: 'online', reason: null });
  });

  it('says once when a key that reads were refused for is taken for one again', () => {
    const health = new ServiceHealth(silentLog);
    let taken = 0;
    health.subscribe({
      keyAccepted: () => {
        taken += 1;
      },
    });
    health.observe(APPLIED, 'read');
    health.observe(no('unauthorised', 401), 'read');
    health.observe(no('unauthorised', 401), 'write');
    health.observe(down('line'), 'read');
    expect(taken).toBe(0);
    health.observe(APPLIED, 'read');
    health.observe(APPLIED, 'read');
    expect(taken).toBe(1);
    expect(health.view.reason).toBe('key');
  });

  it('does not take the troubles of the event feed for its own', () => {
    const health = new ServiceHealth(silentLog);
    health.observe(APPLIED, 'read');
    for (const answer of [no('forbidden', 403), down('service')]) {
      health.observe(answer, 'feed');
      expect(health.view).toEqual({ state: 'online', reason: null });
    }
  });

  it('tells of changes only, and no longer than asked', () => {
    const health = new ServiceHealth(silentLog);
    const heard: LinkView[] = [];
    const end = health.subscribe({ changed: (view) => heard.push(view) });
    for (const answer of [APPLIED, APPLIED, down('line'), down('line'), APPLIED])
      health.observe(answer, 'read');
    end();
    health.observe(down('line'), 'read');
    expect(heard.map((view) => view.state)).toEqual(['online', 'offline', 'online']);
  });

  it('warns once of a version that the service will stop serving', () => {
    const { log, lines } = readableLog();
    const health = new ServiceHealth(log);
    const sunset = 'Sun, 15 Nov 2026 00:00:00 GMT';
    for (const headers of [{}, { sunset }, { sunset }]) health.observeVersion({ headers });
    expect(lines).toMatchObject([{ level: 'warn', fields: { sunset } }]);
  });
});
