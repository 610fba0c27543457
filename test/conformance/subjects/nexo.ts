import { nexo } from '../../../drivers/terminals/nexo/manifest.ts';
import { nexoDialect } from '../../../drivers/terminals/nexo/virtual.ts';
import type { Subject } from '../subject.ts';
import { nexoTerminalReader, nexoTillReader } from './nexo-words.ts';

const page = (status: string, body: string) =>
  new TextEncoder().encode(
    `HTTP/1.1 ${status}\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );

/** The Terminal API over TCP: a connection for each exchange. TLS is the link's, not the driver's. */
export const nexoOverTcp: Subject = {
  id: 'nexo over tcp',
  manifest: nexo,
  capabilities: nexo.capabilities,
  wire: 'tcp',
  options: { poi_id: '17FD1E3C' },
  currency: 'EUR',
  amounts: { usual: 1234, least: 1 },
  dialect: () => nexoDialect(),
  withoutHabit: {
    voidsLastOnly: 'a Reversal names any payment by the id that the terminal gave it (README)',
    reportsNothing: 'a terminal answers TransactionStatus: it is the recovery of the protocol (README)',
    looksIdleMs: 'while a customer pays a Diagnosis says Busy, and a TransactionStatus InProgress (README)',
    cardStaysMs: 'a payment ends with its response; no message speaks of a card that was left (README)',
    bootMs: 'while it starts it accepts no connection (README)',
    storesDeclined: 'it always keeps them: every request has a response that can be repeated (README)',
    numbersRestart: 'its ids are unique for ever (README)',
    forgetsAtClose: 'a status request is not bound to the open batch (README)',
  },
  times: { bearableMs: 1000, acknowledgeMs: 3000, longestMs: 180_000 },
  line: {
    acknowledges: false,
    checks: false,
    skipsNoise: false,
    because:
      'HTTP has neither ACK nor checksum nor a start mark behind noise: TCP, and TLS above it, carry it whole (RFC 9112)',
  },
  noise: [Uint8Array.of(0xa5, 0x5a, 0x00, 0xff, 0x33, 0x7f), Uint8Array.of(0x41)],
  overlong: new TextEncoder().encode(`HTTP/1.1 200 OK\r\n${'X-Long: 0123456789\r\n'.repeat(1000)}`),
  foreign: [
    {
      name: 'a terminal set to ECR17',
      answers: Uint8Array.of(0x15, 0x03, 0x69),
      code: 'TERMINAL_WRONG_PROTOCOL',
    },
    {
      name: 'a web server',
      answers: page('404 Not Found', '<html>not here</html>'),
      code: 'TERMINAL_WRONG_PROTOCOL',
    },
    { name: 'a proxy', answers: page('200 OK', '<html>sign in</html>'), code: 'TERMINAL_WRONG_PROTOCOL' },
  ],
  tillReader: nexoTillReader,
  terminalReader: nexoTerminalReader,
  exemptions: {
    'day/void-behind-it':
      'a Reversal names its payment by an id that is unique for ever: none of a new batch can be meant (README)',
    'recovery/own-voided':
      'TransactionStatus repeats the response to the payment as it was; the Reversal is found by its own pair (README)',
  },
};
