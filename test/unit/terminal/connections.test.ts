import { describe, expect, it } from 'vitest';
import { Connections } from '../../../src/terminal/connections.ts';
import type { Link } from '../../../src/terminal/link.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';

const { signal } = new AbortController();

function dialled() {
  const opened: Link[] = [];
  const open = async () => {
    const { ours } = memoryLinkPair({ kind: 'tcp' });
    opened.push(ours);
    return ours;
  };
  return { opened, open };
}

const later = <T>(value: T) => new Promise<T>((resolve) => setImmediate(resolve, value));
const isEnded = (link: Link) => Promise.race([link.closed.then(() => true), later(false)]);

describe('a conversation with a connection for each exchange', () => {
  it('has one connection open at a time', async () => {
    const { opened, open } = dialled();
    const first = await open();
    const connections = new Connections(first, open);
    const second = await connections.dial(signal);
    expect(await isEnded(first)).toBe(true);
    expect(await isEnded(second)).toBe(false);
    expect(opened).toHaveLength(2);
  });

  it('does not end when a connection does', async () => {
    const { open } = dialled();
    const first = await open();
    const connections = new Connections(first, open);
    await first.close();
    expect(await Promise.race([connections.closed, later('goes on')])).toBe('goes on');
    await connections.dial(signal);
  });

  it.each(['close', 'abandon'] as const)(
    'takes its connection with it on %s, and opens no other',
    async (how) => {
      const { opened, open } = dialled();
      const connections = new Connections(await open(), open);
      const second = await connections.dial(signal);
      await connections[how]();
      expect(await isEnded(second)).toBe(true);
      expect(await connections.closed).toMatchObject({ reason: 'closed_by_us' });
      await expect(connections.dial(signal)).rejects.toMatchObject({ code: 'LINK_CLOSED', moneyMoved: 'no' });
      expect(opened).toHaveLength(2);
    },
  );

  it.each(['close', 'abandon'] as const)(
    'has at most one beside the present one, which stays, and takes it along on %s',
    async (how) => {
      const { open } = dialled();
      const first = await open();
      const connections = new Connections(first, open);
      const stop = await connections.openBeside(signal);
      const again = await connections.openBeside(signal);
      expect([await isEnded(first), await isEnded(stop), await isEnded(again)]).toEqual([false, true, false]);
      await connections[how]();
      expect([await isEnded(first), await isEnded(again)]).toEqual([true, true]);
      await expect(connections.openBeside(signal)).rejects.toMatchObject({ code: 'LINK_CLOSED' });
    },
  );

  it.each(['dial', 'openBeside'] as const)(
    'leaves none behind when a driver opens many at once by %s: the last one stays, and ends with the session',
    async (way) => {
      const { opened, open } = dialled();
      const connections = new Connections(await open(), open);
      await Promise.all(Array.from({ length: 8 }, () => connections[way](signal)));
      const [, ...others] = opened;
      const ended = await Promise.all(others.map(isEnded));
      expect(ended).toEqual([...Array<boolean>(7).fill(true), false]);
      await connections.close();
      for (const link of opened) expect(await isEnded(link)).toBe(true);
    },
  );

  it('has none beside a serial line', async () => {
    const { ours } = memoryLinkPair({ kind: 'serial' });
    const connections = new Connections(ours, () => Promise.reject(new Error('it was opened')));
    await expect(connections.openBeside(signal)).rejects.toMatchObject({ code: 'LINK_REFUSED' });
    expect(await isEnded(ours)).toBe(false);
  });

  it('leaves no connection behind that was still being opened when it ended', async () => {
    const { opened, open } = dialled();
    const first = await open();
    const { promise: opening, resolve: finishOpening } = Promise.withResolvers<void>();
    const connections = new Connections(first, async () => {
      await opening;
      return open();
    });
    const dialling = connections.dial(signal);
    const refused = expect(dialling).rejects.toMatchObject({ code: 'LINK_CLOSED' });
    await Promise.resolve();
    await connections.abandon();
    finishOpening();
    await refused;
    expect(opened).toHaveLength(2);
    for (const link of opened) expect(await isEnded(link)).toBe(true);
  });
});
