import { describe, expect, it } from 'vitest';
import type { MoneyCommand } from '../../../src/terminal/ports.ts';
import { openCounter, result, saleTurns, type Turn } from './scripted-terminal.ts';
import { bookingOf, reportOf, sitting, voidOf } from './sitting.ts';

const EUR = (minor: number) => ({ minor, currency: 'EUR' }) as const;
const RESERVE: MoneyCommand = {
  kind: 'preauthorisation',
  attemptId: 'reserve',
  ticket: 'A00001',
  amount: EUR(2500),
};
const ORIGINAL = { number: '0231', trace: '000975', amountMinor: 2500 };
const CAPTURE: MoneyCommand = {
  kind: 'capture',
  attemptId: 'book',
  ticket: 'A00001',
  amount: EUR(2000),
  original: ORIGINAL,
};
const RELEASE: MoneyCommand = {
  kind: 'release',
  attemptId: 'free',
  ticket: 'A00001',
  amount: EUR(2500),
  original: ORIGINAL,
};
const [APPROVED, COMPLETION] = [result('00'), '060F00'];

describe('a reservation', () => {
  it.each([
    ['is made with the ready frame', RESERVE, '06220A04000000002500490978', {}],
    ['is booked with what was used', CAPTURE, '06240D87023104000000002000490978', {}],
    [
      'is booked with what was not used where the terminal wants it so',
      CAPTURE,
      '06230D87023104000000000500490978',
      { quirks: { capture: 'partial_reversal' } },
    ],
    ['is freed as a whole', RELEASE, '06250D87023104000000002500490978', {}],
    [
      'is made with a payment type where the terminal wants one',
      RESERVE,
      '06220C040000000025004909781940',
      { quirks: { payment_type: '40' } },
    ],
  ] as const)('%s', async (_name, command, frame, options) => {
    const counter = await openCounter(saleTurns([APPROVED], COMPLETION, [], frame), { options });
    expect(await counter.pay(command)).toMatchObject({ kind: 'approved', report: { kind: command.kind } });
    expect(counter.terminal.count(frame)).toBe(1);
    expect(counter.terminal.surprises).toEqual([]);
  });

  it.each([RESERVE, CAPTURE, RELEASE])('is never taken for a sale: $kind', async (command) => {
    for (const [code, outcome] of [
      ['00', 'approved'],
      ['05', 'declined'],
      ['6C', 'aborted'],
      ['B8', 'unknown'],
    ] as const) {
      const end = code === '00' ? COMPLETION : `061E01${code}`;
      const counter = await openCounter(saleTurns([result(code)], end, [], '062'));
      const ended = await counter.pay(command);
      expect(ended).toMatchObject({ kind: outcome });
      expect(counter.observer.reports.map((report) => report.kind)).toEqual([command.kind]);
    }
  });

  it.each([RESERVE, CAPTURE, RELEASE])('is written once whatever becomes of it: $kind', async (command) => {
    for (const turns of [[], [{ expect: '062', send: ['800000'] }]] as Turn[][]) {
      const counter = await openCounter(turns);
      expect(await counter.pay(command)).toMatchObject({ kind: 'unknown', code: 'TERMINAL_NO_ANSWER' });
      expect(counter.terminal.count('062')).toBe(1);
    }
  });

  it.each([
    ['B7 refuses a booking', CAPTURE, 'B7', 'declined'],
    ['B7 refuses a release', RELEASE, 'B7', 'declined'],
    ['B7 says nothing of a new reservation', RESERVE, 'B7', 'unknown'],
    ['B4 refuses a release: it is free already', RELEASE, 'B4', 'declined'],
    ['B4 says nothing of a booking', CAPTURE, 'B4', 'unknown'],
  ] as const)('%s', async (_name, command, code, kind) => {
    const counter = await openCounter(saleTurns([], `061E01${code}`, [], '062'));
    expect(await counter.pay(command)).toMatchObject({ kind });
  });

  it.each([
    ['the reservation that was booked', CAPTURE, '000975', 'approved', 'capture'],
    ['another one', CAPTURE, '000974', 'unknown', undefined],
    ['anything, in a new reservation', RESERVE, '000975', 'unknown', undefined],
    ['the reservation that was freed', RELEASE, '000975', 'approved', 'release'],
  ] as const)('a result that names %s', async (_name, command, trace, kind, reported) => {
    const approval = result('00', `37${trace}`);
    const counter = await openCounter(saleTurns([approval], COMPLETION, [], '062'));
    const outcome = await counter.pay(command);
    expect(outcome).toMatchObject(reported ? { kind, report: { kind: reported } } : { kind });
  });

  const { number: _number, ...unnamed } = ORIGINAL;
  it.each([
    ['without a receipt number', { ...CAPTURE, original: unnamed }],
    ['of receipt 0000', { ...RELEASE, original: { ...ORIGINAL, number: '0000' } }],
    ['of more than was reserved', { ...CAPTURE, amount: EUR(2501) }],
    ['of nothing', { ...CAPTURE, amount: EUR(0) }],
    ['of a part that is to be freed', { ...RELEASE, amount: EUR(2000) }],
  ] as const)('%s is not begun', async (_name, command) => {
    const counter = await openCounter([]);
    expect(await counter.pay(command)).toMatchObject({
      kind: 'not_started',
      code: 'PREAUTHORISATION_NOT_POSSIBLE',
    });
    expect(counter.terminal.heard).toEqual([]);
  });

  it.each([RESERVE, CAPTURE, RELEASE])('is not begun where the device cannot: $kind', async (command) => {
    const counter = await openCounter([], { options: { preauthorisation: false } });
    expect(counter.session.capabilities.preauthorisation).toBe(false);
    expect(await counter.pay(command)).toMatchObject({ code: 'PREAUTHORISATION_NOT_POSSIBLE' });
    expect(counter.terminal.heard).toEqual([]);
  });
});

