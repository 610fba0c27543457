import { type DecodedPart, malformed, maskCardNumbers } from '../../../src/driver-kit/terminal.ts';

/** Letter → its sender and its meaning. */
const NAMES: Readonly<Record<string, readonly [kind: string, name: string, fields: readonly string[]]>> = {
  Q: ['question', 'Who', ['serial', 'terminal_id', 'state']],
  S: ['command', 'Sale', ['amount_minor', 'currency']],
  L: ['question', 'Last transaction', []],
  B: ['answer', 'Busy', []],
  R: ['message', 'Result', ['code', 'number', 'amount_minor', 'auth_code', 'card', 'back']],
  E: ['message', 'End', ['code']],
  T: ['answer', 'Last transaction', ['code', 'number', 'amount_minor', 'auth_code', 'card', 'back']],
  N: ['answer', 'Nothing kept', []],
};

/** The readable form of one message that begins at the offset `base`. @throws DECODE_MALFORMED */
export function meaningOf(data: Uint8Array, base: number): DecodedPart {
  const strange = data.findIndex((byte) => byte < 0x20 || byte > 0x7e);
  if (strange !== -1) throw malformed(base + strange, 'a message is printable ASCII');
  const [letter = '', ...values] = new TextDecoder().decode(data).split('|');
  const found = NAMES[letter];
  if (!found) throw malformed(base, 'no message begins so');
  const [kind, name, names] = found;
  if (values.length > names.length) throw malformed(base + data.length, 'more fields than there should be');
  const fields = Object.fromEntries(
    values.map((value, index) => [names[index] ?? '', maskCardNumbers(value)]),
  );
  return { layer: 'message', kind, name, fields, checksum: null, parts: [] };
}
