import { describe, expect, it } from 'vitest';
import { hexOf, memory } from './raw-till.ts';
import {
  commands,
  counter,
  nextResult,
  OK,
  REGISTER,
  REGISTER_WITHOUT_PAPER,
  REPEAT,
  resultsIn,
  SALE,
  STATUS,
} from './virtual-counter.ts';

describe('registration', () => {
  it('answers with terminal id and currency', async () => {
    const { till } = counter();
    expect(await till.converse(REGISTER)).toEqual(['800000', '060F0A19002952500038490978']);
  });

  it.each([
    ['a registration', '06 00 06 12 34 57 BE 09 78'],
    ['a status enquiry', '05 01 05 12 34 57 03 04'],
    ['a refund', '06 31 0D 12 34 57 04 00 00 00 00 12 34 49 09 78'],
    ['a void', '06 30 0D 12 34 57 87 00 01 04 00 00 00 00 12 34'],
    ['an end of day', '06 50 03 12 34 57'],
    ['totals', '06 10 03 12 34 57'],
    ['a repeated receipt', '06 20 05 12 34 57 03 03'],
    ['an initialisation', '06 93 03 12 34 57'],
  ])('refuses %s with another password, and does nothing', async (_name, command) => {
    const { till, terminal } = counter();
    await till.converse(REGISTER);
    expect(await till.converse(command)).toEqual(['843700']);
    expect(terminal.snapshot().ledger).toEqual([]);
  });

  it.each([
    ['factory', {}, '000000', '800000'],
    ['its own', { passwords: ['987654'] }, '987654', '800000'],
    ['factory, where it has its own', { passwords: ['987654'] }, '123456', '843700'],
  ])('has its passwords: %s', async (_name, options, password, answer) => {
    const { till } = counter({ options });
    expect((await till.converse(`06 00 06 ${password} BE 09 78`))[0]).toBe(answer);
  });

  it('refuses another currency and names its own', async () => {
    const { till } = counter();
    expect(await till.converse('06 00 06 12 34 56 BE 07 56')).toEqual(['841E036F0978']);
  });

  it('says which print command it will use to a till that lists what it takes', async () => {
    const { till } = counter();
    const received = await till.converse('06 00 0E 12 34 56 BE 09 78 06 06 26 04 0A 02 06 D3');
    expect(received.at(-1)).toBe('060F1219002952500038490978060626040A0206D3');
  });

  it.each([
    ['06 01 0A 04 00 00 00 00 12 34 49 09 78', ['846B00']],
    ['06 20 05 12 34 56 03 03', ['800000', '061E016B']],
    ['06 10 03 12 34 56', ['800000', '061E016B']],
  ])('is needed before %s', async (command, answer) => {
    const { till } = counter();
    expect(await till.converse(command)).toEqual(answer);
  });

  it.each([
    '06 02 00',
    '06 22 0A 04 00 00 00 00 25 00 49 09 78',
    '06 23 03 87 FF FF',
    '06 24 0D 87 00 01 04 00 00 00 00 20 00 49 09 78',
    '06 25 0D 87 00 01 04 00 00 00 00 25 00 49 09 78',
  ])('leaves commands unknown that tilld never sends: %s', async (command) => {
    const { till, terminal } = counter();
    await till.converse(REGISTER);
    expect(await till.converse(command)).toEqual(['848300']);
    expect(terminal.snapshot().ledger).toEqual([]);
  });
});

