import { describe, expect, it } from 'vitest';
import { type Counter, openCounter, result, type Turn } from './scripted-terminal.ts';

const APPROVED = result('00');

/** The dialogue step by step; the terminal breaks off after each. `approved`: an approval was heard before. */
const STEPS: readonly {
  readonly name: string;
  readonly turns: readonly Turn[];
  readonly approved: boolean;
}[] = [
  { name: 'the command', turns: [], approved: false },
  { name: '80 00 00', turns: [{ expect: '0601', send: ['800000'] }], approved: false },
  {
    name: '04 FF',
    turns: [{ expect: '0601', send: ['800000', '04FF010A'] }, { expect: '800000' }],
    approved: false,
  },
  { name: '04 0F', turns: [{ expect: '0601', send: ['800000', APPROVED] }], approved: true },
  {
    name: 'our acknowledgement',
    turns: [{ expect: '0601', send: ['800000', APPROVED] }, { expect: '800000' }],
    approved: true,
  },
  {
    name: 'a print command',
    turns: [
      { expect: '0601', send: ['800000', APPROVED] },
      { expect: '800000', send: ['06D1024041'] },
      { expect: '800000' },
    ],
    approved: true,
  },
];

function expectUnknown(counter: Counter, outcome: unknown, approved: boolean) {
  expect(outcome).toMatchObject({ kind: 'unknown' });
  expect(outcome).toEqual(
    approved
      ? expect.objectContaining({ lastReport: counter.observer.reports.at(-1) })
      : expect.not.objectContaining({ lastReport: expect.anything() }),
  );
  expect(counter.terminal.count('0601')).toBe(1);
  expect(counter.observer.outcomes).toEqual([]);
}

describe.each(['tcp', 'serial'] as const)('over %s', (kind) => {
  it.each(STEPS)(
    'silence after $name is unknown, and the money frame was sent once',
    async ({ turns, approved }) => {
      const counter = await openCounter(turns, { kind });
      const outcome = await counter.sell();
      expectUnknown(counter, outcome, approved);
      expect(outcome).toMatchObject({ code: 'TERMINAL_NO_ANSWER' });
    },
  );

  it.each(STEPS)(
    'a cut after $name is unknown, and the money frame was sent once',
    async ({ turns, approved }) => {
      const counter = await openCounter([], { kind });
      const cut = { after: () => counter.pair.cut('error', 'cut') };
      const steps =
        turns.length === 0
          ? [{ expect: '0601', ...cut }]
          : turns.map((turn, at) => (at === turns.length - 1 ? { ...turn, ...cut } : turn));
      counter.terminal.add(...steps);
      expectUnknown(counter, await counter.sell(), approved);
    },
  );

  it('a link that ends while a late packet of an earlier dialogue is answered is unknown: the command is out', async () => {
    const counter = await openCounter(
      [{ expect: '0601', send: ['04FF010A'], after: () => counter.pair.cut() }],
      { kind },
    );
    expectUnknown(counter, await counter.sell(), false);
  });

  it.each([
    ['accepted', [{ expect: '0601', send: ['800000'] }], 0],
    ['beforeAcknowledge', [{ expect: '0601', send: ['800000', APPROVED] }], 0],
    [
      'beforeEnd',
      [
        { expect: '0601', send: ['800000', APPROVED] },
        { expect: '800000', send: ['060F00'] },
      ],
      1,
    ],
  ] as const)('nothing is answered when %s is not on disk', async (refuses, turns, answers) => {
    const counter = await openCounter(turns, { kind });
    counter.observer.refuses = refuses;
    const outcome = await counter.sell();
    const written = counter.pair.ours.written.length;
    await counter.terminal.send('04FF010A');
    await counter.clock.advance(60_000);
    expect(counter.pair.ours.written).toHaveLength(written);
    expect(outcome).toMatchObject({ kind: 'unknown', code: 'NOT_STORED' });
    expect(counter.terminal.count('800000')).toBe(answers);
  });
});

describe('the time limits', () => {
  it('T4 begins anew with every packet, and a 04 FF may carry a longer one', async () => {
    const counter = await openCounter([{ expect: '0601', send: ['800000'] }]);
    const selling = counter.session.execute(
      { kind: 'sale', attemptId: 'a', ticket: 'A00001', amount: { minor: 1, currency: 'EUR' } },
      counter.observer,
      counter.signal,
    );
    await counter.clock.advance(179_000);
    await counter.terminal.send('04FF021710');
    await counter.clock.advance(599_000);
    counter.terminal.add({ expect: '800000' });
    await counter.terminal.send('061E016C');
    expect(await counter.clock.runUntil(selling)).toMatchObject({ kind: 'aborted' });
  });

  it('a dialogue in small pieces is the same dialogue', async () => {
    const turns = [
      { expect: '0601', send: ['800000', APPROVED] },
      { expect: '800000', send: ['060F00'] },
    ];
    const counter = await openCounter(turns, { kind: 'tcp' });
    const write = counter.pair.theirs.write.bind(counter.pair.theirs);
    counter.pair.theirs.write = async (bytes) => {
      for (const byte of bytes) await write(Uint8Array.of(byte));
    };
    expect(await counter.sell()).toMatchObject({ kind: 'approved' });
  });

  it('garbage on TCP is unknown', async () => {
    const counter = await openCounter([{ expect: '0601', send: ['800000', 'raw:DEADBEEF'] }]);
    expect(await counter.sell()).toMatchObject({ kind: 'unknown', code: 'TERMINAL_GARBLED' });
  });
});

it('what was complete before garbage on TCP is heard, though it came in one piece with it', async () => {
  const approvalAndGarbage = `${result('00')}DEADBEEF`;
  const whole = await openCounter([{ expect: '0601', send: ['800000', `raw:${approvalAndGarbage}`] }]);
  const outcome = await whole.sell();
  expect(outcome).toMatchObject({ kind: 'unknown', lastReport: { verdict: 'approved' } });
  expect(whole.observer.reports).toHaveLength(1);
});
