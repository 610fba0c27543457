import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Answer, Trouble } from '../../../src/outbox/report-port.ts';
import { LinkState, type LinkView } from '../../../src/service/link-state.ts';
import { APPLIED, no } from '../outbox/scripted-service.ts';

const down = (trouble: Trouble): Answer => ({
  kind: 'unavailable',
  trouble,
  reached: 'no',
  retryAfterMs: null,
  words: '',
});

describe('State of the link', () => {
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
    const link = new LinkState(silentLog);
    link.observe(answer, 'read');
    expect(link.view).toEqual(view);
  });

  it('is offline before anything was heard, and off where there is no service', () => {
    expect(new LinkState(silentLog).view).toEqual({ state: 'offline', reason: null });
    const off = new LinkState(silentLog, false);
    off.observe(APPLIED, 'read');
    expect(off.view).toEqual({ state: 'off', reason: null });
  });

  it('does not take a read for proof that the key may write', () => {
    const link = new LinkState(silentLog);
    link.observe(no('forbidden', 403), 'write');
    link.observe(APPLIED, 'read');
    expect(link.view.reason).toBe('key');
    link.observe(APPLIED, 'write');
    expect(link.view).toEqual({ state: 'online', reason: null });
  });

  it('says once when a key that reads were refused for is taken for one again', () => {
    const link = new LinkState(silentLog);
    let taken = 0;
    link.onKeyTaken(() => {
      taken += 1;
    });
    link.observe(APPLIED, 'read');
    link.observe(no('unauthorised', 401), 'read');
    link.observe(no('unauthorised', 401), 'write');
    link.observe(down('line'), 'read');
    expect(taken).toBe(0);
    link.observe(APPLIED, 'read');
    link.observe(APPLIED, 'read');
    expect(taken).toBe(1);
    expect(link.view.reason).toBe('key');
  });

  it('does not take the troubles of the event feed for its own', () => {
    const link = new LinkState(silentLog);
    link.observe(APPLIED, 'read');
    for (const answer of [no('forbidden', 403), down('service')]) {
      link.observe(answer, 'feed');
      expect(link.view).toEqual({ state: 'online', reason: null });
    }
  });

  it('tells of changes only, and no longer than asked', () => {
    const link = new LinkState(silentLog);
    const heard: LinkView[] = [];
    const end = link.subscribe((view) => heard.push(view));
    for (const answer of [APPLIED, APPLIED, down('line'), down('line'), APPLIED])
      link.observe(answer, 'read');
    end();
    link.observe(down('line'), 'read');
    expect(heard.map((view) => view.state)).toEqual(['online', 'offline', 'online']);
  });
});
