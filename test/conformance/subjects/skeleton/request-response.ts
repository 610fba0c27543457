import { sample } from '../../../../drivers/skeleton/request-response/manifest.ts';
import { sampleDialect } from '../../../../drivers/skeleton/request-response/virtual.ts';
import type { Subject } from '../../subject.ts';
import { sampleTerminalReader, sampleTillReader } from './request-response-words.ts';

const HAS_NO = 'the protocol has no message for it (README)';
const text = (bytes: string) => new TextEncoder().encode(bytes);

const sampleOverTcp: Subject = {
  id: 'sample over tcp',
  manifest: sample,
  capabilities: sample.capabilities,
  wire: 'tcp',
  options: {},
  currency: 'EUR',
  amounts: { usual: 1234, least: 1 },
  dialect: () => sampleDialect(),
  withoutHabit: {
    voidsLastOnly: HAS_NO,
    reportsNothing: 'the terminal keeps every sale and reports it when it is asked (README)',
    looksIdleMs: 'a terminal whose customer still pays says so (README)',
    cardStaysMs: HAS_NO,
    bootMs: 'while it starts it accepts no connection (README)',
    storesDeclined: 'it always keeps them, under their reference (README)',
    numbersRestart: HAS_NO,
    forgetsAtClose: HAS_NO,
  },
  times: { bearableMs: 1000, acknowledgeMs: 3000, longestMs: 180_000 },
  line: {
    acknowledges: false,
    checks: false,
    skipsNoise: false,
    because: 'HTTP has neither ACK nor checksum: TCP, and TLS above it, carry it whole (RFC 9112)',
  },
  noise: [Uint8Array.of(0xa5, 0x5a, 0x00, 0xff, 0x33, 0x7f), Uint8Array.of(0x41)],
  overlong: text(`HTTP/1.1 200 OK\r\n${'X-Long: 0123456789\r\n'.repeat(1000)}`),
  foreign: [
    {
      name: 'a terminal set to ECR17',
      answers: Uint8Array.of(0x15, 0x03, 0x69),
      code: 'TERMINAL_WRONG_PROTOCOL',
    },
    {
      name: 'a web server',
      answers: text('HTTP/1.1 404 Not Found\r\nContent-Length: 8\r\n\r\nnot here'),
      code: 'TERMINAL_WRONG_PROTOCOL',
    },
  ],
  tillReader: sampleTillReader,
  terminalReader: sampleTerminalReader,
  exemptions: {},
};

export const subjects: readonly Subject[] = [sampleOverTcp];
