import type { LoggerOptions } from 'pino';
import { maskCardNumbers } from '../base/card-number.ts';
import { maskCredentials } from '../base/credential.ts';

/** What no line of the log shows: credentials by the name of their field and by their form, card numbers wherever they stand in the line. */
export const LOG_REDACTION = {
  redact: {
    paths: ['key', 'secret', 'authorization', '*.key', '*.secret', '*.authorization'],
    censor: '[cut]',
  },
  hooks: { streamWrite: (line) => maskCredentials(maskCardNumbers(line)) },
} as const satisfies LoggerOptions;
