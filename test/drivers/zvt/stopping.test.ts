import { describe, expect, it } from 'vitest';
import { type Counter, openCounter, result, SALE, type Turn } from './scripted-terminal.ts';
import { sitting } from './sitting.ts';

const TOO_LATE = 'The terminal cannot be stopped any more: wait for the result.';
const ABORTED = result('6C');
const APPROVED = result('00');

/** A sale that has been accepted and waits for the customer. */
async function waiting(turns: readonly Turn[], kind: 'tcp' | 'serial' = 'tcp') {
  const counter = await openCounter([{ expect: '0601', send: ['800000'] }, ...turns], { kind });
  const selling = counter.session.execute(SALE, counter.observer, counter.signal);
  await counter.clock.advance(1000);
  return { counter, outcome: () => counter.clock.runUntil(selling) };
}

function heardCommands({ terminal }: Counter): string[] {
  return terminal.heard.filter((packet) => packet !== 'ACK');
}

describe.each(['tcp', 'serial'] as const)('a request to stop over %s', (kind) => {
  it('goes out once, and what the dialogue ends with is the outcome', async () => {
    const { counter, outcome } = await waiting(
      [
        { expect: '06B000', send: ['800000', ABORTED] },
        { expect: '800000', send: ['061E016C'] },
        { expect: '800000' },
      ],
      kind,
    );
    counter.session.abort();
    counter.session.abort();
    expect(await outcome()).toMatchObject({ kind: 'aborted', report: { responseCode: '6C' } });
    expect(counter.terminal.count('06B0')).toBe(1);
    expect(counter.observer.progressTexts).toEqual([]);
  });

  it.each(['848300', '849C00', '846600'])(
    'refused with %s lets the payment go on, and it may be paid',
    async (no) => {
      const { counter, outcome } = await waiting(
        [
          { expect: '06B000', send: [no, APPROVED] },
          { expect: '800000', send: ['060F00'] },
          { expect: '800000' },
        ],
        kind,
      );
      counter.session.abort();
      expect(await outcome()).toMatchObject({ kind: 'approved' });
      expect(counter.observer.progressTexts).toEqual([TOO_LATE]);
    },
  );

  it('that crosses a packet of the terminal is not answered by it: the packet gets its own answer', async () => {
    const { counter, outcome } = await waiting(
      [
        { expect: '06B000', send: ['04FF010E', '800000'] },
        { expect: '800000', send: [ABORTED] },
        { expect: '800000', send: ['061E016C'] },
        { expect: '800000' },
      ],
      kind,
    );
    counter.session.abort();
    expect(await outcome()).toMatchObject({ kind: 'aborted' });
    expect(heardCommands(counter).filter((packet) => packet !== '800000')).toEqual([
      '06010A04000000001234490978',
      '06B000',
    ]);
    expect(counter.terminal.surprises).toEqual([]);
  });

  it('that crosses the approval is answered no, and the payment is paid', async () => {
    const { counter, outcome } = await waiting(
      [
        { expect: '06B000', send: [APPROVED, '848300'] },
        { expect: '800000', send: ['060F00'] },
        { expect: '800000' },
      ],
      kind,
    );
    counter.session.abort();
    expect(await outcome()).toMatchObject({ kind: 'approved' });
  });
});

it('a request to stop after an approval is not sent: nothing may call what was paid into question', async () => {
  const { counter, outcome } = await waiting([{ expect: '800000' }]);
  await counter.terminal.send(APPROVED);
  await counter.clock.advance(1000);
  counter.session.abort();
  await counter.clock.advance(1000);
  expect(counter.observer.progressTexts).toEqual([TOO_LATE]);
  counter.terminal.add({ expect: '800000' });
  await counter.terminal.send('060F00');
  expect(await outcome()).toMatchObject({ kind: 'approved' });
  expect(counter.terminal.count('06B0')).toBe(0);
});