describe('status enquiry', () => {
  it('tells version, readiness, terminal id, serial number and clock', async () => {
    const { till } = counter();
    const [accepted, end = ''] = await till.converse(STATUS);
    expect(accepted).toBe('800000');
    const version = hexOf(Buffer.from('TILLD-VIRTUAL-1.0'));
    expect(end.slice(6)).toMatch(new RegExp(`^F0F1F7${version}0006`));
    expect(end).toContain('1F4404' + '52500038');
    expect(end).toContain('1F4204' + '17FD1E3C');
    expect(end).toContain('340D1F0E04202601051F0F03090000');
  });

  it.each([
    ['nothing but the status without service bits', '05 01 00', /^060F15F0F1F7.{34}00$/],
    ['no version with bit 2', '05 01 05 12 34 56 03 02', /^060F0100$/],
  ])('sends %s', async (_words, command, end) => {
    const { till } = counter();
    expect((await till.converse(command)).at(-1)).toMatch(end);
  });

  it('says please wait while it starts, and takes no payment', async () => {
    const { till, clock } = counter({ options: { bootMs: 5000 } });
    expect((await till.converse('05 01 05 12 34 56 03 02')).at(-1)).toBe('060F019C');
    expect(await till.converse(SALE)).toEqual(['849C00']);
    await clock.advance(5000);
    expect((await till.converse('05 01 05 12 34 56 03 02')).at(-1)).toBe('060F0100');
  });
});

