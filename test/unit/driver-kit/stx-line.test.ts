import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../../src/driver-kit/ascii.ts';
import { fromHex, toHex } from '../../../src/driver-kit/hex.ts';
import type { StxFraming } from '../../../src/driver-kit/stx-framing.ts';
import { StxLine, type StxLineTimes } from '../../../src/driver-kit/stx-line.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const FRAMING: StxFraming = {
  checks: [{ start: 0, covers: 'data_etx' }],
  maxData: 8,
  controls: [0x04, 0x05, 0x06, 0x15],
};
const ECR17: StxFraming = {
  checks: [
    { start: 0x7f, covers: 'data' },
    { start: 0x7f, covers: 'data_etx' },
  ],
  maxData: 8,
  controls: [],
  framedControls: [0x06, 0x15],
};
const forever = new AbortController().signal;
const limit = { name: 'answer', ms: 60_000 };
const bytes = (hex: string) => fromHex(hex) ?? new Uint8Array();
const FRAME = '02300333';

const TIMES: StxLineTimes = { gapMs: 200, acknowledgementMs: 2000 };

function opened(framing = FRAMING, times = TIMES) {
  const clock = new VirtualClock();
  const pair = memoryLinkPair({ kind: 'serial' });
  const line = new StxLine(pair.ours, clock, framing, times);
  line.start();
  const written = () => pair.ours.written.map(toHex);
  const says = async (hex: string) => {
    await pair.theirs.write(bytes(hex));
    await clock.settle();
  };
  return { clock, pair, line, written, says };
}

/** Starts to send a money frame and lets the line be silent as long as it must. */
async function sending(shop: ReturnType<typeof opened>) {
  let handed = 0;
  const sent = shop.line.sendMoney(
    asciiBytes('0'),
    () => {
      handed += 1;
    },
    forever,
  );
  sent.catch(() => undefined);
  await shop.clock.advance(200);
  return { sent, handed: () => handed };
}

describe('a money frame', () => {
  it('is written once when it is acknowledged', async () => {
    const shop = opened();
    const { sent, handed } = await sending(shop);
    await shop.says('06');
    await sent;
    expect([shop.written(), handed()]).toEqual([[FRAME], 1]);
  });

  it('waits for a quiet line of its own length where a byte may take seconds', async () => {
    const shop = opened(FRAMING, { gapMs: 3000, acknowledgementMs: 3000, quietMs: 100 });
    const sent = shop.line.sendMoney(asciiBytes('0'), () => undefined, forever);
    await shop.clock.advance(99);
    expect(shop.written()).toEqual([]);
    await shop.clock.advance(1);
    expect(shop.written()).toEqual([FRAME]);
    await shop.says('06');
    await sent;
  });

  it('is never written again after silence', async () => {
    const shop = opened();
    const { sent } = await sending(shop);
    await shop.clock.advance(60_000);
    await sent;
    expect(shop.written()).toEqual([FRAME]);
  });

  it('is written again after a lone NAK, at most twice', async () => {
    const shop = opened();
    const { sent, handed } = await sending(shop);
    for (let n = 0; n < 3; n += 1) {
      await shop.says('15');
      await shop.clock.advance(200);
    }
    await expect(sent).rejects.toMatchObject({ code: 'TERMINAL_NOT_HEARD' });
    expect([shop.written(), handed()]).toEqual([[FRAME, FRAME, FRAME], 1]);
  });

  it.each(['FF15', '15FF', '1506', '0231033215', '0515'])(
    'is not written again when a NAK is not alone (%s)',
    async (hex) => {
      const shop = opened();
      const { sent } = await sending(shop);
      await shop.says(hex);
      await shop.clock.advance(10_000);
      await sent;
      expect(shop.written()[0]).toBe(FRAME);
      expect(shop.written().filter((frame) => frame === FRAME)).toHaveLength(1);
    },
  );

  it('is not written again when something follows a NAK, however many there were', async () => {
    for (const naks of [1, 2, 3]) {
      const shop = opened();
      const { sent } = await sending(shop);
      for (let n = 1; n < naks; n += 1) {
        await shop.says('15');
        await shop.clock.advance(200);
      }
      await shop.says('15');
      await shop.clock.advance(150);
      await shop.says('02310332');
      await shop.clock.advance(10_000);
      expect(await sent).toEqual({ sign: 'mixed', writes: naks });
    }
  });

  it('does not take the NAK of an earlier frame for its own', async () => {
    const shop = opened();
    const sent = shop.line.sendMoney(asciiBytes('0'), () => undefined, forever);
    await shop.says('15');
    await shop.clock.advance(400);
    await shop.clock.advance(10_000);
    await sent;
    expect(shop.written()).toEqual([FRAME]);
  });

  it('does not leave while the terminal talks', async () => {
    const shop = opened();
    let handed = false;
    const sent = shop.line.sendMoney(
      asciiBytes('0'),
      () => {
        handed = true;
      },
      forever,
    );
    sent.catch(() => undefined);
    for (let n = 0; n < 12; n += 1) {
      await shop.says('FF');
      await shop.clock.advance(100);
    }
    await expect(sent).rejects.toMatchObject({ code: 'TERMINAL_LINE_NOISY', moneyMoved: 'no' });
    expect([handed, shop.written()]).toEqual([false, []]);
  });

  it('that was handed over and cut is told from one that was not', async () => {
    const shop = opened();
    const { sent } = await sending(shop);
    await shop.says('15');
    shop.pair.cut();
    await shop.clock.advance(200);
    await expect(sent).rejects.toMatchObject({ code: 'TERMINAL_LINK_LOST', moneyMoved: 'unknown' });
    const late = opened();
    late.pair.cut();
    await late.clock.settle();
    const never = late.line.sendMoney(asciiBytes('0'), () => undefined, forever);
    never.catch(() => undefined);
    await late.clock.advance(200);
    await expect(never).rejects.toMatchObject({ code: 'LINK_CLOSED', moneyMoved: 'no' });
  });
});

