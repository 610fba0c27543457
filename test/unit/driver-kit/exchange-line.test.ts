import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { malformed } from '../../../src/driver-kit/byte-reader.ts';
import { ExchangeLine, type TakeFrame } from '../../../src/driver-kit/exchange-line.ts';
import { LengthFraming } from '../../../src/driver-kit/length-reader.ts';
import type { Sending } from '../../../src/driver-kit/once.ts';
import { type MemoryLinkPair, memoryLinkPair } from '../../support/memory-link.ts';
import { noDial } from '../../support/no-dial.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const framing = new LengthFraming(2, 100);
const LIMIT = { name: 'customer', ms: 1000 };
const [REQUEST, TEXT, TAKEN, RESPONSE] = [1, 2, 3, 4].map((byte) => Uint8Array.of(byte));

/** The terminal's texts are answered, its response ends the exchange, anything else is no message. */
const take: TakeFrame<Uint8Array, 'paid'> = async ([kind], reply) => {
  if (kind === RESPONSE?.[0]) return 'paid';
  if (kind !== TEXT?.[0]) throw malformed(0, 'no message');
  await reply(TAKEN ?? new Uint8Array());
  return undefined;
};

function opened() {
  const clock = new VirtualClock();
  const pair = memoryLinkPair();
  const recorded: string[] = [];
  const line = new ExchangeLine(
    pair.ours,
    { clock, dial: noDial, openBeside: noDial },
    framing,
    (direction, [byte]) => recorded.push(`${direction} ${byte}`),
  );
  const stopped = new AbortController();
  const send = (sending?: Sending) => {
    const sent = line.send(REQUEST ?? new Uint8Array(), take, LIMIT, stopped.signal, sending);
    sent.catch(() => undefined);
    return sent;
  };
  return { clock, pair, line, recorded, stopped, send };
}

function says({ theirs }: MemoryLinkPair, ...messages: readonly (Uint8Array | undefined)[]): void {
  for (const message of messages) void theirs.write(framing.frame(message ?? new Uint8Array()));
}

describe('a request on a connection of its own', () => {
  it('is written once; what the terminal sends before its response is answered, and all of it is recorded', async () => {
    const { clock, pair, send, recorded, line } = opened();
    const calls: string[] = [];
    const sending = {
      begun: () => void calls.push(`begun ${pair.ours.written.length}`),
      handed: () => calls.push(`handed ${pair.ours.written.length}`) > 0,
    };
    const sent = send(sending);
    await clock.settle();
    says(pair, TEXT, TEXT, RESPONSE);
    expect(await sent).toBe('paid');
    expect(calls).toEqual(['begun 0', 'handed 1']);
    expect(pair.ours.written.map(([, , byte]) => byte)).toEqual([1, 3, 3]);
    expect(recorded).toEqual(['sent 1', 'received 2', 'sent 3', 'received 2', 'sent 3', 'received 4']);
    expect(line.heard).toEqual(Uint8Array.of(0, 1, 2, 0, 1, 2, 0, 1, 4));
  });

  it('has one time limit, whatever the terminal sends meanwhile', async () => {
    const { clock, pair, send } = opened();
    const sent = send();
    for (let texts = 0; texts < 3; texts += 1) {
      await clock.advance(300);
      says(pair, TEXT);
    }
    await clock.advance(100);
    await expect(sent).rejects.toMatchObject({ code: 'TERMINAL_NO_ANSWER' });
  });

  it('is followed by nothing where it could not be stored that it was sent', async () => {
    const { clock, pair, send } = opened();
    const sent = send({ begun: () => undefined, handed: () => false });
    says(pair, TEXT);
    await clock.settle();
    await expect(sent).rejects.toMatchObject({ code: 'NOT_STORED' });
    expect(pair.ours.written).toHaveLength(1);
  });

  it.each([
    ['a message that is none', 'TERMINAL_GARBLED', (pair: MemoryLinkPair) => says(pair, Uint8Array.of(9))],
    [
      'a frame that is too long',
      'TERMINAL_GARBLED',
      (pair: MemoryLinkPair) => void pair.theirs.write(Uint8Array.of(1)),
    ],
    ['the end of the connection', 'TERMINAL_LINK_LOST', (pair: MemoryLinkPair) => void pair.theirs.close()],
  ])('fails with %s as %s, and its connection is over', async (_what, code, happens) => {
    const { clock, pair, send } = opened();
    const sent = send();
    await clock.settle();
    happens(pair);
    await expect(sent).rejects.toMatchObject({ code });
    await expect(pair.ours.write(Uint8Array.of(0))).rejects.toMatchObject({ code: 'LINK_CLOSED' });
  });

  it('answers no text behind its end', async () => {
    const { clock, pair, line, stopped } = opened();
    const stops: typeof take = (_frame, reply) => {
      stopped.abort(new AppError('TERMINAL_STOPPED', 'stopped'));
      return reply(Uint8Array.of(3)).then(() => undefined);
    };
    const sent = line.send(Uint8Array.of(1), stops, LIMIT, stopped.signal);
    sent.catch(() => undefined);
    await clock.settle();
    says(pair, TEXT);
    await expect(sent).rejects.toMatchObject({ code: 'TERMINAL_STOPPED' });
    expect(pair.ours.written).toHaveLength(1);
  });
});
