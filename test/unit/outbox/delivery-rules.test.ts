import { describe, expect, it } from 'vitest';
import {
  type Delivery,
  firstStep,
  type Step,
  stepAfterAnswer,
  stepAfterLookUp,
} from '../../../src/outbox/delivery-rules.ts';
import type { OutboxRow } from '../../../src/outbox/ports.ts';
import type {
  Answer,
  LookUp,
  NotApplied,
  PaymentAtService,
  Refusal,
} from '../../../src/outbox/report-port.ts';
import { found, LOST, no, OFFLINE, shown } from './scripted-service.ts';
import { HOUR } from './sender-harness.ts';

const base = {
  operation: 'sale',
  parentId: null,
  key: 'k',
  createdAt: 0,
  state: 'pending',
  tries: 1,
  firstUsedAt: 0,
  unanswered: false,
  lastError: null,
} as const;
const create: OutboxRow = {
  ...base,
  id: 'c',
  attemptId: 'A',
  kind: 'create',
  body: { id: 'A', metadata: {} },
};
const result: OutboxRow = {
  ...base,
  id: 'r',
  attemptId: 'A',
  kind: 'result',
  body: { status: 'succeeded', auth_code: '42', metadata: {} },
};

const refund: OutboxRow = {
  ...base,
  id: 'g',
  attemptId: 'A',
  kind: 'create',
  operation: 'refund',
  parentId: 'P',
  body: { id: 'A', amount_minor: 5, metadata: {} },
};
const refundResult: OutboxRow = { ...result, operation: 'refund', parentId: 'P' };

/** A row on its way, after a final no or without one. */
const way = (row: OutboxRow, refused: Refusal | null = null, plain = false): Delivery => ({
  row,
  plain,
  refused,
  parentAtService: row.parentId === null ? null : 'S-P',
});

/** What answered is not the service. */
const FOREIGN: NotApplied = {
  kind: 'unavailable',
  trouble: 'captive_portal',
  reached: 'unknown',
  retryAfterMs: null,
  words: 'html',
};
const again = (mayHaveArrived: boolean, afterMs: number | null = null) =>
  expect.objectContaining({ do: 'again', mayHaveArrived, afterMs });
const parked = (start: string) => ({ do: 'park', reason: expect.stringMatching(new RegExp(`^${start}`)) });
const done = (serviceId: string | null = null): Step => ({ do: 'done', serviceId });

describe('What an answer to a report leads to', () => {
  it.each<[string, Answer<PaymentAtService>, unknown, unknown]>([
    ['2xx with our id', shown('requested'), done(), done()],
    ['2xx with another id', shown('requested', null, 'S'), done('S'), done()],
    ['2xx that shows our outcome', shown('succeeded', '42'), done(), done()],
    [
      '2xx that shows another final state',
      shown('cancelled'),
      done(),
      parked('rejected: .*succeeded.*cancelled'),
    ],
    ['2xx that shows another authorisation', shown('succeeded', '43'), done(), parked('rejected')],
    ['2xx that shows a status of its own', shown('settling'), done(), done()],
    [
      '409 in progress',
      { kind: 'conflict_in_progress', retryAfterMs: 700 },
      again(true, 700),
      again(true, 700),
    ],
    ['422 mismatch', no('key_mismatch', 422), parked('key_mismatch'), parked('key_mismatch')],
    ['409 already exists', no('already_exists', 409), done(), { do: 'look_up' }],
    ['404', no('not_found', 404), { do: 'look_up' }, { do: 'look_up' }],
    ['409 of another kind', no('refused', 409), { do: 'look_up' }, { do: 'look_up' }],
    [
      '400',
      no('refused', 400),
      { do: 'send_plain', because: '400 some_code no' },
      { do: 'send_plain', because: '400 some_code no' },
    ],
    ['402', no('refused', 402), parked('refused: 402'), parked('refused: 402')],
    ['422', no('refused', 422), parked('refused: 422'), parked('refused: 422')],
    ['501', no('refused', 501), parked('refused: 501'), parked('refused: 501')],
    [
      '401',
      no('unauthorised', 401),
      { do: 'halt', error: 'unauthorised: 401 some_code no' },
      { do: 'halt', error: 'unauthorised: 401 some_code no' },
    ],
    [
      '403',
      no('forbidden', 403),
      expect.objectContaining({ do: 'halt' }),
      expect.objectContaining({ do: 'halt' }),
    ],
    [
      '429',
      { kind: 'rate_limited', retryAfterMs: 9 },
      { do: 'throttle', error: 'rate_limited', afterMs: 9 },
      { do: 'throttle', error: 'rate_limited', afterMs: 9 },
    ],
    ['no connection', OFFLINE, again(false), again(false)],
    ['5xx or silence', LOST, again(true), again(true)],
    ['a page that is not the service', FOREIGN, again(true), again(true)],
  ])('%s', (_, answer, forCreate, forResult) => {
    expect(stepAfterAnswer(way(create), answer)).toEqual(forCreate);
    expect(stepAfterAnswer(way(result), answer)).toEqual(forResult);
    expect(stepAfterAnswer(way(refund), answer)).toEqual(forCreate);
    expect(stepAfterAnswer(way(refundResult), answer)).toEqual(forResult);
  });

  it.each(['P', 'S-P'])(
    'parks a refund whose answer shows the sale (%s): its id is never an alias of the refund',
    (id) => {
      const answer = shown('succeeded', null, id);
      expect(stepAfterAnswer(way(refund), answer)).toEqual(parked('answer_names_parent'));
      expect(stepAfterAnswer(way({ ...refund, operation: 'void' }), answer)).toEqual(
        parked('answer_names_parent: .* void'),
      );
    },
  );

  it("keeps card numbers out of a parked row, whatever the service's words are", () => {
    const refusal = { status: 422, code: null, message: 'card 4111111111111111 is unknown' };
    expect(stepAfterAnswer(way(result), { kind: 'refused', refusal })).toEqual({
      do: 'park',
      reason: 'refused: 422 card 411111******1111 is unknown',
    });
  });

  it('parks a second 400: the plain body is tried once', () => {
    for (const row of [create, refund])
      expect(stepAfterAnswer(way(row, null, true), no('refused', 400))).toEqual(parked('refused: 400'));
  });

  it('parks a 400 at once when there is no metadata to leave out', () => {
    const row = { ...result, body: { status: 'succeeded' } };
    expect(stepAfterAnswer(way(row), no('refused', 400))).toEqual(parked('refused: 400'));
  });
});

