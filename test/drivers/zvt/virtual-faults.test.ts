import { describe, expect, it } from 'vitest';
import type { Fault, FaultPoint } from '../../../src/sandbox/controllable-terminal.ts';
import { commands, counter, OK, REGISTER, REGISTER_WITHOUT_PAPER, REPEAT, SALE } from './virtual-counter.ts';

const NOISE = 'A55A00FF337F';

async function atTheCounter(fault: Fault) {
  const parts = counter({ settings: { autopilot: 'approve', faults: [fault] } });
  await parts.till.converse(REGISTER);
  return parts;
}

/** What leaves the terminal at each moment of a sale, when nothing is wrong. */
const FIRST_AT: Readonly<Record<Exclude<FaultPoint, 'idle'>, string>> = {
  command: '8000',
  customer: '04FF',
  result: '040F',
  result_acknowledged: '06D1',
  print: '06D1',
  completion: '060F',
};
const POINTS = Object.entries(FIRST_AT);

function isPoint(text: string): text is Exclude<FaultPoint, 'idle'> {
  return Object.hasOwn(FIRST_AT, text);
}

function point(text: string): Exclude<FaultPoint, 'idle'> {
  if (!isPoint(text)) throw new Error(text);
  return text;
}

/** Frames as they left the terminal, after the registration. */
function sent(parts: Awaited<ReturnType<typeof atTheCounter>>): string[] {
  return parts.pair.theirs.written.slice(2).map((bytes) => Buffer.from(bytes).toString('hex').toUpperCase());
}

describe('a fault at each moment of a sale', () => {
  it.each(POINTS)('%s: a duplicate sends the %s packet twice', async (when, first) => {
    const parts = await atTheCounter({ when: point(when), do: 'duplicate' });
    await parts.till.converse(SALE);
    await parts.clock.advance(20_000);
    const frames = sent(parts);
    const index = frames.findIndex((frame, at) => frame === frames[at + 1]);
    expect(frames[index]?.slice(0, 4)).toBe(first);
    const again = frames.filter((frame) => frame === frames[index]).length;
    expect(again).toBeGreaterThanOrEqual(2);
  });

  it.each(POINTS)('%s: garbage comes right before the %s packet', async (when, first) => {
    const parts = await atTheCounter({ when: point(when), do: 'garbage' });
    await parts.till.send(SALE);
    for (let answers = 0; answers < 60 && !sent(parts).includes(NOISE); answers += 1) {
      await parts.clock.advance(50);
      await parts.till.send(OK);
    }
    await parts.clock.advance(50);
    const frames = sent(parts);
    const index = frames.indexOf(NOISE);
    expect(index).toBeGreaterThanOrEqual(0);
    expect(frames[index + 1]?.slice(0, 4)).toBe(first);
  });

  it.each(POINTS)('%s: a cut ends the connection before the %s packet', async (when, first) => {
    const parts = await atTheCounter({ when: point(when), do: 'cut' });
    await expect(parts.till.converse(SALE)).rejects.toThrow('the connection ended');
    expect(sent(parts).filter((frame) => frame.startsWith(first)).length).toBe(0);
  });

  it.each(POINTS)('%s: a silence swallows the %s packet, the terminal goes on', async (when, first) => {
    const parts = await atTheCounter({ when: point(when), do: 'silence', ms: 60_000 });
    await parts.till.send(SALE);
    for (let answers = 0; answers < 60; answers += 1) {
      await parts.clock.advance(300);
      await parts.till.send(OK);
    }
    await parts.clock.advance(80_000);
    expect(sent(parts).some((frame) => frame.startsWith(first))).toBe(false);
    expect(parts.terminal.snapshot()).toMatchObject({ busy: false, ledger: [{ result: 'approved' }] });
  });

  it.each(POINTS)('%s: a delay holds the %s packet back and loses nothing', async (when) => {
    const plain = await atTheCounter({ when: 'idle', do: 'delay', ms: 0 });
    const delayed = await atTheCounter({ when: point(when), do: 'delay', ms: 7000 });
    const received = await plain.till.converse(SALE);
    const started = delayed.clock.monotonic();
    expect(commands(await delayed.till.converse(SALE))).toBe(commands(received));
    expect(delayed.clock.monotonic() - started).toBeGreaterThanOrEqual(7000);
  });

  it.each(POINTS)('%s: a power loss ends the connection and the registration', async (when) => {
    const parts = await atTheCounter({ when: point(when), do: 'power_loss', ms: 500 });
    await expect(parts.till.converse(SALE)).rejects.toThrow('the connection ended');
    await parts.clock.advance(500);
    expect(await parts.connect().till.converse(SALE)).toEqual(['846B00']);
  });
});

describe('the fault script', () => {
  it('strikes as often as it says, then no more', async () => {
    const { till, terminal } = counter({
      settings: { autopilot: 'approve', faults: [{ when: 'result', do: 'delay', ms: 4000, times: 2 }] },
    });
    await till.converse(REGISTER_WITHOUT_PAPER);
    for (let sale = 0; sale < 3; sale += 1) await till.converse(SALE);
    const [first, second, third] = terminal.snapshot().ledger.map((entry) => entry.at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(4000);
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThan(4000);
    expect(terminal.snapshot().ledger.length).toBe(3);
  });

  it('does not spend a fault of a sale on a registration or a repeated receipt', async () => {
    const { till } = counter({
      settings: { autopilot: 'approve', faults: [{ when: 'command', do: 'cut' }] },
    });
    await till.converse(REGISTER);
    await till.converse(REPEAT);
    await expect(till.converse(SALE)).rejects.toThrow('the connection ended');
  });

  it('injected for an idle terminal strikes at once', async () => {
    const { till, terminal, clock } = counter();
    await till.converse(REGISTER);
    await clock.settle();
    terminal.inject({ when: 'idle', do: 'cut' });
    await till.untilEnded();
    expect(till.ended).toBe(true);
  });

  it('for an idle terminal that is busy strikes when it has finished', async () => {
    const { till, terminal, clock } = counter();
    await till.converse(REGISTER_WITHOUT_PAPER);
    await till.send(SALE);
    await till.packet();
    terminal.inject({ when: 'idle', do: 'power_loss', ms: 500 });
    await clock.settle();
    expect(till.ended).toBe(false);
    terminal.press('approve');
    expect((await till.listenToEnd()).at(-1)).toBe('060F00');
    await till.untilEnded();
    expect(terminal.snapshot()).toMatchObject({
      screen: 'off',
      ledger: [{ result: 'approved', reversed: false }],
    });
  });
});