describe('a sale', () => {
  it('approves with card data, prints both receipts line by line and ends', async () => {
    const { till, terminal, clock } = counter({ settings: { autopilot: 'approve' } });
    await till.converse(REGISTER);
    const received = await till.converse(SALE);
    await clock.settle();
    expect(commands(received)).toMatch(/^8000 04FF 04FF 04FF 040F( 06D1){2,} 060F$/);
    expect(resultsIn(received)).toEqual([
      '040F58' +
        '2700' +
        '04000000001234' +
        '490978' +
        '0B000001' +
        '0C090000' +
        '0D0105' +
        '2952500038' +
        `2A${hexOf(Buffer.from('10052500038    '))}` +
        '870001' +
        '0E2912' +
        '1960' +
        '22F0F8512345EEEEEE2346' +
        '8A06' +
        `8BF1F1${hexOf(Buffer.from('Mastercard'))}00` +
        `3B${hexOf(Buffer.from('112648'))}0000`,
    ]);
    expect(received.at(-1)).toBe('060F00');
    expect(terminal.snapshot()).toMatchObject({
      busy: false,
      screen: 'ready',
      ledger: [
        { receiptNumber: '0001', kind: 'sale', amountMinor: 1234, result: 'approved', reversed: false },
      ],
    });
  });

  it('sends application, entry mode and text blocks to a till that knows TLV and 06 D3', async () => {
    const { till } = counter({ settings: { autopilot: 'approve' } });
    const list = '0A 02 04 0F 0A 02 06 0F 0A 02 06 1E 0A 02 04 FF 0A 02 06 D3';
    await till.converse(`06 00 1E 12 34 56 BE 09 78 06 16 26 14 ${list}`);
    const received = await till.converse(SALE);
    expect(commands(received)).toBe('8000 04FF 04FF 04FF 040F 06D3 06D3 060F');
    const [result = ''] = resultsIn(received);
    expect(result).toContain('2F0C1F1001001F1101011F120102');
    expect(result).toContain('4307A0000000041010');
    expect(received[1]).toBe(`04FF130A03060F240D070B${hexOf(Buffer.from('Karte bitte'))}`);
    const slips = received.filter((packet) => packet.startsWith('06D3'));
    expect(slips.map((slip) => /1F0701(..)/.exec(slip)?.[1])).toEqual(['01', '02']);
    expect(slips[0]).toContain(hexOf(Buffer.from('12.34 EUR')));
    expect(slips[0]).toMatch(/090181$/);
  });

  it('sends no texts and no paper to a till that wants neither', async () => {
    const { till } = counter({ settings: { autopilot: 'approve' } });
    await till.converse('06 00 06 12 34 56 30 09 78');
    expect(commands(await till.converse(SALE))).toBe('8000 040F 060F');
  });

  it('that is declined says so twice and charges nothing', async () => {
    const { till, terminal } = counter({ settings: { autopilot: 'decline' } });
    await till.converse(REGISTER);
    const received = await till.converse(SALE);
    expect(commands(received)).toBe('8000 04FF 04FF 040F 061E');
    expect(resultsIn(received)[0]?.slice(6, 10)).toBe('2705');
    expect(received.at(-1)).toBe('061E0105');
    expect(terminal.snapshot().ledger).toMatchObject([{ result: 'declined', receiptNumber: '0000' }]);
    expect(await till.converse(REPEAT)).toEqual(['800000', '061E0164']);
  });

  it('that is declined is stored when the vendor does so', async () => {
    const { till } = counter({ settings: { autopilot: 'decline' }, options: { storesDeclined: true } });
    await till.converse(REGISTER);
    expect(resultsIn(await till.converse(SALE))[0]).toContain('870001');
    const [again = ''] = resultsIn(await till.converse(REPEAT));
    expect(again.slice(6, 10)).toBe('2705');
    expect(again).toContain('870001');
  });

  it('lets the customer try the PIN again inside the same dialogue', async () => {
    const { till, terminal } = counter();
    await till.converse(REGISTER);
    terminal.press('wrong_pin');
    terminal.press('approve');
    const received = await till.converse(SALE);
    expect(resultsIn(received).map((result) => result.slice(6, 10))).toEqual(['2737', '2700']);
    expect(received.at(-1)).toBe('060F00');
    expect(terminal.snapshot().ledger).toMatchObject([{ result: 'approved' }]);
  });

  it('ends after the third wrong PIN', async () => {
    const { till, terminal } = counter({ settings: { autopilot: 'wrong_pin' } });
    await till.converse(REGISTER);
    const received = await till.converse(SALE);
    expect(resultsIn(received).map((result) => result.slice(6, 10))).toEqual(['2737', '2737', '2737']);
    expect(received.at(-1)).toBe('061E0137');
    expect(terminal.snapshot().ledger).toMatchObject([{ result: 'declined' }]);
  });

  it.each([
    ['the stop key', 'abort', 0],
    ['walking away, after the customer time-out', 'walk_away', 30_000],
  ] as const)('is aborted by %s', async (_words, key, least) => {
    const { till, terminal, clock } = counter();
    await till.converse(REGISTER);
    const started = clock.monotonic();
    terminal.press(key);
    const received = await till.converse(SALE);
    expect(resultsIn(received)[0]?.slice(6, 10)).toBe('276C');
    expect(received.at(-1)).toBe('061E016C');
    expect(clock.monotonic() - started).toBeGreaterThanOrEqual(least);
    expect(terminal.snapshot().ledger).toMatchObject([{ result: 'aborted' }]);
  });

  it('that somebody walked away from ends at once with the stop key, and other keys are lost', async () => {
    const { till, terminal, clock } = counter();
    await till.converse(REGISTER);
    terminal.press('walk_away');
    terminal.press('approve');
    terminal.press('abort');
    const started = clock.monotonic();
    expect((await till.converse(SALE)).at(-1)).toBe('061E016C');
    expect(clock.monotonic() - started).toBeLessThan(30_000);
  });

  it.each([
    ['no amount', '06 01 03 49 09 78', '840D00'],
    ['amount zero', '06 01 07 04 00 00 00 00 00 00', '840D00'],
    ['an amount that is no number', '06 01 07 04 00 00 00 00 12 3E', '840D00'],
    ['another currency', '06 01 0A 04 00 00 00 00 12 34 49 07 56', '846F00'],
    ['an unknown bitmap', '06 01 09 04 00 00 00 00 12 34 FF 00', '848300'],
    ['a bitmap that is cut off', '06 01 05 04 00 00 00 00', '849A00'],
    ['an unknown command', '06 94 03 12 34 56', '848300'],
  ])('with %s is refused', async (_words, command, answer) => {
    const { till } = counter();
    await till.converse(REGISTER);
    expect(await till.converse(command)).toEqual([answer]);
  });
});

