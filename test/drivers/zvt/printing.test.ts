import { describe, expect, it } from 'vitest';
import type { Charset } from '../../../drivers/terminals/zvt/charset.ts';
import { PrintSpool, splitTrailingTlv } from '../../../drivers/terminals/zvt/printing.ts';
import { bytes, openCounter, result, saleTurns } from './scripted-terminal.ts';
import { sitting } from './sitting.ts';

const WIDTH = 24;
const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex');
const line = (attribute: string, text: string) => bytes(attribute + hex(text));
const length = (body: string) => {
  const size = body.length / 2;
  return size < 0x80 ? size.toString(16).padStart(2, '0') : `82${size.toString(16).padStart(4, '0')}`;
};
const tlv = (tag: string, body: string) => tag + length(body) + body;
/** A text block: type, then attributes (two hex digits, marked with #) and lines. */
function block(type: string, ...elements: readonly string[]): Uint8Array {
  const inside = elements.map((one) => (one.startsWith('#') ? tlv('09', one.slice(1)) : tlv('07', hex(one))));
  return bytes(tlv('06', tlv('1F07', type) + tlv('25', inside.join(''))));
}

function spool(charset: Charset = 'cp437') {
  return new PrintSpool(charset, WIDTH);
}

describe('print lines (06 D1)', () => {
  it('keep their place: plain, indented, centred, double height and width as plain text', () => {
    const paper = spool();
    for (const data of [line('00', 'plain'), line('03', 'in'), line('40', 'mid'), line('70', 'big')])
      paper.take('06D1', data);
    expect(paper.receipts().merchant).toBe(
      ['plain', '   in', `${' '.repeat(10)}mid`, `${' '.repeat(10)}big`].join('\n'),
    );
  });

  it('feed as many lines as they say, and no more than a person would', () => {
    const paper = spool();
    for (const data of [line('00', 'a'), bytes('FF02'), line('00', 'b'), bytes('FFFF'), line('00', 'c')])
      paper.take('06D1', data);
    expect(paper.receipts().merchant).toBe(`a\n\n\nb\n${'\n'.repeat(20)}c`);
  });

  it.each(['81', '8F', 'C1', 'FE'])('end a receipt with attribute %s', (last) => {
    const paper = spool();
    for (const data of [line('00', 'one'), line(last, 'end'), line('00', 'two')]) paper.take('06D1', data);
    expect(paper.receipts()).toEqual({ merchant: 'one\nend', customer: 'two' });
  });

  it('do not end a receipt with attribute 80', () => {
    const paper = spool();
    for (const data of [line('00', 'one'), line('80', 'two')]) paper.take('06D1', data);
    expect(paper.receipts()).toEqual({ merchant: 'one\ntwo' });
  });

  it('lose the TLV that some terminals append unasked', () => {
    const paper = spool();
    paper.take('06D1', bytes(`00${hex('text')}06041F070102`));
    expect(paper.receipts()).toEqual({ merchant: 'text' });
  });

  it('that are as wide as a wider printer centre in its width', () => {
    const paper = spool();
    paper.take('06D1', line('00', '-'.repeat(40)));
    paper.take('06D1', line('40', 'mid'));
    expect(paper.receipts().merchant?.split('\n')[1]).toBe(`${' '.repeat(18)}mid`);
  });
});

