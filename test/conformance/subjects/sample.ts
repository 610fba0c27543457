import { sample } from '../../../drivers/skeleton/sample/manifest.ts';
import { sampleDialect } from '../../../drivers/skeleton/sample/virtual.ts';
import type { Subject } from '../subject.ts';
import { sampleTerminalReader, sampleTillReader } from './sample-words.ts';

const HAS_NO = 'the protocol has no message for it (README)';

export const sampleOverTcp: Subject = common('tcp');
export const sampleOverSerial: Subject = common('serial');
export const subjects: readonly Subject[] = [sampleOverTcp, sampleOverSerial];

function common(wire: 'serial' | 'tcp'): Subject {
  return {
    id: `sample over ${wire}`,
    manifest: sample,
    capabilities: sample.capabilities,
    wire,
    options: {},
    currency: 'EUR',
    amounts: { usual: 1234, least: 1 },
    dialect: () => sampleDialect(),
    withoutHabit: {
      voidsLastOnly: HAS_NO,
      reportsNothing: HAS_NO,
      looksIdleMs: HAS_NO,
      cardStaysMs: HAS_NO,
      bootMs: HAS_NO,
      storesDeclined: HAS_NO,
      numbersRestart: HAS_NO,
      forgetsAtClose: HAS_NO,
    },
    times: { bearableMs: 1000, acknowledgeMs: 6000, longestMs: 180_000 },
    line: { acknowledges: true, checks: true, skipsNoise: true, because: '' },
    noise: [Uint8Array.of(0xa5, 0x5a, 0xff, 0x33, 0x7f), Uint8Array.of(0x03, 0x41)],
    overlong: Uint8Array.of(0x02, ...new Uint8Array(400).fill(0x41)),
    foreign: [
      {
        name: 'a terminal set to ECR17',
        answers: Uint8Array.of(0x15, 0x03, 0x69),
        code: 'TERMINAL_WRONG_PROTOCOL',
      },
    ],
    tillReader: sampleTillReader,
    terminalReader: sampleTerminalReader,
    exemptions: {},
  };
}
