/**
 * The fields of each message: name, first position (counted from 1, as in the published tables), length.
 * A field after the end of a message is absent: devices omit fields that an older edition did not have.
 */
export type Layout = readonly (readonly [name: string, at: number, length: number])[];

/** Terminal id (8 digits), `0`, message code. */
export const HEADER_LENGTH = 10;

const CARD: Layout = [
  ['pan', 13, 19],
  ['entry', 32, 3],
];
const TEXT: Layout = [['text', 13, 24]];
/** The last fields of `E`, `V`, `c` and `v`. */
const BOOKED: Layout = [
  ['card_type', 48, 1],
  ['acquirer', 49, 11],
  ['stan', 60, 6],
  ['online_id', 66, 6],
  ['action', 72, 3],
];
const CARD_AND_TIME: Layout = [...CARD, ['auth', 35, 6], ['host_time', 41, 7]];
const RESERVED: Layout = [
  ['acquirer', 72, 11],
  ['stan', 83, 6],
  ['online_id', 89, 6],
];
const RESULT: Layout = [['result', 11, 2]];

/** The fields of a result: by its code, for result 00 and for any other. */
export const RESULT_LAYOUTS: Readonly<Record<string, { readonly ok: Layout; readonly ko: Layout }>> = {
  E: {
    ok: [...RESULT, ...CARD_AND_TIME, ...BOOKED, ['amount', 75, 8]],
    ko: [...RESULT, ...TEXT, ...BOOKED],
  },
  V: {
    ok: [
      ...RESULT,
      ...CARD_AND_TIME,
      ...BOOKED,
      ['amount', 75, 8],
      ['dcc', 83, 1],
      ['dcc_rate', 84, 8],
      ['dcc_currency', 92, 3],
      ['dcc_amount', 95, 12],
      ['dcc_precision', 107, 1],
    ],
    ko: [...RESULT, ...TEXT, ...BOOKED],
  },
  e: {
    ok: [
      ...RESULT,
      ...CARD,
      ['auth', 35, 6],
      ['amount', 41, 8],
      ['preauth_code', 49, 9],
      ['action', 58, 3],
      ['host_time', 61, 7],
      ...RESERVED,
    ],
    ko: [...RESULT, ...TEXT, ['action', 37, 3], ...RESERVED],
  },
  i: {
    ok: [
      ...RESULT,
      ...CARD,
      ['acquirer', 35, 11],
      ['auth', 46, 6],
      ['stan', 52, 6],
      ['online_id', 58, 6],
      ['host_time', 64, 7],
      ['action', 71, 3],
    ],
    ko: [...RESULT, ...TEXT],
  },
  c: { ok: [...RESULT, ...CARD_AND_TIME, ...BOOKED], ko: [...RESULT, ...TEXT, ...BOOKED] },
  v: {
    ok: [
      ...RESULT,
      ...CARD_AND_TIME,
      ...BOOKED,
      ['dcc', 75, 1],
      ['dcc_rate', 76, 8],
      ['dcc_currency', 84, 3],
      ['dcc_amount', 87, 12],
      ['dcc_precision', 99, 1],
    ],
    ko: [...RESULT, ...TEXT, ...BOOKED],
  },
  C: {
    ok: [...RESULT, ['pos_total', 13, 16], ['host_total', 29, 16]],
    ko: [...RESULT, ['text', 13, 19], ['action', 32, 3]],
  },
  T: { ok: [...RESULT, ['pos_total', 13, 16]], ko: [...RESULT, ...TEXT] },
};

/** The fields of answers without a result. */
export const ANSWER_LAYOUTS: Readonly<Record<string, Layout>> = {
  s: [
    ['clock', 21, 10],
    ['status', 31, 1],
    ['sw', 32, Number.POSITIVE_INFINITY],
  ],
  S: [['receipt', 11, Number.POSITIVE_INFINITY]],
  U: [
    ['length', 17, 3],
    ['data', 20, Number.POSITIVE_INFINITY],
  ],
  K: [
    ['more', 15, 1],
    ['part', 16, 3],
    ['length', 23, 4],
    ['xml', 27, Number.POSITIVE_INFINITY],
  ],
};

const REGISTER: Layout = [['cash_register_id', 11, 8]];
const FLAG: Layout = [['additional_data', 19, 1]];
const PAYMENT: Layout = [
  ...REGISTER,
  ...FLAG,
  ['card_present', 22, 1],
  ['payment_type', 23, 1],
  ['amount', 24, 8],
  ['text', 32, 128],
];
const FOLLOWING: Layout = [
  ...REGISTER,
  ...FLAG,
  ['amount', 24, 8],
  ['text', 32, 128],
  ['preauth_code', 160, 9],
];

/** The till's messages: length (null: it varies) and fields. */
export const REQUEST_LAYOUTS: Readonly<
  Record<string, { readonly length: number | null; readonly fields: Layout }>
> = {
  s: { length: 10, fields: [] },
  P: { length: 167, fields: PAYMENT },
  X: { length: 167, fields: PAYMENT },
  p: { length: 167, fields: PAYMENT },
  i: { length: 176, fields: FOLLOWING },
  c: { length: 176, fields: FOLLOWING },
  H: { length: 39, fields: [...REGISTER, ...FLAG, ['payment_type', 23, 1]] },
  S: { length: 26, fields: [...REGISTER, ['stan', 19, 6], ['additional_data', 25, 1]] },
  C: { length: 26, fields: [...REGISTER, ...FLAG] },
  T: { length: 26, fields: [...REGISTER, ...FLAG] },
  G: { length: 22, fields: [...REGISTER, ...FLAG] },
  E: { length: 11, fields: [['print_on_ecr', 11, 1]] },
  R: {
    length: 22,
    fields: [
      ['to_ecr', 11, 1],
      ['ticket_type', 12, 1],
    ],
  },
  U: {
    length: null,
    fields: [
      ['iso_field', 17, 2],
      ['tag', 19, 8],
      ['data', 37, Number.POSITIVE_INFINITY],
    ],
  },
  K: {
    length: null,
    fields: [
      ['cash_register_id', 11, 8],
      ['length', 23, 4],
      ['xml', 27, Number.POSITIVE_INFINITY],
    ],
  },
};

/** What no field covers: position (counted from 1) → characters. Zeros and blanks fill the places that a message does not use. */
export function uncovered(text: string, layout: Layout): Readonly<Record<number, string>> {
  const isKnown = [...text].map((_, index) => index < HEADER_LENGTH);
  for (const [, at, length] of layout) {
    const end = at - 1 + Math.min(length, text.length);
    if (end <= text.length || length === Number.POSITIVE_INFINITY) isKnown.fill(true, at - 1, end);
  }
  const found: Record<number, string> = {};
  for (let from = 0; from < text.length; ) {
    const next = isKnown.findIndex((known, index) => index > from && known !== isKnown[from]);
    const end = next === -1 ? text.length : next;
    const run = text.slice(from, end);
    if (!isKnown[from] && /[^0 ]/.test(run)) found[from + 1] = run;
    from = end;
  }
  return found;
}

/** Cuts the fields out of a text; fields that are wholly or partly after its end are absent. */
export function cut(text: string, layout: Layout): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const [name, at, length] of layout) {
    const end = length === Number.POSITIVE_INFINITY ? text.length : at - 1 + length;
    if (at - 1 < text.length && end <= text.length) fields[name] = text.slice(at - 1, end);
  }
  return fields;
}
