import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { zvtDialect } from '../../../drivers/terminals/zvt/virtual.ts';
import type { ZvtVirtualOptions } from '../../../drivers/terminals/zvt/virtual-options.ts';
import type { Habits, Subject } from '../subject.ts';
import { zvtTerminalReader, zvtTillReader } from './zvt-words.ts';

/** The longest APDU: header 2, length FF lo hi, data 65535. */
const LONGEST_APDU = 5 + 0xffff;

/** ZVT over TCP: bare APDUs, whose length field tells the end. */
export const zvtOverTcp: Subject = {
  ...common('tcp'),
  line: {
    acknowledges: false,
    checks: false,
    skipsNoise: false,
    because:
      'over TCP an APDU goes bare, with neither ACK nor checksum nor start mark: the transport guarantees its bytes (PA00P016 4)',
  },
  noise: [Uint8Array.of(0xa5, 0x5a, 0x00, 0xff, 0x33, 0x7f), Uint8Array.of(0x00, 0x00, 0x00)],
  // The longest packet there can be, begun and never ended: a result that never comes.
  overlong: Uint8Array.of(0x04, 0x0f, 0xff, 0xff, 0xff, ...new Uint8Array(4000)),
};

/** ZVT over a serial line: framed, acknowledged, repeated. */
export const zvtOverSerial: Subject = {
  ...common('serial'),
  line: { acknowledges: true, checks: true, skipsNoise: true, because: '' },
  noise: [Uint8Array.of(0xa5, 0x5a, 0x00, 0xff, 0x33, 0x7f), Uint8Array.of(0x02), Uint8Array.of(0x03, 0x41)],
  overlong: Uint8Array.of(0x10, 0x02, ...new Uint8Array(LONGEST_APDU + 200).fill(0x41)),
};

function common(wire: 'serial' | 'tcp'): Omit<Subject, 'line' | 'noise' | 'overlong'> {
  return {
    id: `zvt over ${wire}`,
    manifest: zvt,
    capabilities: zvt.capabilities,
    wire,
    options: { password: '123456' },
    currency: 'EUR',
    amounts: { usual: 1234, least: 1 },
    dialect: (habits) => zvtDialect(optionsOf(habits)),
    withoutHabit: {},
    times: { bearableMs: 2000, acknowledgeMs: 5000, longestMs: 180_000 },
    foreign: [
      {
        name: 'an Ingenico terminal set to ECR17',
        answers: Uint8Array.of(0x15, 0x03, 0x69),
        code: 'TERMINAL_WRONG_PROTOCOL',
      },
      {
        name: 'a Yomani that is not in ZVT mode',
        greets: Uint8Array.of(0, 0, 0, 0x3e, ...new TextEncoder().encode('VER|APP 1.0|SERIAL 12345')),
        code: 'TERMINAL_WRONG_PROTOCOL',
      },
    ],
    tillReader: () => zvtTillReader(wire),
    terminalReader: () => zvtTerminalReader(wire),
    exemptions: {},
  };
}

function optionsOf(habits: Habits): Partial<ZvtVirtualOptions> {
  return {
    ...(habits.voidsLastOnly ? { voids: 'last' as const } : {}),
    ...(habits.reportsNothing ? { repeatReceipt: 'empty' as const } : {}),
    ...(habits.looksIdleMs === undefined ? {} : { looksIdleMs: habits.looksIdleMs }),
    ...(habits.cardStaysMs === undefined ? {} : { cardRemovalMs: habits.cardStaysMs }),
    ...(habits.bootMs === undefined ? {} : { bootMs: habits.bootMs }),
    ...(habits.storesDeclined ? { storesDeclined: true } : {}),
    ...(habits.numbersRestart ? { numbersRestart: true } : {}),
    ...(habits.forgetsAtClose ? { forgetsAtClose: true } : {}),
  };
}
