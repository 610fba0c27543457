import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Api, ApiError } from '../../../src/console/app/api.js';
import { Payments } from '../../../src/console/app/payments.js';

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