describe('What a look-up leads to', () => {
  const conflict: Refusal = { status: 409, code: 'invalid_state', message: 'm' };
  const gone: Refusal = { status: 404, code: null, message: 'm' };

  it.each<[string, LookUp, Refusal | null, unknown, unknown]>([
    ['our outcome', found('succeeded', '42'), null, done(), done()],
    ['our outcome without an authorisation', found('succeeded'), null, done(), done()],
    ['our outcome with another authorisation', found('succeeded', '43'), null, done(), parked('rejected')],
    ['requested', found('requested'), null, done(), { do: 'send' }],
    ['in progress', found('in_progress'), null, done(), { do: 'send' }],
    ['in progress under another id', found('in_progress', null, 'S'), null, done('S'), { do: 'send' }],
    ['another final state', found('cancelled'), null, done(), parked('rejected: .*cancelled')],
    [
      'another final state after a 409',
      found('cancelled'),
      conflict,
      done(),
      parked('rejected: .*cancelled'),
    ],
    ['a status that nobody knows', found('settled'), null, done(), parked('rejected: .*settled')],
    ['our outcome after a 409', found('succeeded', '42'), conflict, done(), done()],
    ['in progress after a 409', found('in_progress'), conflict, done(), again(false)],
    ['in progress after a 404 to our request', found('in_progress'), gone, done(), again(false)],
    ['404 with a witness', { kind: 'absent' }, null, { do: 'send' }, parked('not_at_service')],
    ['404 with a witness after a 404', { kind: 'absent' }, gone, again(false), parked('not_at_service')],
    [
      '404 without a witness',
      { kind: 'hidden' },
      null,
      expect.objectContaining({ do: 'halt' }),
      expect.objectContaining({ do: 'halt' }),
    ],
    [
      '401',
      { kind: 'no_answer', answer: no('unauthorised', 401) },
      null,
      expect.objectContaining({ do: 'halt' }),
      expect.objectContaining({ do: 'halt' }),
    ],
    [
      '429',
      { kind: 'no_answer', answer: { kind: 'rate_limited', retryAfterMs: 5 } },
      null,
      expect.objectContaining({ do: 'throttle', afterMs: 5 }),
      expect.objectContaining({ do: 'throttle', afterMs: 5 }),
    ],
    ['5xx', { kind: 'no_answer', answer: LOST }, null, again(false), again(false)],
    ['a portal', { kind: 'no_answer', answer: FOREIGN }, null, again(false), again(false)],
    ['400', { kind: 'no_answer', answer: no('refused', 400) }, null, again(false), again(false)],
  ])('%s', (_, seen, refused, forCreate, forResult) => {
    expect(stepAfterLookUp(way(create, refused), seen)).toEqual(forCreate);
    expect(stepAfterLookUp(way(result, refused), seen)).toEqual(forResult);
    expect(stepAfterLookUp(way(refundResult, refused), seen)).toEqual(forResult);
  });

  it('a result that keeps being answered with 404 though its payment is there is parked after a few tries', () => {
    const tried = { ...result, tries: 100 };
    expect(stepAfterLookUp(way(tried, gone), found('in_progress'))).toEqual(parked('refused: 404'));
  });

  it('a create that keeps being answered with 404 is parked after a few tries: the key is not blind, the service refuses', () => {
    const tired = { ...create, tries: 5 };
    expect(stepAfterLookUp(way(tired, gone), { kind: 'absent' })).toEqual(parked('not_at_service'));
  });

  it('that was tried with a blind key for long is tried once more when the key sees again, and parked only then', () => {
    const error = 'not_visible: the key shows neither this payment nor a device of ours';
    const blind = { tries: 50, lastError: error };
    const again = { do: 'again', mayHaveArrived: false };
    expect(stepAfterLookUp(way({ ...create, ...blind }, gone), { kind: 'absent' })).toMatchObject(again);
    expect(stepAfterLookUp(way({ ...result, ...blind }, gone), found('in_progress'))).toMatchObject(again);
    const seeing = { ...create, tries: 51, lastError: 'conflict: 404' };
    expect(stepAfterLookUp(way(seeing, gone), { kind: 'absent' })).toEqual(parked('not_at_service'));
  });

  it('parks a conflict that stays unexplained after five tries', () => {
    const row = { ...result, tries: 5 };
    expect(stepAfterLookUp(way(row, conflict), found('in_progress'))).toEqual(parked('refused: 409'));
  });

  it.each<[string, LookUp, Refusal | null, number, unknown]>([
    ['that is there is done', found('requested'), null, 1, done()],
    [
      'that is there under another id is done, with an alias',
      found('requested', null, 'S'),
      null,
      1,
      done('S'),
    ],
    ['that is there after the 404 of its sale is done', found('succeeded', '42'), gone, 1, done()],
    ['that is proved absent is sent with its own key', { kind: 'absent' }, null, 1, { do: 'send' }],
    [
      'whose sale is not there is asked for again: the key may have been blind',
      { kind: 'absent' },
      gone,
      1,
      again(false),
    ],
    [
      'whose sale is not there for the fifth time is parked, never created',
      { kind: 'absent' },
      gone,
      5,
      parked('parent_not_at_service: 404'),
    ],
    ['that met another change of its sale is tried again', { kind: 'absent' }, conflict, 1, again(false)],
    [
      'that meets it for the fifth time is parked',
      { kind: 'absent' },
      conflict,
      5,
      parked('not_at_service: 409'),
    ],
    [
      'whose key shows nothing of ours halts everything',
      { kind: 'hidden' },
      gone,
      1,
      expect.objectContaining({ do: 'halt' }),
    ],
  ])('a refund or void %s', (_, seen, refused, tries, step) => {
    for (const operation of ['refund', 'void'] as const)
      expect(stepAfterLookUp(way({ ...refund, operation, tries }, refused), seen)).toEqual(step);
  });
});

describe('Whether a row is looked up before it is sent', () => {
  it.each<[string, Partial<OutboxRow>, number, boolean, 'send' | 'look_up']>([
    ['never used', { firstUsedAt: null }, 0, false, 'send'],
    ['never used, but old', { firstUsedAt: null }, 999 * HOUR, false, 'send'],
    ['answered, young', {}, HOUR, false, 'send'],
    ['unanswered in this run, young', { unanswered: true }, HOUR, true, 'send'],
    ['unanswered before a restart', { unanswered: true }, 1, false, 'look_up'],
    ['23 h old to the millisecond', {}, 23 * HOUR, true, 'send'],
    ['older than 23 h', {}, 23 * HOUR + 1, true, 'look_up'],
    ['first used in the future', { firstUsedAt: HOUR }, 0, true, 'look_up'],
    ['first used a second in the future', { firstUsedAt: 1_000 }, 0, true, 'send'],
  ])('%s', (_, change, serviceNow, tried, step) => {
    for (const row of [result, refund])
      expect(firstStep({ ...row, ...change }, serviceNow, tried)).toEqual({ do: step });
  });
});
