import { describe, expect, it } from 'vitest';
import { decode } from '../../../drivers/terminals/ecr17/decode.ts';
import { fromHex } from '../../../src/driver-kit/hex.ts';
import { ACK, approval, frame, NAK, refusal, STATUS } from './scripted.ts';

const bytes = (hex: string) => fromHex(hex) ?? new Uint8Array();
const text = (words: string) => Uint8Array.from(Buffer.from(words, 'latin1'));
const fieldsOf = (words: string) => decode(text(words), 'message', undefined).fields;
const PROGRESS = `01${Buffer.from('ELABORAZIONE...     ').toString('hex')}04`;
const HEAD = '123456780';
const ZEROS = (count: number) => '0'.repeat(count);

/** A message of 106 characters with fields at their places, counted from 1; zeros between them. */
function placed(code: string, fields: Readonly<Record<number, string>>): string {
  const signs = [...`${HEAD}${code}${ZEROS(96)}`];
  for (const [at, value] of Object.entries(fields)) signs.splice(Number(at) - 1, value.length, ...value);
  return signs.join('');
}

describe('messages', () => {
  it('of a payment with currency conversion tell both amounts', () => {
    const dcc = `${HEAD}V${approval().slice(10, 82)}100010850USD00000000133920000000000`;
    expect(fieldsOf(dcc)).toMatchObject({
      result: '00',
      amount: 1234,
      dcc: '1',
      dcc_rate: '00010850',
      dcc_currency: 'USD',
      dcc_amount: 1339,
      dcc_precision: '2',
    });
  });

  it('of a pre-authorisation have their own places', () => {
    const ok = placed('e', {
      11: '00',
      13: '000400000******0002',
      32: 'ICC',
      35: '654321',
      41: '00006500',
      49: '123456789',
      58: '000',
      61: '2111520',
      72: '88105      ',
      83: '000050',
      89: '000200',
    });
    expect(fieldsOf(ok)).toMatchObject({
      auth: '654321',
      amount: 6500,
      preauth_code: '123456789',
      action: '000',
      host_time: 'day 211 15:20',
      acquirer: '88105',
      stan: '000050',
      online_id: '000200',
    });
    const ko = placed('e', { 11: '01', 13: 'NEGATA'.padEnd(24), 37: '116', 72: '88105      ', 83: '000051' });
    expect(fieldsOf(ko)).toMatchObject({ text: 'NEGATA', action: '116', stan: '000051' });
  });

  it('of an incremental authorisation and a capture have theirs', () => {
    const i = `${HEAD}i00000400000******0002ICC88105      654321000052000202211152000000`;
    expect(fieldsOf(i)).toMatchObject({
      auth: '654321',
      stan: '000052',
      host_time: 'day 211 15:20',
      action: '000',
    });
    const c = `${HEAD}c${approval().slice(10, 74)}`;
    expect(fieldsOf(c)).toMatchObject({ auth: '654321', stan: '000043', action: '000' });
  });

  it('that end early leave out what lies behind their end', () => {
    expect(fieldsOf(approval().slice(0, 71))).not.toHaveProperty('amount');
    expect(fieldsOf(`${HEAD}E00`)).toEqual({ terminal_id: '12345678', result: '00' });
  });

  it('keep the characters at places without a field, unless they only fill them', () => {
    expect(fieldsOf(approval())).not.toHaveProperty('unknown');
    expect(fieldsOf(`${approval().slice(0, 82)}ABCDEFGHIJ`)).toMatchObject({ unknown: { 83: 'ABCDEFGHIJ' } });
    expect(fieldsOf(`${HEAD}T00${ZEROS(16)}123456`)).toMatchObject({ unknown: { 29: '123456' } });
    // The last field is cut: its characters are not a field.
    expect(fieldsOf(approval().slice(0, 81))).toMatchObject({
      unknown: { 75: '0000123' },
    });
    expect(fieldsOf(`${HEAD}G876543210017`)).toMatchObject({ unknown: { 20: '017' } });
  });

  it('of an unknown result are shown as they are, not as the fields of another', () => {
    const { result, unknown, ...others } = fieldsOf(`${HEAD}E77${'X'.repeat(59)}`);
    expect([result, unknown, others]).toEqual(['77', { 13: 'X'.repeat(59) }, { terminal_id: '12345678' }]);
  });

  it.each(['', 'A', 'ABC'])('of additional data are as long as they say: "%s"', (data) => {
    const length = String(data.length).padStart(3, '0');
    expect(fieldsOf(`${HEAD}U000000${length}${data}${ZEROS(10)}`)).toMatchObject({ length, data });
    expect(fieldsOf(`${HEAD}U000000${length}`)).not.toHaveProperty('data');
  });

  it('mean one thing from the till and another as an answer', () => {
    const close = `${HEAD}C8765432100000000`;
    expect(decode(text(close), 'message', undefined).name).toBe('Close session');
    expect(decode(text(close), 'message', text('X')).name).toBe('Close result');
    const receipt = `${HEAD}S1234567890123456`;
    expect(decode(text(receipt), 'message', undefined).name).toBe('Reversal of the last payment');
    expect(decode(text(receipt), 'message', text('X'))).toMatchObject({
      name: 'Receipt part',
      fields: { receipt: '1234567890123456', last: false },
    });
  });

  it('of additional data and of wallets are named', () => {
    const data = `${HEAD}U00000062DF8D01  0100000000${'0'}CONTENT\u001b`;
    expect(decode(text(data), 'message', undefined)).toMatchObject({ name: 'Additional data' });
    const answer = `${HEAD}K000000010000000005<a/>x`;
    expect(decode(text(answer), 'message', undefined)).toMatchObject({ name: 'VAS request' });
    expect(decode(text(answer), 'message', text('K'))).toMatchObject({
      name: 'VAS answer',
      fields: { part: '001' },
    });
  });

  it('without a header of this protocol are shown as they are', () => {
    expect(decode(text('HELLO'), 'message', undefined)).toMatchObject({
      kind: 'unknown',
      fields: { payload: 'HELLO' },
    });
  });

  it('never show a whole card number', () => {
    const whole = approval().replace('000400000******0002', '0004111111111111111');
    expect(fieldsOf(whole)).toMatchObject({ pan: '000411111******1111' });
    expect(fieldsOf(`${HEAD}SCARTA 4111111111111111}`)).toMatchObject({ receipt: 'CARTA 411111******1111}' });
    expect(fieldsOf(refusal('4111111111111111'))).toMatchObject({ text: '411111******1111' });
    expect(JSON.stringify(decode(text('4111111111111111 X'), 'message', undefined))).not.toContain(
      '4111111111111111',
    );
  });
});

