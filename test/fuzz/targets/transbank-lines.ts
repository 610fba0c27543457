import fc from 'fast-check';
import { readAnswer } from '../../../drivers/terminals/transbank/answers.ts';
import { decode } from '../../../drivers/terminals/transbank/decode.ts';
import { FRAMING } from '../../../drivers/terminals/transbank/framing.ts';
import { reportOfLine, reportOfSale } from '../../../drivers/terminals/transbank/report.ts';
import { ownIn } from '../../../drivers/terminals/transbank/sales-list.ts';
import { passesLuhn } from '../../../src/base/card-number.ts';
import { asciiBytes } from '../../../src/driver-kit/ascii.ts';
import { concatBytes } from '../../../src/driver-kit/hex.ts';
import { encodeStx, StxReader } from '../../../src/driver-kit/stx-framing.ts';
import { hostile, oneOf } from '../mutations.ts';
import { must, mustBeBounded, mustEqual, mustNotMindSegmentation, verdictOf } from '../oracles.ts';
import type { Target } from '../target.ts';

const HEAD = '597029414300|75001637';
const TICKET = 'A1B2C3';
const ASKED = 13_990;

/** One message of each kind, as the maker's reference and libraries lay them out; some hold a test card number where none belongs. */
const MESSAGES = [
  '0100',
  '0200|13990|A1B2C3|||1|',
  '0260|1|',
  '0500||',
  '1200|000123|',
  `0210|00|${HEAD}|A1B2C3|252985|13990|0||0461|000123|CR|||VI|26072023|113748|0|0||`,
  `0210|07|${HEAD}|00ABCD|      |0|0||0461||CR|||||||0||`,
  `0210|00|${HEAD}|A1B2C3|252985|13990|03|4663|0461|000123|DB|000000|4111111111111111|DB|26072023|113748||990|4111111111111111|`,
  `0210|00|4111111111111111|4111111111111111|A1B2C3|4111111111111111|13990|0||0461|4111111111111111|CR`,
  `0260|11${'|'.repeat(19)}`,
  `0261|00|${HEAD}|A1B2C3|252985|13990|0461|000123|CR|||VI|26072023|113748|0|0||0|`,
  `0261|00|${HEAD}|A1B2C3|794981|-13990|0461|000123|CR|||VI|26072023|113800|0|0||0|`,
  `0261|00|${HEAD}| | | | |000124||||  || | | | | |||`,
  `0271|00|${HEAD}|A1B2C3|252985|13990|0||0461|000123|CR|||VI|26072023|113748|0|0||0|597029414301|`,
  `0510|00|${HEAD}|`,
  '0710|00|2|26500|',
  `0810|00|${HEAD}`,
  '0900|81|',
  `1210|00|${HEAD}|794981|123`,
].map(asciiBytes);

function lines(): fc.Arbitrary<Uint8Array> {
  const framed = oneOf(MESSAGES).map((message) => encodeStx(message, FRAMING));
  const control = fc.constantFrom(0x06, 0x15).map((byte) => Uint8Array.of(byte));
  const piece = fc.oneof({ weight: 4, arbitrary: framed }, { weight: 1, arbitrary: control });
  return fc.array(piece, { maxLength: 5 }).map((pieces) => concatBytes(...pieces));
}

const framing: Target = {
  name: 'transbank-framing',
  promise: 'the same packets in any segmentation, every frame framed again as it was',
  inputs: hostile(lines()),
  check: (bytes) => {
    for (const packet of mustNotMindSegmentation(bytes, () => new StxReader(FRAMING))) {
      if (packet.kind !== 'frame') continue;
      mustEqual(new StxReader(FRAMING).push(encodeStx(packet.data, FRAMING)), [packet], 'framed again');
    }
  },
};

const decoding: Target = {
  name: 'transbank-decode',
  promise: 'any bytes are decoded or refused at an offset, on every layer, and no card number is shown',
  inputs: hostile(fc.oneof(lines(), oneOf(MESSAGES))),
  check: (bytes) => {
    for (const layer of ['frame', 'message', 'stream', undefined] as const) {
      const verdict = verdictOf(() => decode(bytes, layer, undefined), bytes.length);
      if (verdict.kind === 'refused') continue;
      mustBeBounded(verdict.value, bytes.length, 120, 1000);
      mustShowNoCard(JSON.stringify(verdict.value));
    }
  },
};

const meaning: Target = {
  name: 'transbank-report',
  promise:
    'a sale is approved by 00 with the amount that was asked and an authorisation alone, a list never approves a voided sale, and no card number is shown',
  inputs: hostile(oneOf(MESSAGES)),
  check: (bytes) => {
    const verdict = verdictOf(() => readAnswer(bytes), bytes.length);
    if (verdict.kind === 'refused') return;
    const answer = verdict.value;
    if (answer.kind !== 'sale' && answer.kind !== 'line' && answer.kind !== 'last') return;
    const { fields: listed } = answer;
    const report = answer.kind === 'line' ? reportOfLine(listed) : reportOfSale(listed, ASKED);
    mustShowNoCard(JSON.stringify(report));
    must((report.amountMinor ?? 0) >= 0, 'an amount below nothing');
    if (report.verdict === 'approved')
      must(listed.code === '00' && listed.authCode !== '', 'approved without 00 and an authorisation');
    if (answer.kind === 'sale' && report.verdict === 'approved')
      must((report.amountMinor ?? 0) - (report.tipMinor ?? 0) === ASKED, 'approved for another amount');
    if (answer.kind !== 'line') return;
    const own = ownIn({ terminalId: '', lines: [listed] }, TICKET);
    must(own.kind === 'absent' || listed.ticket === TICKET, 'found under another ticket');
    if (own.kind === 'found' && (listed.amount ?? 0) < 0)
      must(own.report.kind === 'void', 'a voided sale is reported as one that stands');
  },
};

/** Runs that begin as a Visa card does, of the length that one has, and pass the check of card numbers. */
function mustShowNoCard(shown: string): void {
  for (const run of shown.match(/(?<!\d)4\d{15}(?!\d)/g) ?? [])
    must(!passesLuhn(run), 'a card number is shown');
}

export const transbankLines: readonly Target[] = [framing, decoding, meaning];
