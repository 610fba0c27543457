import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { Inbox } from '../../../src/driver-kit/inbox.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const forever = new AbortController().signal;

describe('Inbox', () => {
  it('gives items in the order they came, whether or not somebody waited', async () => {
    const inbox = new Inbox<number>(new VirtualClock());
    inbox.offer(1);
    const first = await inbox.next({ name: 't', ms: 10 }, forever);
    const second = inbox.next({ name: 't', ms: 10 }, forever);
    inbox.offer(2);
    expect([first, await second]).toEqual([1, 2]);
  });

  it('is over after its time and leaves no timer behind', async () => {
    const clock = new VirtualClock();
    const inbox = new Inbox<number>(clock);
    const waiting = expect(inbox.next({ name: 'T3', ms: 5000 }, forever)).rejects.toMatchObject({
      code: 'TERMINAL_NO_ANSWER',
    });
    await clock.advance(5000);
    await waiting;
    inbox.offer(3);
    expect(await inbox.next({ name: 'T3', ms: 5000 }, forever)).toBe(3);
    expect(clock.pending).toEqual([]);
  });

  it.each([
    [178_496.4698607002, 'the terminal did not answer within 178.5 s'],
    [5000, 'the terminal did not answer within 5 s'],
  ])('says how long it waited in words for staff, after %d ms', async (ms, message) => {
    const clock = new VirtualClock();
    const waiting = expect(new Inbox<number>(clock).next({ name: 't', ms }, forever)).rejects.toMatchObject({
      message,
    });
    await clock.advance(Math.ceil(ms));
    await waiting;
  });

  it('gives what came before a failure and then the failure', async () => {
    const inbox = new Inbox<number>(new VirtualClock());
    inbox.offer(1);
    inbox.fail(new AppError('TERMINAL_LINK_LOST', 'cut'));
    inbox.offer(2);
    expect(await inbox.next({ name: 't', ms: 1 }, forever)).toBe(1);
    await expect(inbox.next({ name: 't', ms: 1 }, forever)).rejects.toMatchObject({
      code: 'TERMINAL_LINK_LOST',
    });
  });

  it('stops waiting when it is told to', async () => {
    const inbox = new Inbox<number>(new VirtualClock());
    const stop = new AbortController();
    const waiting = inbox.next({ name: 't', ms: 1000 }, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'TERMINAL_STOPPED' });
  });

  it('refuses a second waiter', async () => {
    const inbox = new Inbox<number>(new VirtualClock());
    const first = inbox.next({ name: 't', ms: 1000 }, forever);
    expect(() => inbox.next({ name: 't', ms: 1000 }, forever)).toThrowError(/two dialogues/);
    inbox.offer(1);
    expect(await first).toBe(1);
  });

  it('fails when more comes unasked than it holds', async () => {
    const inbox = new Inbox<number>(new VirtualClock(), 2);
    for (const item of [1, 2, 3]) inbox.offer(item);
    inbox.drain();
    await expect(inbox.next({ name: 't', ms: 1 }, forever)).rejects.toMatchObject({
      code: 'TERMINAL_GARBLED',
    });
  });
});
