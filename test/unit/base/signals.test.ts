import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { underAll } from '../../../src/base/signals.ts';

const ends = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true });
  });

describe('a task under several signals', () => {
  it.each([0, 1])('ends with the one that aborts first, and hears its reason: number %i', async (which) => {
    const controllers = [new AbortController(), new AbortController()];
    const ended = underAll(
      controllers.map(({ signal }) => signal),
      ends,
    );
    controllers[which]?.abort('first');
    controllers[1 - which]?.abort('second');
    expect(await ended).toBe('first');
  });

  it('is told at once of one that has aborted before', async () => {
    const signals = [new AbortController().signal, AbortSignal.abort('before')];
    expect(await underAll(signals, async ({ aborted, reason }) => [aborted, reason])).toEqual([
      true,
      'before',
    ]);
  });

  it.each([
    ['ends', async () => 'done'],
    ['throws', async () => Promise.reject(new Error('no'))],
  ])('leaves nothing behind on them when it %s', async (_, task) => {
    const { signal } = new AbortController();
    await underAll([signal], task).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
