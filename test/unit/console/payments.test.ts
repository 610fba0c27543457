import { effect } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Api, ApiError } from '../../../src/console/app/api.js';
import { Payments } from '../../../src/console/app/payments.js';
import { payment } from '../cli/fake-daemon.ts';

const BUSY = new ApiError(429, 'rate_limited', 'Too many requests');
const page = (...ids: string[]) => ({ data: ids.map((id) => ({ id })), has_more: true });

/** What the interface answers, one after the other; an error is thrown. */
function aHistory(...answers: (object | Error)[]) {
  const asked: string[] = [];
  const get = async (path: string) => {
    asked.push(path);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const payments = new Payments({ get } as unknown as Api);
  payments.ids.value = ['p3'];
  payments.hasOlder.value = true;
  return { payments, asked };
}

describe('older payments', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are asked for again after too many requests at once: nobody has to scroll for it', async () => {
    const { payments, asked } = aHistory(BUSY, BUSY, page('p2', 'p1'));
    const read = payments.readOlder();
    await vi.advanceTimersByTimeAsync(5_000);
    await read;
    expect(payments.ids.value).toEqual(['p3', 'p2', 'p1']);
    expect(asked).toHaveLength(3);
  });

  it('are not asked for again where the refusal stays', async () => {
    const { payments, asked } = aHistory(new ApiError(403, 'insufficient_scope', 'no'));
    await expect(payments.readOlder()).rejects.toThrow('no');
    expect(asked).toHaveLength(1);
  });
});

describe('a payment that is shown before it was read', () => {
  it('is shown once it is read, also where it is older than the list', async () => {
    const payment = { id: 'p1', status: 'succeeded', created_at: '2026-01-05T09:00:00.000Z' };
    const { payments } = aHistory({ data: payment });
    const shown: (string | undefined)[] = [];
    const end = effect(() => {
      shown.push(payments.get('p1')?.status);
    });
    await payments.read('p1');
    end();
    expect(shown).toEqual([undefined, 'succeeded']);
  });
});

describe('payments whose outcome is not known yet', () => {
  it('are those that run or are in doubt, not a paid one with an open task', () => {
    const { payments } = aHistory();
    payments.ids.value = [];
    payments.hasOlder.value = false;
    const id = (no: number) => `0199c0de-0000-7000-8000-00000000000${no}`;
    const states = [
      payment({ id: id(1), status: 'in_progress', in_doubt: false, needs_person: false }),
      payment({ id: id(2), status: 'in_progress', in_doubt: true, needs_person: true }),
      payment({ id: id(3), status: 'succeeded', in_doubt: false, needs_person: true }),
    ];
    for (const one of states) payments.heard(one);
    expect(payments.unsettled.map((one) => one.id)).toEqual([id(1), id(2)]);
  });
});
