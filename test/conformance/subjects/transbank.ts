import { transbank } from '../../../drivers/terminals/transbank/manifest.ts';
import { transbankDialect } from '../../../drivers/terminals/transbank/virtual.ts';
import type { TransbankVirtualOptions } from '../../../drivers/terminals/transbank/virtual-options.ts';
import type { Habits, Subject } from '../subject.ts';
import { transbankTerminalReader, transbankTillReader } from './transbank-words.ts';

/** POS Integrado over a serial line, in Chilean pesos. */
export const transbankOverSerial: Subject = {
  id: 'transbank over serial',
  manifest: transbank,
  capabilities: transbank.capabilities,
  wire: 'serial',
  options: {},
  currency: 'CLP',
  amounts: { usual: 13_990, least: 50 },
  dialect: (habits) => transbankDialect(optionsOf(habits)),
  withoutHabit: {
    voidsLastOnly: 'a void (1200) names any sale since the last end of day by its operation number',
    cardStaysMs: 'no message tells of a card that was left in the terminal',
    bootMs:
      'no message tells that the terminal starts: it does not answer then, which is the core’s to wait for',
    storesDeclined: 'only approved sales are stored: the list (0260) has an authorisation code in every line',
  },
  times: { bearableMs: 1000, acknowledgeMs: 10_000, longestMs: 180_000 },
  line: { acknowledges: true, checks: true, skipsNoise: true, because: '' },
  noise: [Uint8Array.of(0xa5, 0x5a, 0x00, 0xff, 0x33, 0x7f), Uint8Array.of(0x03, 0x41)],
  overlong: Uint8Array.of(0x02, ...new Uint8Array(5000).fill(0x41)),
  foreign: [
    {
      name: 'a terminal that is not in integrated mode',
      answers: Uint8Array.of(0x15),
      code: 'TERMINAL_WRONG_PROTOCOL',
    },
    {
      name: 'a terminal set to ECR17',
      answers: Uint8Array.of(0x15, 0x03, 0x69),
      code: 'TERMINAL_WRONG_PROTOCOL',
    },
  ],
  tillReader: transbankTillReader,
  terminalReader: transbankTerminalReader,
  exemptions: {
    'money/less':
      'the protocol knows no partial approval: 00 with less than was asked for contradicts itself and stays unknown',
  },
};

function optionsOf(habits: Habits): Partial<TransbankVirtualOptions> {
  return {
    ...(habits.reportsNothing ? { list: 'refused' as const } : {}),
    ...(habits.looksIdleMs === undefined ? {} : { looksIdleMs: habits.looksIdleMs, busy: 'nak' as const }),
    ...(habits.numbersRestart ? { numbersRestart: true } : {}),
    ...(habits.forgetsAtClose === undefined ? {} : { forgetsAtClose: habits.forgetsAtClose }),
  };
}
