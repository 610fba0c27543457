import { describe, expect, it } from 'vitest';
import { driver } from '../../../drivers/terminals/zvt/driver.ts';
import { openCounter, prepare, REGISTERS, result, saleTurns, type Turn } from './scripted-terminal.ts';
import { sitting } from './sitting.ts';

const HEAD = '123456BE0978';
/** TLV 26 with the commands that every registration lists. */
const LISTED = '0A02040F0A02060F0A02061E0A0204FF';

async function registration(options: Record<string, unknown>): Promise<string> {
  const { clock, pair, terminal, context } = prepare(REGISTERS, {
    options: { password: '123456', ...options },
  });
  const session = await clock.runUntil(driver.open(pair.ours, context, new AbortController().signal));
  await session.close();
  return terminal.heard[0] ?? '';
}

describe('the TLV container of a registration', () => {
  it.each([
    ['lists the commands that we take, by default', {}, `061A2618${LISTED}0A0206D10A0206D3`],
    ['is left out where the terminal wants none', { quirks: { registration_tlv: 'none' } }, ''],
    ['is empty where the terminal wants it so', { quirks: { registration_tlv: 'empty' } }, '0600'],
    [
      'tells width and charset, too',
      { printer_width: 24, charset: 'iso-8859-15', quirks: { registration_tlv: 'full' } },
      `0622120124${'2618'}${LISTED}0A0206D10A0206D3270314010F`,
    ],
    [
      'tells the longest packet, too',
      { charset: 'cp437', max_apdu: 4096, quirks: { registration_tlv: 'full' } },
      `06261201401A021000${'2618'}${LISTED}0A0206D10A0206D327031401FF`,
    ],
    [
      'names no charset that has no number',
      { charset: 'din-66003', quirks: { registration_tlv: 'full' } },
      `061D1201402618${LISTED}0A0206D10A0206D3`,
    ],
    [
      'lists no print lines for a terminal that mishandles them (Hobex)',
      { quirks: { print_commands: 'blocks' } },
      `06162614${LISTED}0A0206D3`,
    ],
    ['lists no text blocks', { quirks: { print_commands: 'lines' } }, `06162614${LISTED}0A0206D1`],
    [
      'lists 06 D0 for a terminal that asks for no PIN without it (Clover)',
      { quirks: { also_permitted: ['06d0'] } },
      `061E261C${LISTED}0A0206D10A0206D30A0206D0`,
    ],
  ] as const)('%s', async (_name, options, container) => {
    const data = HEAD + container;
    const length = (data.length / 2).toString(16).padStart(2, '0').toUpperCase();
    expect(await registration(options)).toBe(`0600${length}${data}`);
  });

  it.each([
    ['taken as they are', {}, 'BE'],
    ['the terminal prints', { receipts: false }, '38'],
    ['we build', { receipts: 'built' }, '3E'],
    ['we build, B6', { receipts: 'built', config_byte: 'B6' }, '3E'],
    ['another config byte with progress texts all the same', { config_byte: 'B6' }, 'BE'],
  ] as const)('receipts %s: the config byte is right', async (_name, options, config) => {
    expect((await registration(options)).slice(12, 14)).toBe(config);
  });
});

describe('a command that the device lists beside ours', () => {
  it('is taken, and nothing is done', async () => {
    const turns: Turn[] = [
      { expect: '0601', send: ['800000', '06D00101'] },
      { expect: '800000', send: [result('00')] },
      { expect: '800000', send: ['060F00'] },
      { expect: '800000' },
    ];
    const options = { quirks: { also_permitted: ['06D0'] } };
    const counter = await openCounter(turns, { options });
    expect(await counter.sell()).toMatchObject({ kind: 'approved' });
    expect(counter.terminal.surprises).toEqual([]);
  });
});

