import fc from 'fast-check';
import { CHARSETS, textOf } from '../../../drivers/terminals/zvt/charset.ts';
import { decode } from '../../../drivers/terminals/zvt/decode.ts';
import { PrintSpool } from '../../../drivers/terminals/zvt/printing.ts';
import { readReport } from '../../../drivers/terminals/zvt/report.ts';
import { isOfOnePayment, readTotals, resultCodeOf } from '../../../drivers/terminals/zvt/totals.ts';
import type { DecodedPart } from '../../../src/driver-kit/define.ts';
import { MAX_TRANSCRIPT_LINE, transcriptLine } from '../../../src/driver-kit/transcript.ts';
import { hostile } from '../mutations.ts';
import { must, mustBeBounded, mustEqual, verdictOf } from '../oracles.ts';
import type { Target } from '../target.ts';
import {
  apdu,
  apdus,
  bitmaps,
  cardValue,
  joined,
  messageData,
  PLANTED_CARD,
  serialFrame,
} from '../zvt-messages.ts';

const LAYERS: readonly (DecodedPart['layer'] | undefined)[] = [
  'frame',
  'apdu',
  'message',
  'stream',
  undefined,
];
const REFUSALS = /^DECODE_(CHECKSUM|MALFORMED|INCOMPLETE|TRAILING_BYTES)$/;
const STATUS_ENQUIRY = Uint8Array.of(0x05, 0x01, 0x00);

const decoding: Target = {
  name: 'zvt-decode',
  promise:
    'whatever was recorded is decoded or refused by name, at an offset inside it, and comes to the same twice',
  inputs: hostile(
    fc.oneof(apdus(), apdus().map(serialFrame), fc.array(apdus(), { maxLength: 4 }).map(joined)),
  ),
  check: (bytes) => {
    for (const layer of LAYERS) {
      for (const context of [undefined, STATUS_ENQUIRY]) {
        const verdict = verdictOf(() => decode(bytes, layer, context), bytes.length, REFUSALS);
        mustEqual(
          verdictOf(() => decode(bytes, layer, context), bytes.length, REFUSALS),
          verdict,
          'twice',
        );
        // A lone ACK is a packet of its own, and takes about a hundred characters.
        if (verdict.kind === 'value') mustBeBounded(verdict.value, bytes.length, 110, 1000);
      }
    }
    verdictOf(() => decode(STATUS_ENQUIRY, undefined, bytes), Math.max(bytes.length, 3), REFUSALS);
  },
};

/** Messages whose every free place holds a card number. */
function cardBearing(): fc.Arbitrary<Uint8Array> {
  const controls = fc.constantFrom(0x040f, 0x060f, 0x061e, 0x06d3, 0x04ff, 0x0fa1, 0x040d, 0x8000, 0x06c0);
  const data = fc.oneof(
    bitmaps(cardValue()),
    cardValue(),
    fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 3 }), bitmaps(cardValue())).map(joined),
  );
  const line = fc.tuple(fc.constantFrom(0x00, 0x40, 0x81), cardValue());
  return fc.oneof(
    fc.tuple(controls, data).map(([control, body]) => apdu(control, body)),
    line.map(([attribute, words]) => apdu(0x06d1, Uint8Array.of(attribute, ...words))),
  );
}

const cards: Target = {
  name: 'zvt-card-data',
  promise: 'no card number and no track comes out of decoding, a transcript, a report or a receipt',
  inputs: cardBearing(),
  check: (bytes) => {
    const verdict = verdictOf(() => decode(bytes, 'apdu', undefined), bytes.length, REFUSALS);
    const data = bytes.subarray(bytes[2] === 0xff ? 5 : 3);
    const report = readReport(data, 'sale', 'cp437');
    const spool = new PrintSpool('cp437', 24);
    spool.take('06D1', data);
    spool.take('06D3', data);
    mustHideCards('a report', report);
    mustHideCards('a receipt', spool.receipts());
    mustHideCards('a receipt', spool.shopReceipts());
    if (verdict.kind === 'refused') return;
    mustHideCards('decoding', verdict.value);
    mustHideCards('a transcript', transcriptLine(verdict.value.name, verdict.value.fields));
  },
};

/** The card on its own: as digits, in groups of four, and either as hex of its text. Digits right beside it make another number. */
const SHOWN = [PLANTED_CARD, PLANTED_CARD.replace(/(\d{4})(?=\d)/g, '$1 ')].flatMap((words) => [
  new RegExp(`(?<!\\d)${words}(?!\\d)`),
  new RegExp(`(?<!3\\d)${Buffer.from(words).toString('hex')}(?!3\\d)`, 'i'),
]);

