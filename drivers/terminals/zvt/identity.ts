import { type TerminalIdentity, toHex } from '../../../src/driver-kit/terminal.ts';
import { tlvOf } from './bitmaps.ts';
import { textOf } from './charset.ts';
import type { StatusCompletion } from './completion.ts';

/**
 * A terminal's identity, from the end of its Status-Enquiry: serial number (1F42, its bytes as hex digits, because it is not a number),
 * terminal id (1F44, else the one of its registration), model (1F40) and firmware (1F41, else the SW version).
 */
export function identityOf(completion: StatusCompletion, registeredId: string | undefined): TerminalIdentity {
  const { fields, swVersion } = completion;
  const serial = filled(toHex(tlvOf(fields, '1F42')?.value ?? new Uint8Array()));
  const terminalId =
    filled(toHex(tlvOf(fields, '1F44')?.value ?? new Uint8Array())) ?? filled(registeredId ?? '');
  const model = words(tlvOf(fields, '1F40')?.value);
  const firmware = words(tlvOf(fields, '1F41')?.value) ?? swVersion;
  return {
    grade: serial === undefined ? (terminalId === undefined ? 'port' : 'tid') : 'serial',
    ...(serial === undefined ? {} : { serial }),
    ...(terminalId === undefined ? {} : { terminalId }),
    ...(model === undefined ? {} : { model }),
    ...(firmware === undefined ? {} : { firmware }),
  };
}

/** A value of only zeros or Fs identifies no terminal. */
function filled(digits: string): string | undefined {
  return /^(?:0*|F*)$/.test(digits) ? undefined : digits;
}

function words(bytes: Uint8Array | undefined): string | undefined {
  const text = textOf(bytes ?? new Uint8Array(), 'iso-8859-1')
    .replace(/[^\x20-\x7e\xa0-\xff]/g, '')
    .trim()
    .slice(0, 80);
  return text === '' ? undefined : text;
}
