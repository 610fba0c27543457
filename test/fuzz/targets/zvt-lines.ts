import fc from 'fast-check';
import { encodeFrame, readFrame, SerialReader } from '../../../drivers/terminals/zvt/serial-framing.ts';
import { TcpReader } from '../../../drivers/terminals/zvt/tcp-framing.ts';
import { concatBytes } from '../../../src/driver-kit/hex.ts';
import { hostile, oneOf } from '../mutations.ts';
import { must, mustEqual, mustNotMindSegmentation, verdictOf } from '../oracles.ts';
import type { Target } from '../target.ts';
import { apdus, joined, serialFrame, zvtCorpus } from '../zvt-messages.ts';

function serialLines(): fc.Arbitrary<Uint8Array> {
  const piece = fc.oneof(
    { weight: 4, arbitrary: apdus().map(serialFrame) },
    { weight: 1, arbitrary: fc.constantFrom(0x06, 0x15, 0x10, 0x02).map((byte) => Uint8Array.of(byte)) },
  );
  return fc.oneof(oneOf(zvtCorpus()), fc.array(piece, { maxLength: 4 }).map(joined));
}

const serial: Target = {
  name: 'zvt-serial-framing',
  promise:
    'the same packets in any segmentation, none larger than what came, every frame framed again as it was',
  inputs: hostile(serialLines()),
  check: (bytes) => {
    const packets = mustNotMindSegmentation(bytes, () => new SerialReader());
    let readBytes = 0;
    for (const packet of packets) {
      if (packet.kind !== 'frame' && packet.kind !== 'damaged') continue;
      readBytes += packet.apdu.length;
      if (packet.kind !== 'frame') continue;
      const again = new SerialReader().push(encodeFrame(packet.apdu));
      mustEqual(again, [packet], 'framed again');
    }
    must(readBytes <= bytes.length, 'more came out than went in');
    verdictOf(() => readFrame(bytes, 0), bytes.length);
  },
};

const tcp: Target = {
  name: 'zvt-tcp-framing',
  promise:
    'the same packets and the same refusal in any segmentation, and the packets are the bytes that came',
  inputs: hostile(fc.array(apdus(), { maxLength: 5 }).map(joined)),
  check: (bytes) => {
    const packets = mustNotMindSegmentation(bytes, () => new TcpReader());
    const whole = concatBytes(...packets);
    mustEqual(Buffer.from(whole), Buffer.from(bytes.subarray(0, whole.length)), 'the packets');
  },
};

export const zvtLines: readonly Target[] = [serial, tcp];
