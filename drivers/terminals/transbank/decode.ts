import {
  type DecodedPart,
  type Decoder,
  decodeStx,
  malformed,
  maskCardNumbers,
} from '../../../src/driver-kit/terminal.ts';
import { FRAMING } from './framing.ts';
import { ANSWERS, type MessageShape, REQUESTS } from './message-fields.ts';

/** More fields than any message has. */
const MAX_FIELDS = 64;
/** The maker's libraries read the totals as text and all other answers as numbers. */
const TOTALS = '0710';

/** `frame`: one framed message; `message`: its text, or a lone 06 or 15; `stream`: any sequence of frames, 06 and 15. */
export const decode: Decoder = (bytes, layer) => decodeStx(bytes, layer, { framing: FRAMING, message });

function message(data: Uint8Array, base: number): DecodedPart {
  const strange = data.findIndex((byte) => byte < 0x20 || byte > 0x7e);
  if (strange !== -1) throw malformed(base + strange, 'a message is printable ASCII');
  const values = new TextDecoder().decode(data).split('|');
  const [functionCode = ''] = values;
  if (!/^\d{4}$/.test(functionCode)) throw malformed(base, 'a message begins with four digits');
  if (values.length > MAX_FIELDS) throw malformed(base + data.length, `more than ${MAX_FIELDS} fields`);
  const shape = shapeOf(functionCode, values);
  check(shape, values, base);
  const fields = {
    ...namedFields(shape, values),
    function_code: functionCode === TOTALS ? functionCode : Number(functionCode),
    ...successOf(functionCode, shape, values),
    fields: values.map(maskCardNumbers),
  };
  return { layer: 'message', kind: shape.kind, name: shape.name, fields, checksum: null, parts: [] };
}

/** The request of the list has the function code of the last sale: `0260|1|`. */
function shapeOf(functionCode: string, values: readonly string[]): MessageShape {
  const request = REQUESTS[functionCode];
  const answer = ANSWERS[functionCode];
  if (request && answer) return /^\d{2}$/.test(values[1] ?? '') ? answer : request;
  return (
    request ??
    answer ?? {
      kind: 'unknown',
      name: `Unknown function ${functionCode}`,
      fields: ['function_code'],
      least: 1,
    }
  );
}

/** @throws DECODE_MALFORMED */
function check({ fields, least, kind }: MessageShape, values: readonly string[], base: number): void {
  if (values.length < least) throw malformed(base + lengthOf(values), 'the message has too few fields');
  const isRequest = kind === 'command' || kind === 'question';
  fields.forEach((name, index) => {
    const value = values[index];
    const pattern = name === 'response_code' ? /^\d{2}$/ : name === 'amount' ? amountShape(isRequest) : null;
    if (value === undefined || pattern === null || pattern.test(value)) return;
    throw malformed(base + lengthOf(values.slice(0, index)) + 1, `${name} is not as it should be`);
  });
}

/** A request has an amount; a terminal may report none, and a negative one for a voided sale. */
function amountShape(isRequest: boolean): RegExp {
  return isRequest ? /^\d{1,9}$/ : /^ *(-?\d{1,12})? *$/;
}

function lengthOf(values: readonly string[]): number {
  return Math.max(0, values.join('|').length);
}

function namedFields({ fields }: MessageShape, values: readonly string[]): Readonly<Record<string, string>> {
  const named = fields.flatMap((name, index): [string, string][] => {
    const value = values[index];
    const isEmptyVoucher = name === 'voucher' && (value ?? '') === '';
    return value === undefined || name === '' || isEmptyVoucher ? [] : [[name, maskCardNumbers(value)]];
  });
  return Object.fromEntries(named);
}

function successOf(functionCode: string, { kind }: MessageShape, values: readonly string[]) {
  return kind === 'answer' && functionCode !== TOTALS ? { success: values[1] === '00' } : {};
}