describe('a terminal that says nothing for T4', () => {
  it('is asked to stop once, and then it is unknown', async () => {
    const { counter, outcome } = await waiting([]);
    expect(await outcome()).toMatchObject({ kind: 'unknown', code: 'TERMINAL_NO_ANSWER' });
    expect(counter.terminal.count('06B0')).toBe(1);
    expect(counter.terminal.count('0601')).toBe(1);
  });

  it('may still say how it ended', async () => {
    const { outcome } = await waiting([
      { expect: '06B000', send: ['800000', ABORTED] },
      { expect: '800000', send: ['061E016C'] },
      { expect: '800000' },
    ]);
    expect(await outcome()).toMatchObject({ kind: 'aborted' });
  });

  it('is not asked to stop after an approval', async () => {
    const { counter, outcome } = await waiting([{ expect: '800000' }]);
    await counter.terminal.send(APPROVED);
    expect(await outcome()).toMatchObject({ kind: 'unknown', lastReport: { verdict: 'approved' } });
    expect(counter.terminal.count('06B0')).toBe(0);
  });
});

describe('after a cancel', () => {
  const CANCELLED: readonly Turn[] = [
    { expect: '06B000', send: ['800000', ABORTED] },
    { expect: '800000', send: ['061E016C'] },
    { expect: '800000' },
  ];

  it('a terminal that leaves Status-Enquiries unanswered is asked until it answers', async () => {
    const { counter, outcome } = await waiting(CANCELLED);
    counter.session.abort();
    await outcome();
    counter.terminal.add({ expect: '0501' }, { expect: '0501' });
    counter.terminal.add({ expect: '0501', send: ['800000', '060F0100'] }, { expect: '800000' });
    const ready = await counter.clock.runUntil(counter.session.readiness(counter.signal));
    expect(ready).toEqual({ kind: 'ready' });
    expect(counter.terminal.left).toBe(0);
  });

  it('it is given up after a while, so that the link is made anew', async () => {
    const { counter, outcome } = await waiting(CANCELLED);
    counter.session.abort();
    await outcome();
    const asked = counter.clock.runUntil(counter.session.readiness(counter.signal));
    await expect(asked).rejects.toMatchObject({ code: 'TERMINAL_NO_ANSWER' });
    expect(counter.terminal.count('0501')).toBe(4);
  });

  it('as long as the device says', async () => {
    const counter = await openCounter([{ expect: '0601', send: ['800000'] }, ...CANCELLED], {
      options: { quirks: { quiet_after_cancel_ms: 0 } },
    });
    const selling = counter.session.execute(SALE, counter.observer, counter.signal);
    await counter.clock.advance(1000);
    counter.session.abort();
    await counter.clock.runUntil(selling);
    const asked = counter.clock.runUntil(counter.session.readiness(counter.signal));
    await expect(asked).rejects.toMatchObject({ code: 'TERMINAL_NO_ANSWER' });
    expect(counter.terminal.count('0501')).toBe(1);
  });

  it('silence is an error at once where nobody cancelled', async () => {
    const counter = await openCounter([]);
    const asked = counter.clock.runUntil(counter.session.readiness(counter.signal));
    await expect(asked).rejects.toMatchObject({ code: 'TERMINAL_NO_ANSWER' });
    expect(counter.terminal.count('0501')).toBe(1);
  });
});

describe('the driver and a virtual terminal', () => {
  it.each([
    ['on TCP', 'tcp', false],
    ['on a serial line', 'serial', false],
    ['on TCP, in collision', 'tcp', true],
    ['on a serial line, in collision', 'serial', true],
  ] as const)(
    '%s cancel a payment, and sell on after the silence that follows',
    async (_name, kind, collides) => {
      const shop = await sitting({
        kind,
        settings: { autopilot: 'off' },
        options: { collides, quietAfterCancelMs: 12_000 },
      });
      const selling = shop.session.execute(SALE, shop.observer, shop.signal);
      await shop.clock.advance(2000);
      shop.session.abort();
      expect(await shop.clock.runUntil(selling)).toMatchObject({ kind: 'aborted' });
      expect(shop.standing()).toEqual([]);
      expect(await shop.readiness()).toMatchObject({ kind: 'ready' });
      shop.terminal.press('approve');
      expect(await shop.pay(SALE)).toMatchObject({ kind: 'approved' });
    },
  );
});