describe('abort by the till', () => {
  it('is accepted while a card is awaited', async () => {
    const { till, terminal } = counter();
    await till.converse(REGISTER);
    await till.send(SALE);
    expect([await till.packet(), await till.packet()]).toEqual(['800000', '04FF010A']);
    await till.send(OK);
    await till.send('06 B0 00');
    expect(await till.packet()).toBe('800000');
    const received = await till.listenToEnd();
    expect(commands(received)).toBe('040F 061E');
    expect(received.at(-1)).toBe('061E016C');
    expect(terminal.snapshot().ledger).toMatchObject([{ result: 'aborted' }]);
  });

  it('is refused once the host is asked, and the sale goes on', async () => {
    const { till, terminal } = counter({ options: { hostMs: 2000 } });
    await till.converse(REGISTER_WITHOUT_PAPER);
    terminal.press('approve');
    await till.send(SALE);
    for (const text of ['800000', '04FF010A', '04FF010E', '04FF0104']) {
      expect(await till.packet()).toBe(text);
      if (text !== '800000') await till.send(OK);
    }
    await till.send('06 B0 00');
    expect(await till.packet()).toBe('848300');
    expect((await till.listenToEnd()).at(-1)).toBe('060F00');
    expect(terminal.snapshot().ledger).toMatchObject([{ result: 'approved' }]);
  });

  it('is refused while nothing runs', async () => {
    const { till } = counter();
    expect(await till.converse('06 B0 00')).toEqual(['848300']);
  });
});

describe('an approval that is not acknowledged', () => {
  it.each([
    ['reverse', '04FF 061E', '061E01A1', { result: 'approved', reversed: true }],
    ['decline', '061E', '061E0105', { result: 'declined', reversed: false }],
    ['keep', '060F', '060F00', { result: 'approved', reversed: false }],
  ] as const)('within T3: a terminal that does "%s"', async (missingAcknowledgement, after, end, entry) => {
    const { till, terminal } = counter({ settings: { missingAcknowledgement, autopilot: 'approve' } });
    await till.converse(REGISTER_WITHOUT_PAPER);
    await till.send(SALE);
    await nextResult(till);
    const received = await till.listenToEnd();
    expect(commands(received)).toBe(after);
    expect(received.at(-1)).toBe(end);
    if (after.startsWith('04FF')) expect(received[0]).toBe('04FF0105');
    expect(terminal.snapshot().ledger).toMatchObject([entry]);
  });

  it('with all its receipts is taken back, too', async () => {
    const { till, terminal } = counter({ settings: { autopilot: 'approve' } });
    await till.converse(REGISTER);
    await till.send(SALE);
    await nextResult(till);
    await till.send(OK);
    expect((await till.packet()).slice(0, 4)).toBe('06D1');
    expect((await till.listenToEnd()).at(-1)).toBe('061E01CC');
    expect(terminal.snapshot().ledger).toMatchObject([{ result: 'approved', reversed: true }]);
  });

  it.each(['84 66 00', '84 9C 00', '84 9D 07 04 00 00 00 00 10 00'])(
    'because the till refused the result is taken back whatever the vendor: %s',
    async (refusal) => {
      const { till, terminal } = counter({
        settings: { missingAcknowledgement: 'keep', autopilot: 'approve' },
      });
      await till.converse(REGISTER_WITHOUT_PAPER);
      await till.send(SALE);
      await nextResult(till);
      await till.send(refusal);
      expect((await till.listenToEnd()).at(-1)).toBe('061E016C');
      expect(terminal.snapshot().ledger).toMatchObject([{ reversed: true }]);
    },
  );

  it('because the till refused to print is taken back whatever the vendor', async () => {
    const { till, terminal } = counter({
      settings: { missingAcknowledgement: 'keep', autopilot: 'approve' },
    });
    await till.converse(REGISTER);
    await till.send(SALE);
    await nextResult(till);
    await till.send(OK);
    expect((await till.packet()).slice(0, 4)).toBe('06D1');
    await till.send('84 CC 00');
    expect((await till.listenToEnd()).at(-1)).toBe('061E01CC');
    expect(terminal.snapshot().ledger).toMatchObject([{ reversed: true }]);
  });
});

