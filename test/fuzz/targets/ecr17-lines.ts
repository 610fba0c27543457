import fc from 'fast-check';
import { readAnswer } from '../../../drivers/terminals/ecr17/answers.ts';
import { decode } from '../../../drivers/terminals/ecr17/decode.ts';
import { framingOf, LRC_MODES, type LrcMode } from '../../../drivers/terminals/ecr17/framing.ts';
import { isOfNothing, isResult, reportOf } from '../../../drivers/terminals/ecr17/report.ts';
import { passesLuhn } from '../../../src/base/card-number.ts';
import { concatBytes } from '../../../src/driver-kit/hex.ts';
import { encodeStx, StxReader } from '../../../src/driver-kit/stx-framing.ts';
import { hostile, oneOf } from '../mutations.ts';
import { must, mustBeBounded, mustEqual, mustNotMindSegmentation, verdictOf } from '../oracles.ts';
import type { Target } from '../target.ts';

const text = (words: string) => Uint8Array.from(Buffer.from(words, 'latin1'));
const ZEROS = (count: number) => '0'.repeat(count);
const HEAD = '123456780';
const CARD = '000400000******0002CLI6543212111520188105      000043000100';

/** One message of each kind, as the published tables lay them out. */
const MESSAGES = [
  `${HEAD}s`,
  `${HEAD}X8765432100000000650${' '.repeat(128)}${ZEROS(8)}`,
  `${HEAD}S8765432100012300`,
  `${HEAD}G876543210000`,
  `${HEAD}C8765432100000000`,
  `${HEAD}E1`,
  `${HEAD}E00${CARD}000000006500000000000`,
  `${HEAD}E01${'CARTA RIFIUTATA'.padEnd(24)}${ZEROS(11)}388105      000044000101116${ZEROS(18)}`,
  `${HEAD}V00${CARD}00000000650100010850USD00000000133920000000000`,
  `${HEAD}c00${CARD}000`,
  `${HEAD}e01${'NEGATA'.padEnd(24)}116${ZEROS(31)}88105      000051000201${ZEROS(12)}`,
  `${HEAD}s${ZEROS(10)}0502261520${'2'}V1.2.300`,
  `${HEAD}T00${ZEROS(12)}1234${ZEROS(6)}`,
  `${HEAD}C01${'HOST OCCUPATO'.padEnd(19)}911${ZEROS(10)}`,
  `${HEAD}SCARTA 4111111111111111}\u007fIMPORTO EUR 6,50}${'}'.repeat(6)}\u001b`,
  `${HEAD}K000000010000000005<a/>x`,
].map(text);

const CONTROLS = ['060379', '150369', `01${'41'.repeat(20)}04`].map((hex) => Buffer.from(hex, 'hex'));

function lines(): fc.Arbitrary<Uint8Array> {
  const modes = Object.keys(LRC_MODES).filter((mode): mode is LrcMode => mode in LRC_MODES);
  const framed = fc
    .tuple(oneOf(MESSAGES), fc.constantFrom(...modes))
    .map(([message, mode]) => encodeStx(message, framingOf(null), LRC_MODES[mode]));
  const piece = fc.oneof({ weight: 4, arbitrary: framed }, { weight: 1, arbitrary: oneOf(CONTROLS) });
  return fc.array(piece, { maxLength: 4 }).map((pieces) => concatBytes(...pieces));
}

const framing: Target = {
  name: 'ecr17-framing',
  promise:
    'the same packets in any segmentation and any mode of the check, every frame framed again as it was',
  inputs: hostile(lines()),
  check: (bytes) => {
    for (const mode of [null, 'noext'] as const) {
      const packets = mustNotMindSegmentation(bytes, () => new StxReader(framingOf(mode)));
      for (const packet of packets) {
        if (packet.kind !== 'frame') continue;
        const again = new StxReader(framingOf(null)).push(
          encodeStx(packet.data, framingOf(null), packet.check),
        );
        mustEqual(again, [packet], 'framed again');
      }
    }
  },
};

const decoding: Target = {
  name: 'ecr17-decode',
  promise: 'any bytes are decoded or refused at an offset, on every layer, and no card number is shown',
  inputs: hostile(fc.oneof(lines(), oneOf(MESSAGES))),
  check: (bytes) => {
    for (const layer of ['frame', 'message', 'stream', undefined] as const)
      for (const context of [undefined, text(`${HEAD}G876543210000`)]) {
        const verdict = verdictOf(() => decode(bytes, layer, context), bytes.length);
        if (verdict.kind === 'refused') continue;
        // A lone ACK is three bytes and a packet of its own.
        mustBeBounded(verdict.value, bytes.length, 45, 1000);
        mustShowNoCard(JSON.stringify(verdict.value));
      }
  },
};

const meaning: Target = {
  name: 'ecr17-report',
  promise: 'a result is the same report for the same bytes, approved by 00 alone, and shows no card number',
  inputs: hostile(oneOf(MESSAGES)),
  check: (bytes) => {
    const verdict = verdictOf(() => readAnswer(bytes), bytes.length);
    if (verdict.kind === 'refused' || !isResult(verdict.value)) return;
    const report = reportOf(verdict.value);
    mustEqual(reportOf(readAnswer(bytes)), report, 'the same bytes');
    must(
      (report.verdict === 'approved') === (verdict.value.fields['result'] === '00'),
      'approved without a 00',
    );
    must(report.number !== '000000' && report.trace === report.number, 'STAN 000000 is a number');
    must(!isOfNothing(verdict.value) || report.number === undefined, 'nothing has a number');
    must(report.amountMinor === undefined || report.amountMinor > 0, 'an amount of nothing');
    mustShowNoCard(JSON.stringify(report));
  },
};

/** Runs that begin as a Visa card does, of the length that one has, and pass the check of card numbers. */
function mustShowNoCard(shown: string): void {
  for (const run of shown.match(/(?<!\d)4\d{15}(?!\d)/g) ?? [])
    must(!passesLuhn(run), 'a card number is shown');
}

export const ecr17Lines: readonly Target[] = [framing, decoding, meaning];
