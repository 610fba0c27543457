import fc from 'fast-check';
import { encodeApdu, parseApdu, parseReceived } from '../../../drivers/terminals/zvt/apdu.ts';
import { encodeBitmap, readBitmaps, scanBitmaps } from '../../../drivers/terminals/zvt/bitmaps.ts';
import { guessCompletion, readStatusCompletion } from '../../../drivers/terminals/zvt/completion.ts';
import { readIntermediateStatus } from '../../../drivers/terminals/zvt/intermediate-status.ts';
import { encodeTlv, parseTlv, type TlvNode } from '../../../drivers/terminals/zvt/tlv.ts';
import { concatBytes } from '../../../src/driver-kit/hex.ts';
import { hostile } from '../mutations.ts';
import { must, mustBeBounded, mustEqual, verdictOf } from '../oracles.ts';
import type { Target } from '../target.ts';
import { apdus, bitmaps, messageData, tlvElements } from '../zvt-messages.ts';

const apdu: Target = {
  name: 'zvt-apdu',
  promise: 'an APDU is read whole or refused, and is the same when it is written and read again',
  inputs: hostile(apdus()),
  check: (bytes) => {
    verdictOf(() => parseReceived(bytes), bytes.length);
    const verdict = verdictOf(() => parseApdu(bytes), bytes.length);
    if (verdict.kind === 'refused') return;
    const { control, data } = verdict.value;
    const again = parseApdu(encodeApdu(control, data));
    mustEqual([again.control, Buffer.from(again.data)], [control, Buffer.from(data)], 'written and read');
  },
};

const bitmap: Target = {
  name: 'zvt-bitmaps',
  promise:
    'bitmaps are read or refused, the readable beginning of refused ones is kept, each is the same when written again',
  inputs: hostile(fc.oneof(bitmaps(), messageData())),
  check: (bytes) => {
    const scan = scanBitmaps(bytes);
    const verdict = verdictOf(() => readBitmaps(bytes), bytes.length);
    must((verdict.kind === 'refused') === (scan.error !== undefined), 'scan and read disagree');
    if (verdict.kind === 'value') mustEqual(scan.fields, verdict.value, 'scan and read');
    const readBytes = scan.fields.reduce((sum, { value }) => sum + value.length, 0);
    must(readBytes <= bytes.length, 'more came out than went in');
    for (const { bmp, value, tlv } of scan.fields) {
      if (tlv) continue;
      const [again] = readBitmaps(encodeBitmap(bmp, value));
      mustEqual([again?.bmp, Buffer.from(again?.value ?? [])], [bmp, Buffer.from(value)], 'written and read');
    }
  },
};

const tlv: Target = {
  name: 'zvt-tlv',
  promise:
    'TLV elements are read within their depth and number or refused, and are the same when written again',
  inputs: hostile(tlvElements()),
  check: (bytes) => {
    const verdict = verdictOf(() => parseTlv(bytes), bytes.length);
    if (verdict.kind === 'refused') return;
    mustBeBounded(verdict.value.map(shape), bytes.length, 12, 100);
    const again = parseTlv(concatBytes(...verdict.value.map(written)));
    mustEqual(again.map(shape), verdict.value.map(shape), 'written and read');
  },
};

const status: Target = {
  name: 'zvt-status',
  promise: 'progress and completions are read or refused, whatever the terminal puts into them',
  inputs: hostile(messageData()),
  check: (bytes) => {
    const progress = verdictOf(() => readIntermediateStatus(bytes), bytes.length);
    must(progress.kind === 'value', 'progress is never refused');
    verdictOf(() => readStatusCompletion(bytes), bytes.length);
    verdictOf(() => guessCompletion(bytes), bytes.length);
  },
};

/** Tags and texts without the bytes of containers, which their children hold. */
function shape({ tag, value, children }: TlvNode): unknown {
  return children ? [tag, children.map(shape)] : [tag, Buffer.from(value).toString('hex')];
}

function written({ tag, value, children }: TlvNode): Uint8Array {
  return children ? encodeTlv(tag, ...children.map(written)) : encodeTlv(tag, value);
}

export const zvtMessages: readonly Target[] = [apdu, bitmap, tlv, status];