describe('a connection that breaks while the customer pays', () => {
  it('does not stop the customer: others wait, then Repeat Receipt tells what became of it', async () => {
    const { till, pair, terminal, connect, clock } = counter({
      settings: { missingAcknowledgement: 'keep' },
    });
    await till.converse(REGISTER);
    await till.send(SALE);
    await till.packet();
    await till.packet();
    pair.cut();
    const again = connect().till;
    await again.send(STATUS);
    expect(await again.packet()).toBe('849C00');
    await again.send('06 B0 00');
    expect(await again.packet()).toBe('849C00');
    terminal.press('approve');
    await clock.advance(1000);
    const [accepted, result = '', end] = await again.converse(REPEAT);
    expect([accepted, end]).toEqual(['800000', '060F00']);
    expect(result).toContain('2700' + '04000000001234' + '490978');
    expect(result).toContain('870001');
    expect(result).not.toContain('37000001');
    expect(terminal.snapshot().ledger).toMatchObject([{ result: 'approved', reversed: false }]);
  });

  it('leaves a reversed approval that Repeat Receipt shows with its own trace in 37', async () => {
    const { till, pair, terminal, connect, clock } = counter();
    await till.converse(REGISTER);
    await till.send(SALE);
    await till.packet();
    pair.cut();
    terminal.press('approve');
    await clock.advance(2000);
    const [, result = ''] = await connect().till.converse(REPEAT);
    expect(result).toContain('87000137000001');
    expect(terminal.snapshot().ledger).toMatchObject([{ result: 'approved', reversed: true }]);
  });
});

describe('power loss', () => {
  it('while a card is awaited leaves nothing, and the registration is gone', async () => {
    const { till, terminal, connect, clock } = counter({
      settings: { faults: [{ when: 'customer', do: 'power_loss', ms: 3000 }], autopilot: 'approve' },
    });
    await till.converse(REGISTER);
    await till.send(SALE);
    await till.untilEnded();
    expect(terminal.snapshot()).toMatchObject({ screen: 'off', ledger: [] });
    const early = connect().till;
    await early.untilEnded();
    await clock.advance(3000);
    const again = connect().till;
    expect(await again.converse(SALE)).toEqual(['846B00']);
    await again.converse(REGISTER);
    expect(await again.converse(REPEAT)).toEqual(['800000', '061E0164']);
    expect((await again.converse(SALE)).at(-1)).toBe('060F00');
  });

  it.each([
    ['result', 'reverse', { result: 'approved', reversed: true }],
    ['result', 'keep', { result: 'approved', reversed: false }],
    ['result', 'decline', { result: 'declined', reversed: false }],
    ['result_acknowledged', 'reverse', { result: 'approved', reversed: true }],
    ['print', 'reverse', { result: 'approved', reversed: true }],
    ['completion', 'reverse', { result: 'approved', reversed: false }],
  ] as const)(
    'at %s: a terminal that does "%s" settles it at power-up',
    async (when, missingAcknowledgement, entry) => {
      const faults = [{ when, do: 'power_loss', ms: 100 }] as const;
      const { till, terminal, clock } = counter({
        settings: { faults, missingAcknowledgement, autopilot: 'approve' },
      });
      await till.converse(REGISTER);
      await expect(till.converse(SALE)).rejects.toThrow('the connection ended');
      await clock.advance(200);
      expect(terminal.snapshot().ledger).toMatchObject([entry]);
    },
  );

  it('of the whole process keeps the ledger, and settles what was open', async () => {
    const kept = memory();
    const first = counter({ memory: kept, settings: { autopilot: 'approve' } });
    await first.till.converse(REGISTER);
    await first.till.converse(SALE);
    await first.till.send(SALE);
    await nextResult(first.till);
    const second = counter({ memory: kept, settings: { autopilot: 'approve' } });
    expect(second.terminal.snapshot().ledger).toMatchObject([
      { receiptNumber: '0001', trace: '000001', reversed: false },
      { receiptNumber: '0002', trace: '000002', reversed: true },
    ]);
    await second.till.converse(REGISTER);
    expect(resultsIn(await second.till.converse(SALE))[0]).toContain('870003');
  });
});