describe('text blocks (06 D3)', () => {
  it('are kept by type: 01 merchant, 02 customer; 03 is the shop’s own and nobody’s copy', () => {
    const paper = spool();
    paper.take('06D3', block('02', 'for the customer', '#81'));
    paper.take('06D3', block('01', 'for the shop', '#FF'));
    paper.take('06D3', block('03', 'of the day'));
    expect(paper.receipts()).toEqual({ customer: 'for the customer', merchant: 'for the shop' });
    expect(paper.shopReceipts()).toEqual({ merchant: 'of the day\nfor the shop\nfor the customer' });
  });

  it('that come in several parts are one receipt', () => {
    const paper = spool();
    paper.take('06D3', block('02', 'one', 'two'));
    paper.take('06D3', block('01', 'other'));
    paper.take('06D3', block('02', 'three', '#81'));
    expect(paper.receipts()).toEqual({ customer: 'one\ntwo\nthree', merchant: 'other' });
  });

  it('place their lines by the attribute before them, until another comes', () => {
    const paper = spool();
    paper.take('06D3', block('02', '#40', 'mid', 'dle', '#02', 'in', '#00', 'plain', '#FF'));
    expect(paper.receipts().customer).toBe(`${' '.repeat(10)}mid\n${' '.repeat(10)}dle\n  in\nplain`);
  });

  it('are read in the charset that they name', () => {
    const paper = spool();
    const text = tlv('07', 'C384');
    paper.take('06D3', bytes(tlv('06', tlv('1F07', '02') + tlv('14', 'FE') + tlv('25', text))));
    expect(paper.receipts()).toEqual({ customer: 'Ä' });
  });

  it('of several kilobytes are taken, with tags that nobody knows', () => {
    const paper = spool();
    const lines = Array.from({ length: 150 }, (_, at) => `line ${at}`.padEnd(24));
    const inside = lines.map((one) => tlv('07', hex(one))).join('');
    paper.take('06D3', bytes(tlv('06', tlv('1F07', '01') + tlv('DF7F', 'FF') + tlv('25', inside))));
    expect(paper.receipts().merchant?.split('\n')).toHaveLength(150);
  });

  it('without a type are told by their words', () => {
    const paper = spool();
    const untyped = (text: string) => bytes(tlv('06', tlv('25', tlv('07', hex(text)))));
    paper.take('06D3', untyped('* * Kundenbeleg * *'));
    paper.take('06D3', untyped('anything'));
    expect(paper.receipts()).toEqual({ customer: '* * Kundenbeleg * *', merchant: 'anything' });
  });
});

it('every print command is answered once, and an unreadable one all the same', async () => {
  const prints = ['06D100', '06D302FFFF', '06D3020600', '06D10140'];
  const counter = await openCounter(saleTurns([result('00')], '060F00', prints));
  expect(await counter.sell()).toMatchObject({ kind: 'approved' });
  expect(counter.terminal.surprises).toEqual([]);
});

it('what is printed stays out of the transcript, however a card number is spelt', async () => {
  const card = hex('5413 3300 8902 0011');
  const prints = [
    `06D114${'00'}${card}`,
    `06D31F${'061D'}${'1F0701012517'}${'0709'}${card.slice(0, 18)}${'070A'}${card.slice(18)}`,
  ];
  const counter = await openCounter(saleTurns([result('00')], '060F00', prints));
  await counter.sell();
  const printed = counter.transcript.filter((one) => one.includes('Print'));
  expect(printed).toEqual([
    'received Print Line {"printed_bytes":23}',
    expect.stringMatching(/^received Print Text-Block \{"printed_bytes":\d+\}$/),
  ]);
});

describe('the driver and a virtual terminal', () => {
  const SALE = {
    kind: 'sale',
    attemptId: 'a',
    ticket: 'A00001',
    amount: { minor: 1234, currency: 'EUR' },
  } as const;

  it.each([
    ['in one block', {}, {}],
    ['in blocks of three lines', { blockLines: 3 }, {}],
    ['in blocks as long as we take them', {}, { max_apdu: 255, quirks: { registration_tlv: 'full' } }],
    ['line by line', {}, { quirks: { print_commands: 'lines' } }],
  ] as const)('print both receipts %s', async (_name, options, device) => {
    const shop = await sitting({ options, device });
    const outcome = await shop.pay(SALE);
    expect(outcome).toMatchObject({
      kind: 'approved',
      receipts: {
        merchant: expect.stringMatching(/Händlerbeleg[\s\S]*BETRAG[\s\S]*erfolgt/),
        customer: expect.stringMatching(/Kundenbeleg[\s\S]*BETRAG[\s\S]*erfolgt/),
      },
    });
  });

  it('print nothing where the terminal prints, and both where we build them', async () => {
    const printing = await sitting({ device: { receipts: false } });
    expect(await printing.pay(SALE)).toHaveProperty('receipts', {});
    const building = await sitting({ device: { receipts: 'built' } });
    expect(await building.pay(SALE)).toMatchObject({
      kind: 'approved',
      receipts: {
        merchant: expect.stringMatching(/Händlerbeleg[\s\S]*Kartenzahlung[\s\S]*Betrag +12,34 EUR/),
        customer: expect.stringMatching(/Kundenbeleg[\s\S]*Kartenzahlung[\s\S]*Betrag +12,34 EUR/),
      },
    });
  });
});

describe('a print line made of bytes that could each begin a container', () => {
  it('is read in one pass over its end', () => {
    const line = Uint8Array.from([
      ...Array.from({ length: 30_000 }, (_, at) => (at % 2 === 0 ? 0x06 : 0)),
      0xff,
    ]);
    expect(splitTrailingTlv(line).text).toHaveLength(line.length);
  });
});
