import { describe, expect, it } from 'vitest';
import type { MoneyCommand, Outcome } from '../../../src/terminal/ports.ts';
import { openCounter, REFUND, result, SALE, saleTurns, VOID } from './scripted-terminal.ts';

const OPTIONS = { password: '123456' };
const COMPLETION = '060F00';
const APPROVED = result('00');
/** An approval that names the original's trace. */
const APPROVED_VOID = result('00', '37000974');

const COMMANDS = [
  ['refund', REFUND, '0631', APPROVED],
  ['void', VOID, '0630', APPROVED_VOID],
] as const;

describe.each(['tcp', 'serial'] as const)('over %s', (kind) => {
  it('a refund carries password, amount and currency, once', async () => {
    const counter = await openCounter(saleTurns([APPROVED], COMPLETION, [], '0631'), {
      kind,
      options: OPTIONS,
    });
    expect(await counter.pay(REFUND)).toMatchObject({
      kind: 'approved',
      report: { kind: 'refund', verdict: 'approved', amountMinor: 1234, number: '0231', trace: '000975' },
    });
    expect(counter.terminal.heard.filter((packet) => packet.startsWith('06') && packet !== '06')).toEqual([
      '06310D12345604000000001234490978',
    ]);
  });

  it('a void names its original by receipt number and amount, and tells whose trace the terminal undid', async () => {
    const counter = await openCounter(saleTurns([APPROVED_VOID], COMPLETION, [], '0630'), {
      kind,
      options: OPTIONS,
    });
    expect(await counter.pay(VOID)).toMatchObject({
      kind: 'approved',
      report: { kind: 'void', verdict: 'approved', originalTrace: '000974', number: '0231', trace: '000975' },
    });
    expect(counter.terminal.count('06300D12345687004204000000001234')).toBe(1);
    expect(counter.terminal.count('0630')).toBe(1);
  });

  it.each(COMMANDS)(
    'a %s commits its result and its end before it answers them',
    async (_name, command, head, approved) => {
      const counter = await openCounter(saleTurns([approved], COMPLETION, [], head), { kind: 'tcp' });
      await counter.pay(command);
      expect(counter.observer.calls).toEqual(['accepted@1', 'beforeAcknowledge@2', 'beforeEnd@3']);
    },
  );

  it.each(COMMANDS)(
    'a %s that is approved and then fails, or is taken back, is unknown',
    async (_name, command, head, approved) => {
      for (const [prints, end] of [
        [[], '061E0105'],
        [[], '061E01B5'],
        [['04FF0105'], COMPLETION],
      ] as const) {
        const counter = await openCounter(saleTurns([approved], end, prints, head), { kind });
        expect(await counter.pay(command)).toMatchObject({
          kind: 'unknown',
          lastReport: { verdict: 'approved' },
        });
      }
    },
  );

  it.each(COMMANDS)(
    'a %s without a word after the command is unknown, and its frame went out once',
    async (_name, command, head) => {
      const counter = await openCounter([], { kind });
      expect(await counter.pay(command)).toMatchObject({ kind: 'unknown', code: 'TERMINAL_NO_ANSWER' });
      expect(counter.terminal.count(head)).toBe(1);
    },
  );

  it.each(COMMANDS)(
    'a %s that the terminal refuses before it accepts is not started',
    async (_name, command, head) => {
      const counter = await openCounter([{ expect: head, send: ['848300'] }], { kind });
      expect(await counter.pay(command)).toMatchObject({ kind: 'not_started', code: 'TERMINAL_REFUSED' });
    },
  );

  it.each(COMMANDS)('a %s is aborted inside its dialogue', async (_name, command, head) => {
    const turns = [
      { expect: head, send: ['800000', '04FF010A'] },
      { expect: '800000', after: () => counter.session.abort() },
      { expect: '06B000', send: ['800000', result('6C')] },
      { expect: '800000', send: ['061E016C'] },
    ];
    const counter = await openCounter(turns, { kind });
    expect(await counter.pay(command)).toMatchObject({ kind: 'aborted' });
  });
});

describe('the end of a void', () => {
  it.each([
    ['B4', 'declined'],
    ['B5', 'declined'],
    ['83', 'declined'],
    ['05', 'declined'],
    ['6C', 'aborted'],
    ['A1', 'unknown'],
    ['FF', 'unknown'],
  ])('with code %s is %s', async (code, expected) => {
    const counter = await openCounter(saleTurns([], `061E01${code}`, [], '0630'));
    const outcome = await counter.pay(VOID);
    expect(outcome).toMatchObject({ kind: expected });
    if (expected === 'declined')
      expect(outcome).toMatchObject({ report: { kind: 'void', responseCode: code } });
  });

  it.each(['B4', 'B5'])(
    '%s proves nothing inside a sale or a refund: the terminal may have tried to reverse it',
    async (code) => {
      for (const [command, head] of [
        [SALE, '0601'],
        [REFUND, '0631'],
      ] as const) {
        const counter = await openCounter(saleTurns([], `061E01${code}`, [], head));
        expect(await counter.pay(command)).toMatchObject({ kind: 'unknown' });
      }
    },
  );
});

it('an approval inside a refund that names an original is the terminal taking it back: unknown', async () => {
  const counter = await openCounter(saleTurns([APPROVED_VOID], COMPLETION, [], '0631'));
  expect(await counter.pay(REFUND)).toMatchObject({
    kind: 'unknown',
    lastReport: { originalTrace: '000974' },
  });
});

describe('a void that cannot be named', () => {
  const original = { number: '0042', amountMinor: 1234 };
  const named = (changes: object): MoneyCommand =>
    ({ ...VOID, original: { ...original, ...changes } }) as MoneyCommand;

  it.each([
    ['has no number', { ...VOID, original: { amountMinor: 1234 } }, {}],
    ['has the number 0000', named({ number: '0000' }), {}],
    ['has a number that does not fit', named({ number: '12345' }), {}],
    ['has a number that is none', named({ number: 'A1' }), {}],
    ['is only a part', named({ amountMinor: 1235 }), {}],
    ['is on a terminal that takes nothing back', VOID, { void: 'none' }],
  ] as const)('is not started: its original %s', async (_why, command, options) => {
    const counter = await openCounter([], { options });
    const outcome: Outcome = await counter.pay(command);
    expect(outcome).toMatchObject({ kind: 'not_started', code: 'VOID_NOT_POSSIBLE' });
    expect(outcome).toHaveProperty('message', expect.stringContaining('refund it instead'));
    expect(counter.terminal.heard).toEqual([]);
  });
});

it.each(['any', 'last', 'none'] as const)(
  'the option void: %s is the capability of the session',
  async (option) => {
    const counter = await openCounter([], { options: { void: option } });
    expect(counter.session.capabilities).toMatchObject({
      refund: true,
      void: option,
      voidNeedsCard: false,
      endOfDay: true,
      totalsWithoutPaper: true,
    });
  },
);

it('reads tip and cashback as parts of the amount', async () => {
  const added = '06121F36060000000001001F2506000000000500';
  const counter = await openCounter(saleTurns([result('00', added)], COMPLETION));
  expect(await counter.sell()).toMatchObject({
    kind: 'approved',
    report: { amountMinor: 1234, tipMinor: 100, cashbackMinor: 500 },
  });
});