describe('reversal, refund and totals', () => {
  it('takes a payment back by its receipt number, once, and only with its amount', async () => {
    const { till, terminal } = counter({ settings: { autopilot: 'approve' } });
    await till.converse(REGISTER_WITHOUT_PAPER);
    await till.converse(SALE);
    expect((await till.converse('06 30 0D 12 34 56 87 00 01 04 00 00 00 00 12 35')).at(-1)).toBe('061E01B5');
    const received = await till.converse('06 30 06 12 34 56 87 00 01');
    expect(resultsIn(received)[0]).toContain('87000237000001');
    expect(received.at(-1)).toBe('060F00');
    expect((await till.converse('06 30 06 12 34 56 87 00 01')).at(-1)).toBe('061E01B4');
    expect((await till.converse('06 30 06 12 34 56 87 00 99')).at(-1)).toBe('061E01B5');
    expect(terminal.snapshot().ledger).toMatchObject([
      { kind: 'sale', reversed: true },
      { kind: 'void', reversed: false, amountMinor: 1234 },
    ]);
  });

  it('lets the payment stand again when the reversal is not acknowledged', async () => {
    const { till, terminal } = counter({ settings: { autopilot: 'approve' } });
    await till.converse(REGISTER_WITHOUT_PAPER);
    await till.converse(SALE);
    await till.send('06 30 06 12 34 56 87 00 01');
    await nextResult(till);
    expect((await till.listenToEnd()).at(-1)).toBe('061E01A1');
    expect(terminal.snapshot().ledger).toMatchObject([
      { kind: 'sale', reversed: false },
      { kind: 'void', reversed: true },
    ]);
  });

  it('gives money back to a card', async () => {
    const { till, terminal } = counter({ settings: { autopilot: 'approve' } });
    await till.converse(REGISTER_WITHOUT_PAPER);
    expect((await till.converse('06 31 0D 12 34 56 04 00 00 00 00 05 00 49 09 78')).at(-1)).toBe('060F00');
    expect(terminal.snapshot().ledger).toMatchObject([
      { kind: 'refund', amountMinor: 500, result: 'approved' },
    ]);
  });

  it('counts the open batch by scheme, closes it, and keeps its numbers', async () => {
    const { till } = counter({ settings: { autopilot: 'approve' } });
    await till.converse(REGISTER_WITHOUT_PAPER);
    await till.converse(SALE);
    await till.converse(SALE);
    const totals = `00010002${'0'.repeat(28)}01000000001234${'0'.repeat(14)}01000000001234${'0'.repeat(28)}`;
    const [, open = ''] = await till.converse('06 10 03 12 34 56');
    expect(open).toContain('270004000000002468');
    expect(open).toContain(`60F0F5F3${totals}`);
    const closed = await till.converse('06 50 03 12 34 56');
    expect(commands(closed)).toBe('8000 04FF 040F 060F');
    expect(closed[2]).toContain(`60F0F5F3${totals}`);
    expect((await till.converse('06 10 03 12 34 56'))[1]).toContain('270004000000000000');
    expect((await till.converse('06 30 06 12 34 56 87 00 02')).at(-1)).toBe('061E01B5');
    expect(resultsIn(await till.converse(SALE))[0]).toContain('870003');
  });
});

describe('the till as master', () => {
  it('may send its next command right behind its answer to the last one', async () => {
    const { till } = counter();
    await till.send(REGISTER);
    await till.packet();
    await till.packet();
    await till.sendRaw(`80 00 00 ${STATUS}`);
    expect(await till.packet()).toBe('800000');
    expect((await till.packet()).slice(0, 4)).toBe('060F');
  });

  it('may send in single bytes', async () => {
    const { till } = counter();
    for (const byte of REGISTER.split(' ')) await till.sendRaw(byte);
    expect(await till.packet()).toBe('800000');
  });
});