describe('lone packets', () => {
  it.each([
    [ACK, 'ACK', 'std'],
    [NAK, 'NAK', 'std'],
    ['06037A', 'ACK', 'noext'],
    ['150369', 'NAK', 'noext'],
    ['060378', 'ACK', 'stx'],
    ['15036B', 'NAK', 'stx'],
    ['06037B', 'ACK', 'stx_noext'],
    ['150368', 'NAK', 'stx_noext'],
  ])('%s is %s, by mode %s', (hex, name, mode) => {
    for (const layer of ['message', 'frame', undefined] as const)
      expect(decode(bytes(hex), layer, undefined)).toMatchObject({ name, checksum: { mode, ok: true } });
  });

  it('of progress have no check', () => {
    for (const layer of ['message', 'frame', undefined] as const)
      expect(decode(bytes(PROGRESS), layer, undefined)).toMatchObject({
        name: 'Progress',
        fields: { text: 'ELABORAZIONE...' },
        checksum: null,
      });
  });
});

describe('a stream', () => {
  it('is any sequence of packets', () => {
    const hex = `${ACK}${PROGRESS}${frame(approval())}${ACK}${frame(STATUS)}`;
    const { layer, parts, checksum } = decode(bytes(hex), undefined, undefined);
    expect([layer, parts.map(({ name }) => name), checksum]).toEqual([
      'stream',
      ['ACK', 'Progress', 'Result', 'ACK', 'Status'],
      { mode: 'std', ok: true },
    ]);
  });
});

describe('what is broken', () => {
  const approved = frame(approval());
  it.each([
    ['nothing', '', undefined, 'DECODE_INCOMPLETE', 0],
    ['a check that fits no mode', `${approved.slice(0, -2)}00`, undefined, 'DECODE_CHECKSUM', 94],
    ['a control whose check fits no mode', '060300', undefined, 'DECODE_MALFORMED', 2],
    ['a frame without its end', approved.slice(0, 60), undefined, 'DECODE_INCOMPLETE', 30],
    ['a frame without its check', approved.slice(0, -2), undefined, 'DECODE_INCOMPLETE', 94],
    ['a control without its check', '0603', undefined, 'DECODE_INCOMPLETE', 2],
    ['bytes behind a frame', `${ACK}00`, 'frame', 'DECODE_TRAILING_BYTES', 3],
    ['noise between packets', `${ACK}FF${ACK}`, undefined, 'DECODE_MALFORMED', 3],
    ['a progress text of 19 characters', `01${'41'.repeat(19)}04`, undefined, 'DECODE_MALFORMED', 20],
    ['a progress text of 21 characters', `01${'41'.repeat(21)}04`, undefined, 'DECODE_MALFORMED', 21],
    ['a payment that is too short', frame(`${HEAD}X${ZEROS(156)}`), undefined, 'DECODE_MALFORMED', 167],
    ['a result without digits', frame(`${HEAD}EOK`), undefined, 'DECODE_MALFORMED', 11],
  ] as const)('is refused: %s', (_, hex, layer, code, offset) => {
    const attempt = () => decode(bytes(hex), layer, undefined);
    expect(attempt).toThrowError(expect.objectContaining({ code, context: { offset } }));
  });

  it('a byte that is no ASCII is refused where it is', () => {
    const strange = text(`${HEAD}E00\u00ff`);
    expect(() => decode(strange, 'message', undefined)).toThrowError(
      expect.objectContaining({ code: 'DECODE_MALFORMED', context: { offset: 12 } }),
    );
  });

  it('an APDU is refused: there are none', () => {
    expect(() => decode(bytes(ACK), 'apdu', undefined)).toThrowError(/no APDUs/);
  });
});