function mustHideCards(where: string, output: unknown): void {
  const text = JSON.stringify(output) ?? '';
  for (const shape of SHOWN) must(!shape.test(text), `${where} shows the card: ${text.slice(0, 300)}`);
}

const transcript: Target = {
  name: 'zvt-transcript',
  promise: 'a line of a transcript never is longer than it may be, and holds no password',
  inputs: hostile(apdus()),
  check: (bytes) => {
    const verdict = verdictOf(() => decode(bytes, 'apdu', undefined), bytes.length, REFUSALS);
    if (verdict.kind === 'refused') return;
    const line = transcriptLine(verdict.value.name, verdict.value.fields);
    must(line.length <= MAX_TRANSCRIPT_LINE, 'the line is too long');
    must(!/"password":"\d/.test(line), 'the line holds a password');
  },
};

const ASKED = ['sale', 'refund', 'void', 'last'] as const;

const report: Target = {
  name: 'zvt-report',
  promise: 'every result is read: a verdict, amounts that are whole numbers, a masked card, bounded texts',
  inputs: hostile(fc.oneof(messageData(), bitmaps())),
  check: (bytes) => {
    for (const asked of ASKED) {
      const verdict = verdictOf(() => readReport(bytes, asked, 'cp437'), bytes.length);
      must(verdict.kind === 'value', 'a result is never refused');
      const { amountMinor, tipMinor, cashbackMinor, text, maskedPan } = verdict.value;
      for (const minor of [amountMinor, tipMinor, cashbackMinor])
        must(
          minor === undefined || (Number.isSafeInteger(minor) && minor >= 0),
          'an amount is no whole number',
        );
      must((text?.length ?? 0) <= 1000, 'the text is too long');
      must(!/\d{11}/.test(String(maskedPan ?? '')), 'the card is not masked');
      mustBeBounded(verdict.value, bytes.length, 8, 1000);
    }
  },
};

const totals: Target = {
  name: 'zvt-totals',
  promise: 'totals are whole numbers or nothing, whatever a device fills them with',
  inputs: hostile(fc.oneof(messageData(), totalsBlock())),
  check: (bytes) => {
    const verdict = verdictOf(() => readTotals(bytes), bytes.length);
    must(verdict.kind === 'value', 'totals are never refused');
    verdictOf(() => resultCodeOf(bytes), bytes.length);
    verdictOf(() => isOfOnePayment(bytes), bytes.length);
    const sums = [verdict.value?.amountMinor, verdict.value?.count];
    for (const line of verdict.value?.byScheme ?? []) sums.push(line.amountMinor, line.count);
    for (const sum of sums) must(sum === undefined || Number.isSafeInteger(sum), 'a sum is no whole number');
  },
};

/** Bitmap 60 with its 53 bytes, some of them no digits. */
function totalsBlock(): fc.Arbitrary<Uint8Array> {
  const byte = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(0x00, 0x01, 0x12, 0x99) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) },
  );
  return fc
    .array(byte, { minLength: 53, maxLength: 53 })
    .map((block) => Uint8Array.from([0x27, 0x00, 0x60, 0xf0, 0xf5, 0xf3, ...block]));
}

const printing: Target = {
  name: 'zvt-printing',
  promise: 'receipts stay within their size, however much a terminal prints and whatever it appends',
  inputs: hostile(fc.oneof(messageData(), fc.tuple(fc.uint8Array({ maxLength: 30 }), bitmaps()).map(joined))),
  check: (bytes) => {
    const spool = new PrintSpool('cp437', 24);
    const half = Math.floor(bytes.length / 2);
    verdictOf(() => {
      for (const data of [bytes, bytes.subarray(half), bytes.subarray(0, half)]) {
        spool.take('06D1', data);
        spool.take('06D3', data);
      }
    }, bytes.length);
    mustBeBounded(spool.shopReceipts(), bytes.length, 30, 5000);
  },
};

const charsets: Target = {
  name: 'zvt-charset',
  promise: 'every byte is a character or a replacement in every charset, and never more than one of each',
  inputs: fc.uint8Array({ maxLength: 300 }),
  check: (bytes) => {
    for (const charset of CHARSETS) {
      const text = textOf(bytes, charset);
      must(text.length <= bytes.length, `${charset}: more characters than bytes`);
      if (charset !== 'utf-8') must(text.length === bytes.length, `${charset}: a byte is missing`);
    }
  },
};

export const zvtMeaning: readonly Target[] = [
  decoding,
  cards,
  transcript,
  report,
  totals,
  printing,
  charsets,
];
