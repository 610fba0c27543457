import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Api, ApiError } from '../../../src/console/app/api.js';
import { fittingInvoices } from '../../../src/console/till/invoice-lists.js';

const unhandled: unknown[] = [];
const hear = (reason: unknown) => unhandled.push(reason);

describe('a search that is ended by the next one', () => {
  beforeEach(() => void process.on('unhandledRejection', hear));
  afterEach(() => void process.off('unhandledRejection', hear));

  it.each(['', 'RE-2026'])('for "%s" fails once, whatever it had asked for', async (text) => {
    const gone = new ApiError(0, 'unreachable', 'tilld does not answer');
    const api = { get: () => Promise.reject(gone) } as unknown as Api;
    const asked = { text, currency: 'EUR', before: null };
    await expect(fittingInvoices(api, asked, AbortSignal.abort())).rejects.toBe(gone);
    await nextTurn();
    expect(unhandled).toEqual([]);
  });
});