describe('a Status-Information inside a registration', () => {
  const opens = async (status: string, kind: 'tcp' | 'serial' = 'tcp') => {
    const turns: Turn[] = [
      { expect: '0600', send: ['800000', status] },
      { expect: '800000', send: ['060F0A19002952523535490978'] },
      { expect: '800000' },
    ];
    const { clock, pair, terminal, context } = prepare(turns, { kind });
    const opening = clock.runUntil(driver.open(pair.ours, context, new AbortController().signal));
    const opened = await opening.then(
      () => 'open',
      (error: unknown) => error,
    );
    return { opened, answers: terminal.count('800000') };
  };

  it.each([
    ['result, terminal and currency', '040F0A27002952523535490978'],
    ['the terminal alone', '040F052952523535'],
    ['the status byte, too', '040F0C270019002952523535490978'],
    ['a code other than 00', '040F07276C2952523535'],
  ])('that is its own is answered, and the terminal is ready: %s', async (_name, status) => {
    expect(await opens(status)).toEqual({ opened: 'open', answers: 2 });
    expect(await opens(status, 'serial')).toEqual({ opened: 'open', answers: 2 });
  });

  it.each([
    ['a whole payment', result('00')],
    ['nothing but a result code', '040F022700'],
    ['nothing at all', '040F00'],
    ['an amount', '040F0E27000400000000123429' + '52523535'],
    ['a receipt number', '040F0A2700295252353587' + '0231'],
    ['a trace', '040F0B270029525235350B' + '000975'],
    ['an authorisation', '040F1027002952523535' + '3B3132333435360000'],
    ['a container', '040F0927002952523535' + '0600'],
    ['an unknown bitmap', '040F0827002952523535FE'],
    ['no terminal', '040F052700490978'],
  ])('that may be of an older payment is never answered: %s', async (_name, status) => {
    expect(await opens(status)).toEqual({
      opened: expect.objectContaining({ code: 'TERMINAL_BUSY' }),
      answers: 0,
    });
  });
});

describe('a refused registration says what to look at', () => {
  it.each([
    ['848300', /ZVT may be switched off/],
    ['843700', /wrong password: set options\.password/],
    ['841E036F0756', /works in CHF: check the currency/],
    ['841E016F', /check the currency/],
  ])('%s', async (answer, words) => {
    const { clock, pair, context } = prepare([{ expect: '0600', send: [answer] }]);
    const opening = clock.runUntil(driver.open(pair.ours, context, new AbortController().signal));
    await expect(opening).rejects.toMatchObject({
      code: 'TERMINAL_REGISTRATION_REFUSED',
      message: expect.stringMatching(words),
    });
  });
});

describe('the charset', () => {
  /** `06 D1` with ÄÖ in the charset under test. */
  const line = (hex: string) => `06D1${((hex.length + 2) / 2).toString(16).padStart(2, '0')}00${hex}`;
  const registers = (tlv: string): Turn[] => [
    { expect: '0600', send: ['800000', `060F${(tlv.length / 2).toString(16).padStart(2, '0')}${tlv}`] },
    { expect: '800000' },
  ];
  const printed = async (hex: string, options: unknown, reported = '') => {
    const counter = await openCounter(saleTurns([result('00')], '060F00', [line(hex)]), {
      options,
      opening: registers(reported),
    });
    const outcome = await counter.sell();
    return outcome.kind === 'approved' ? outcome.receipts.merchant : outcome.kind;
  };
  const full = { registration_tlv: 'full' };

  it.each([
    ['CP437, which is the default', '8E99', {}, ''],
    ['the device’s own', 'C4D6', { charset: 'iso-8859-1' }, ''],
    ['the device’s own, in two bytes', 'C384C396', { charset: 'utf-8' }, ''],
    ['the device’s own, in seven bits', '5B5C', { charset: 'din-66003' }, ''],
    ['a later part of ISO 8859', 'C4D6', { charset: 'iso-8859-16' }, ''],
    ['what was agreed on', 'C384C396', { charset: 'utf-8', quirks: full }, '0605270314' + '01FE'],
    ['what the terminal chose instead', 'C4D6', { charset: 'utf-8', quirks: full }, '0603140101'],
    ['the device’s own where nobody offered one', '8E99', {}, '0603140101'],
    [
      'the device’s own where the terminal names several',
      '8E99',
      { quirks: full },
      '06082706140101' + '1401FE',
    ],
  ])('is %s', async (_name, hex, options, reported) => {
    expect(await printed(hex, options, reported)).toBe('ÄÖ');
  });

  it.each(['iso-8859-1', 'utf-8', 'cp437'])('%s is agreed on with a virtual terminal', async (charset) => {
    const shop = await sitting({ device: { charset, quirks: full } });
    const sale = await shop.pay({
      kind: 'sale',
      attemptId: 'a',
      ticket: 'A00001',
      amount: { minor: 100, currency: 'EUR' },
    });
    expect(sale).toMatchObject({ receipts: { merchant: expect.stringContaining('Händlerbeleg') } });
  });

  it('is CP437 with a virtual terminal that agrees on nothing, for a device that says so', async () => {
    const shop = await sitting({
      device: { charset: 'cp437', quirks: full },
      options: { agreesOnCharset: false },
    });
    const sale = await shop.pay({
      kind: 'sale',
      attemptId: 'a',
      ticket: 'A00001',
      amount: { minor: 100, currency: 'EUR' },
    });
    expect(sale).toMatchObject({ receipts: { merchant: expect.stringContaining('Händlerbeleg') } });
  });
});
