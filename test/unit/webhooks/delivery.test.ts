import { describe, expect, it } from 'vitest';
import {
  afterAttempt,
  type Delivery,
  newDelivery,
  type Outcome,
  SCHEDULE_MS,
} from '../../../src/webhooks/delivery.ts';
import { HOUR, MINUTE } from './hooks.ts';

const BORN = 1_000_000_000_000;
const fresh = () =>
  newDelivery({ id: 'evt_1', type: 'terminal_payment.succeeded' }, 'endpoint', 'delivery', BORN);
const REFUSED: Outcome = { kind: 'answered', status: 500 };

/** A pending delivery after so many failures on time. */
function failedTimes(failures: number): Delivery {
  let delivery = fresh();
  for (let made = 0; made < failures; made += 1) delivery = failed(delivery);
  return delivery;
}

function failed(delivery: Delivery, lateMs = 0): Delivery {
  if (delivery.status.name !== 'pending') throw new Error('it has ended');
  const startedAt = delivery.status.nextAt + lateMs;
  return afterAttempt(delivery, REFUSED, startedAt, startedAt + 5_000);
}

const nextAt = ({ status }: Delivery) => (status.name === 'pending' ? status.nextAt - BORN : status.name);

describe('a delivery after an attempt', () => {
  const OUTCOMES: readonly (readonly [Outcome, 'acknowledged' | 'no' | 'never', string | null])[] = [
    [{ kind: 'answered', status: 200 }, 'acknowledged', null],
    [{ kind: 'answered', status: 204 }, 'acknowledged', null],
    [{ kind: 'answered', status: 299 }, 'acknowledged', null],
    [{ kind: 'answered', status: 199 }, 'no', 'the endpoint answered 199'],
    [{ kind: 'answered', status: 301 }, 'no', 'the endpoint answered 301: redirects are not followed'],
    [{ kind: 'answered', status: 410 }, 'no', 'the endpoint answered 410'],
    [{ kind: 'answered', status: 500 }, 'no', 'the endpoint answered 500'],
    [{ kind: 'no_answer', error: 'reset' }, 'no', 'reset'],
    [{ kind: 'impossible', error: 'gone' }, 'never', 'gone'],
  ];
  const FAILURES = [0, 1, 2, 3, 4, 5];

  it.each(FAILURES.flatMap((made) => OUTCOMES.map((row) => [made, ...row] as const)))(
    'that failed %i times and then got %j is %s',
    (made, outcome, kind, error) => {
      const before = failedTimes(made);
      if (before.status.name !== 'pending') throw new Error('it has ended');
      const { status, attempts, lastError, responseStatus } = afterAttempt(
        before,
        outcome,
        before.status.nextAt,
        before.status.nextAt + 1,
      );
      const isLast = made === 5 || kind === 'never';
      expect(status.name).toBe(kind === 'acknowledged' ? 'delivered' : isLast ? 'failed' : 'pending');
      expect(attempts).toBe(made + 1);
      expect(lastError).toBe(error);
      expect(responseStatus).toBe(outcome.kind === 'answered' ? outcome.status : null);
    },
  );

  it.each(['delivered', 'failed'] as const)('stays %s, whatever a late answer says', (name) => {
    const ended: Delivery = { ...failedTimes(1), status: { name, at: BORN } };
    for (const [outcome] of OUTCOMES) expect(afterAttempt(ended, outcome, BORN, BORN)).toBe(ended);
  });
});

describe('the schedule of a delivery', () => {
  it('has its slots at 0, 5 min, 30 min, 2 h, 8 h and 24 h after the creation, however long each attempt takes', () => {
    const starts = FAILED_TIMES.map((failures) => nextAt(failedTimes(failures)));
    expect(starts).toEqual([0, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR, 24 * HOUR, 'failed']);
    expect(SCHEDULE_MS).toHaveLength(6);
  });
  const FAILED_TIMES = [0, 1, 2, 3, 4, 5, 6];

  it('keeps its distances behind an attempt that was made late, instead of a burst', () => {
    const late = failed(failedTimes(1), 3 * HOUR);
    expect(nextAt(late)).toBe(5 * MINUTE + 3 * HOUR + 25 * MINUTE);
  });

  it('ends with an attempt that begins when the 24 hours are over, even if it is not the sixth', () => {
    const late = failed(failedTimes(2), 25 * HOUR);
    expect(late).toMatchObject({ attempts: 3, status: { name: 'failed' } });
  });

  it('never plans an attempt behind the end of the 24 hours', () => {
    expect(nextAt(failed(failedTimes(3), 21 * HOUR))).toBe(24 * HOUR);
  });
});