describe('the reservations that are open', () => {
  const asked = async (answer: readonly string[]) => {
    const counter = await openCounter([{ expect: '06230387FFFF', send: answer }, { expect: '800000' }]);
    const numbers = counter.session.openPreauthorisations?.(counter.signal) ?? Promise.resolve(null);
    return counter.clock.runUntil(numbers);
  };

  it.each([
    ['none', '061E04B887FFFF', []],
    ['one', '061E04B8870231', [{ number: '0231' }]],
    ['several', '061E0DB8060A2308080202310802023200'.slice(0, 32), [{ number: '0231' }, { number: '0232' }]],
    ['none of a list', '061E05B806022300', []],
    ['not told', '061E01B8', null],
    ['of a terminal that knows no reservations', '061E0183', null],
    ['of one that ends without a word', '060F00', null],
  ])('are read: %s', async (_name, end, numbers) => {
    expect(await asked(['800000', end])).toEqual(numbers);
  });

  it('are not told by a refusal, and a result in between is not answered', async () => {
    expect(await asked(['848300'])).toBeNull();
    await expect(asked(['849C00'])).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
    await expect(asked(['800000', APPROVED])).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
  });
});

describe('the driver and a virtual terminal', () => {
  it.each(['book_total', 'partial_reversal'])(
    'reserve, book a part, and free nothing twice (%s)',
    async (capture) => {
      const shop = await sitting({ options: { reservations: 'list' }, device: { quirks: { capture } } });
      const reserved = reportOf(await shop.pay(RESERVE));
      expect(reserved).toMatchObject({ kind: 'preauthorisation', amountMinor: 2500 });
      const charged = () => shop.standing().reduce((sum, entry) => sum + entry.amountMinor, 0);
      expect(charged()).toBe(0);
      expect(await shop.openReservations()).toEqual([{ number: reserved.number }]);
      expect(reportOf(await shop.pay(bookingOf('capture', reserved, 2000)))).toMatchObject({
        kind: 'capture',
        amountMinor: 2000,
      });
      expect(charged()).toBe(2000);
      expect(await shop.openReservations()).toEqual([]);
      expect(await shop.pay(bookingOf('release', reserved))).toMatchObject({ kind: 'declined' });
      expect(charged()).toBe(2000);
    },
  );

  it('free a reservation', async () => {
    const shop = await sitting();
    const reserved = reportOf(await shop.pay(RESERVE));
    expect(await shop.openReservations()).toEqual([{ number: reserved.number }]);
    expect(reportOf(await shop.pay(bookingOf('release', reserved)))).toMatchObject({
      kind: 'release',
      amountMinor: 2500,
    });
    expect(await shop.openReservations()).toEqual([]);
    expect(shop.standing().filter((entry) => entry.amountMinor > 0)).toEqual([]);
  });

  it('leave a reservation open whose booking nobody acknowledged', async () => {
    const shop = await sitting({ options: { reservations: 'list' } });
    const reserved = reportOf(await shop.pay(RESERVE));
    shop.observer.refuses = 'beforeAcknowledge';
    expect(await shop.pay(bookingOf('capture', reserved, 2000))).toMatchObject({ kind: 'unknown' });
    shop.observer.refuses = undefined;
    await shop.askAgain();
    expect(await shop.openReservations()).toEqual([{ number: reserved.number }]);
  });

  it('are told apart from sales nowhere in the last transaction: its kind is unknown', async () => {
    const shop = await sitting();
    await shop.pay(RESERVE);
    expect(await shop.lastTransaction()).toMatchObject({ report: { kind: 'unknown', amountMinor: 2500 } });
  });

  it('do not take a reservation back as if it were a payment', async () => {
    const shop = await sitting();
    const reserved = reportOf(await shop.pay(RESERVE));
    expect(await shop.pay(voidOf(reserved))).toMatchObject({
      kind: 'declined',
      report: { responseCode: 'B5' },
    });
    expect(await shop.openReservations()).toEqual([{ number: reserved.number }]);
  });

  it('reserve nothing on a terminal that cannot', async () => {
    const shop = await sitting({ options: { reservations: 'none' } });
    expect(await shop.pay(RESERVE)).toMatchObject({ kind: 'not_started' });
  });
});