describe('an ordinary frame', () => {
  it('is repeated on NAK and on silence, at most twice', async () => {
    const shop = opened();
    const sent = shop.line.send(asciiBytes('0'), forever);
    sent.catch(() => undefined);
    await shop.says('15');
    await shop.clock.advance(4000);
    await expect(sent).rejects.toMatchObject({ code: 'TERMINAL_NOT_HEARD', context: { naks: 1 } });
    expect(shop.written()).toEqual([FRAME, FRAME, FRAME]);
  });

  it.each([
    ['06', 'acknowledged'],
    ['0602310332', 'acknowledged'],
    ['A506', 'acknowledged'],
    ['0231033206', 'answered'],
    ['15A5', 'mixed'],
  ])('says by what it was heard: %s is %s', async (written, by) => {
    const shop = opened();
    const sent = shop.line.send(asciiBytes('0'), forever);
    await shop.says(written);
    expect(await sent).toBe(by);
  });

  it('was heard when the answer comes without an acknowledgement', async () => {
    const shop = opened();
    const sent = shop.line.send(asciiBytes('0'), forever);
    await shop.says('02310332');
    await sent;
    expect(await shop.line.receive(limit, forever)).toEqual({ kind: 'frame', data: bytes('31') });
  });
});

describe('what the terminal says', () => {
  it('is not acknowledged by the line, but by the dialogue', async () => {
    const shop = opened();
    await shop.says('02310332');
    expect(await shop.line.receive(limit, forever)).toMatchObject({ kind: 'frame' });
    expect(shop.written()).toEqual([]);
    await shop.line.acknowledge();
    expect(shop.written()).toEqual(['06']);
  });

  it('is refused by the line when it is damaged, or stops in the middle', async () => {
    const shop = opened();
    await shop.says('02310300');
    expect(shop.written()).toEqual(['15']);
    await shop.says('0231');
    await shop.clock.advance(200);
    expect(shop.written()).toEqual(['15', '15']);
    await shop.says('02310332');
    expect(await shop.line.receive(limit, forever)).toMatchObject({ kind: 'frame' });
  });

  it('reaches the dialogue in order, controls other than ACK and NAK included', async () => {
    const shop = opened();
    await shop.says('0502310332');
    await shop.says('04');
    const kinds = [];
    for (let n = 0; n < 3; n += 1) kinds.push((await shop.line.receive(limit, forever)).kind);
    expect(kinds).toEqual(['control', 'frame', 'control']);
  });

  it('is kept from its beginning, at most 64 bytes', async () => {
    const shop = opened();
    await shop.says('150369');
    await shop.says('FF'.repeat(100));
    expect(toHex(shop.line.heard)).toBe(`150369${'FF'.repeat(61)}`);
  });

  it('is not heard after mute, and nothing is written', async () => {
    const shop = opened();
    shop.line.mute();
    await shop.says('02310300');
    await shop.line.acknowledge();
    await shop.line.send(asciiBytes('0'), forever);
    expect(shop.written()).toEqual([]);
  });
});

describe('a device with a check of its own', () => {
  it('is spoken to in that one, once it has shown it', async () => {
    const shop = opened(ECR17);
    const sent = shop.line.send(asciiBytes('A'), forever);
    await shop.says('150369');
    await shop.says('06037A');
    await sent;
    expect(shop.written()).toEqual(['0241033E', '0241033D']);
    await shop.line.acknowledge();
    expect(shop.written().at(-1)).toBe('06037A');
  });

  it('has told it, for the next line to the same device', async () => {
    const shop = opened(ECR17);
    expect(shop.line.learned).toBeUndefined();
    await shop.says('150369');
    expect(shop.line.learned).toEqual({ start: 0x7f, covers: 'data_etx' });
  });
});

describe('enquire', () => {
  it.each([
    ['06', 'heard'],
    ['15', 'nak'],
    ['', 'silence'],
  ])('writes once, and "%s" means %s', async (hex, sign) => {
    const shop = opened();
    const asked = shop.line.enquire(0x05, forever);
    if (hex !== '') await shop.says(hex);
    await shop.clock.advance(2000);
    expect([await asked, shop.written()]).toEqual([sign, ['05']]);
  });
});
