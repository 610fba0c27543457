import { describe, expect, it } from 'vitest';
import { decode } from '../../../drivers/terminals/zvt/decode.ts';
import { toHex } from '../../../src/driver-kit/hex.ts';
import { CANNOT_PRINT, GOODS_NOT_YET, goodsInPart, goodsNotIssued } from './goods-answers.ts';
import { openCounter, result, saleTurns } from './scripted-terminal.ts';
import {
  commands,
  counter,
  nextResult,
  OK,
  REGISTER,
  REGISTER_WITHOUT_PAPER,
  SALE,
} from './virtual-counter.ts';

const [NOT_YET, IN_PART, NO_GOODS, NO_PAPER] = [
  GOODS_NOT_YET,
  goodsInPart(1000),
  goodsNotIssued('66'),
  CANNOT_PRINT,
].map(toHex);

describe('the answers of a till that hands out goods', () => {
  it('are the frames of the specification', () => {
    expect([NOT_YET, IN_PART, NO_GOODS, NO_PAPER]).toEqual([
      '849C00',
      '849D0704000000001000',
      '846600',
      '84CC00',
    ]);
  });

  it('decode to their fields', () => {
    expect(decode(goodsInPart(1000), undefined, undefined).fields).toEqual({
      control_field: '849D',
      length: 7,
      data: [{ bmp: '04', name: 'amount_minor', value: '000000001000' }],
    });
  });

  it('are none of ours: a result that is on disk is acknowledged, and nothing else is ever said to it', async () => {
    const shop = await openCounter(saleTurns([result('37'), result('00')], '060F00', ['06D10140']));
    await shop.sell();
    expect(shop.terminal.heard.slice(1).every((packet) => packet === '800000')).toBe(true);
  });
});

describe('a virtual terminal', () => {
  const setUp = async (register = REGISTER_WITHOUT_PAPER, sale = SALE) => {
    const shop = counter({ settings: { autopilot: 'approve', missingAcknowledgement: 'keep' } });
    await shop.till.converse(register);
    await shop.till.send(sale);
    return { ...shop, first: await nextResult(shop.till) };
  };
  const standing = ({ terminal }: ReturnType<typeof counter>) =>
    terminal.snapshot().ledger.filter((entry) => entry.result === 'approved' && !entry.reversed);

  it('charges the part that was handed out, and says so in a second result', async () => {
    const shop = await setUp();
    await shop.till.send(IN_PART ?? '');
    const second = await nextResult(shop.till);
    expect(second).toContain('040000000010');
    await shop.till.send(OK);
    expect(commands(await shop.till.listenToEnd())).toBe('060F');
    expect(standing(shop)).toMatchObject([{ amountMinor: 1000 }]);
  });

  it.each(['84 9D 00', '84 9D 07 04 00 00 00 00 00 00', '84 9D 03 04 00 00'])(
    'takes a part without a price for no goods at all: %s',
    async (answer) => {
      const shop = await setUp();
      await shop.till.send(answer);
      expect((await shop.till.listenToEnd()).at(-1)?.slice(0, 4)).toBe('061E');
      expect(standing(shop)).toEqual([]);
    },
  );

  it('asks no more often than the till allows (bitmap 02), then takes it back', async () => {
    const shop = await setUp(REGISTER_WITHOUT_PAPER, '06 01 0C 02 01 04 00 00 00 00 12 34 49 09 78');
    await shop.till.send(NOT_YET ?? '');
    expect(await nextResult(shop.till)).toBe(shop.first);
    await shop.till.send(NOT_YET ?? '');
    expect((await shop.till.listenToEnd()).at(-1)?.slice(0, 4)).toBe('061E');
    expect(standing(shop)).toEqual([]);
  });

  it('takes an approval back whose receipt cannot be printed, whatever it does with silence', async () => {
    const shop = await setUp(REGISTER);
    await shop.till.send(OK);
    expect((await shop.till.packet()).slice(0, 4)).toBe('06D1');
    await shop.till.send(NO_PAPER ?? '');
    expect((await shop.till.listenToEnd()).at(-1)).toBe('061E01CC');
    expect(standing(shop)).toEqual([]);
  });
});
