import fc from 'fast-check';
import { maskReport } from '../../../drivers/terminals/concert/card-data.ts';
import { decode } from '../../../drivers/terminals/concert/decode.ts';
import { eplus } from '../../../drivers/terminals/concert/eplus.ts';
import type { ReadResult } from '../../../drivers/terminals/concert/language.ts';
import { settingsOf } from '../../../drivers/terminals/concert/settings.ts';
import { V3 } from '../../../drivers/terminals/concert/v3.ts';
import type { DecodedPart } from '../../../src/driver-kit/define.ts';
import type { MoneyCommand } from '../../../src/terminal/ports.ts';
import { hostile, utf8 } from '../mutations.ts';
import { must, mustBeBounded, mustEqual, verdictOf } from '../oracles.ts';
import type { Target } from '../target.ts';

/** A card number that no issuer has given out, and how it is looked for in free text: one that touches other digits is not seen there. */
const CARD = '5413330089020011';
const SEEN = new RegExp(`(?<!\\d)${CARD}(?!\\d)`);
const TICKET = 'A1B2C3';
const NAME = '0198c5a00000700080000000000000ab';
const COMMAND: MoneyCommand = {
  kind: 'sale',
  attemptId: '0198c5a0-0000-7000-8000-0000000000ab',
  ticket: TICKET,
  amount: { minor: 1250, currency: 'EUR' },
};
const COUNTER = { settings: settingsOf({ results: { 7: 'refused' } }), currency: 'EUR' } as const;

/** A message of V3: CZ, and some of these tags in any order. */
function v3Text(): fc.Arbitrary<string> {
  const tag = fc.constantFrom(
    ...Object.entries({
      CA: '01',
      CB: '1250',
      CD: '0',
      CE: '978',
      AE: '10',
      AF: '04',
      CF: NAME,
      AA: CARD,
      AD: `${CARD}99`,
      AC: '184117',
      AK: btoa(`No ${CARD}\n`),
      ZT: `CK003100AK0${btoa(`No ${CARD}\n`).length}${btoa(`No ${CARD}\n`)}`,
      BI: `card ${CARD}`,
    }),
    ['AE', '01'] as [string, string],
    ['CB', '0001250'] as [string, string],
  );
  return fc
    .uniqueArray(tag, { selector: ([name]) => name, maxLength: 10 })
    .map((tags) =>
      [['CZ', '0301'], ...tags].map(
        ([name, value = '']) => `${name}${String(value.length).padStart(3, '0')}${value}`,
      ),
    )
    .map((elements) => elements.join(''));
}

/** Messages of E+: the request, and answers with and without a report. */
function eplusText(): fc.Arbitrary<string> {
  const report = fc.constantFrom('', CARD.padEnd(55), `${CARD}${'0'.repeat(39)}`, '0'.repeat(55));
  const answer = fc
    .tuple(fc.constantFrom('0', '7', '9'), report, fc.constantFrom(TICKET, 'A1B2C2', '0000000000'))
    .map(([result, shown, given]) => `01${result}000012501${shown}978${given.padEnd(10)}`);
  return fc.oneof(answer, fc.constant(`0100001250110978${TICKET}    A010B010`));
}

function framed(text: string): Uint8Array {
  const body = [...utf8(text), 0x03];
  return Uint8Array.of(
    0x02,
    ...body,
    body.reduce((check, byte) => check ^ byte, 0),
  );
}

const texts = () => fc.oneof(v3Text(), eplusText());

const decoding: Target = {
  name: 'concert-decode',
  promise:
    'a recording is decoded or refused at an offset, is bounded by what came in, and shows no card number',
  inputs: hostile(fc.oneof(texts().map(utf8), texts().map(framed))),
  check: (bytes) => {
    for (const layer of ['message', 'frame', 'stream', undefined] as const) {
      const verdict = verdictOf(() => decode(bytes, layer, undefined), bytes.length, /^DECODE_/);
      if (verdict.kind === 'refused') continue;
      mustBeBounded(verdict.value, bytes.length, 200, 2000);
      must(!SEEN.test(JSON.stringify(verdict.value)), 'it shows the card');
      must(!SEEN.test(receiptsIn(verdict.value)), 'it shows the card in a receipt');
    }
  },
};

/** What stands in the receipts (tag AK) of a decoded message. */
function receiptsIn({ fields, parts }: DecodedPart): string {
  const tags: unknown = fields['tags'];
  const receipts = Array.isArray(tags) ? tags.filter(([tag]) => tag === 'AK') : [];
  const shown = receipts.map(([, value]) => Buffer.from(String(value), 'base64').toString('latin1'));
  return [...shown, ...parts.map(receiptsIn)].join();
}

const meaning: Target = {
  name: 'concert-meaning',
  promise:
    'only an answer that repeats what was asked for is an approval or a refusal, and none shows a card number',
  inputs: hostile(texts().map(utf8)),
  check: (bytes) => {
    const spoken = [eplus(COUNTER), new V3(COUNTER, 'tcp')];
    for (const language of spoken) {
      const verdict = verdictOf(() => language.read(bytes, COMMAND), bytes.length, /^DECODE_/);
      if (verdict.kind === 'refused' || verdict.value === null) continue;
      mustMeanIt(verdict.value);
      mustEqual(language.read(bytes, COMMAND)?.report.verdict, verdict.value.report.verdict, 'read again');
    }
  },
};

function mustMeanIt({ report, receipts, whose, isStrange }: ReadResult): void {
  must(!SEEN.test(JSON.stringify([report, receipts])), 'a report shows the card');
  if (isStrange || whose === 'anothers')
    must(report.verdict === 'unclear', `${report.verdict}, though strange`);
  if (report.verdict !== 'approved') return;
  const { amountMinor = 0, currency } = report;
  must(amountMinor > 0 && amountMinor <= COMMAND.amount.minor, `an approval of ${amountMinor}`);
  must(currency === 'EUR', 'an approval in another currency');
}

const masking: Target = {
  name: 'concert-report',
  promise: 'a report keeps its length, shows no card number, and is masked once for all',
  inputs: hostile(eplusText().map(utf8)),
  check: (bytes) => {
    const text = Buffer.from(bytes).toString('latin1');
    const masked = maskReport(text);
    mustEqual(masked.length, text.length, 'the length');
    must(!/\d(?:[ -]?\d){10,}/.test(masked.replace(/0(?:[ -]?0)+/g, '0')), 'a long number was left');
    mustEqual(maskReport(masked), masked, 'masked again');
  },
};

export const concert: readonly Target[] = [decoding, meaning, masking];
