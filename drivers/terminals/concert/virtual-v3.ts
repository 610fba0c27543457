import type { VirtualCard } from '../../../src/sandbox/terminal/cards.ts';
import type { VirtualDevice } from '../../../src/sandbox/terminal/dialect.ts';
import type { ConcertVirtualOptions } from './virtual-options.ts';
import { CHEQUE_LINE, type Paid, type RequestedPayment } from './virtual-payment.ts';

/** The tags of a message, in their order. */
export type Tags = ReadonlyMap<string, string>;

const KINDS: Readonly<Record<string, RequestedPayment['kind']>> = { '0': 'sale', '1': 'refund' };
/** The reason in AF for an unpaid payment. */
const REASONS: Readonly<Record<Exclude<Paid['result'], 'approved'>, string>> = {
  declined: '04',
  stopped: '06',
  timeout: '08',
  currency: '13',
};
const SCHEMES = { girocard: '001', mastercard: '001', visa: '001' } as const satisfies Record<
  VirtualCard['scheme'],
  string
>;
/** The application of cheques, in tag CC of both messages. */
const CHEQUE = '00C';
const REFERENCE_LENGTH = 32;
const OWN_REFERENCE = '1010000000';
const OWN_IDENTIFIER = '330538600404';
const CONTRACT = '4242424';

/** Reads a request; `undefined`: not a message, `more`: incomplete. */
export function tagsIn(text: string): Tags | 'more' | undefined {
  const tags = new Map<string, string>();
  let rest = text.trimStart();
  while (rest !== '') {
    const tag = rest.slice(0, 2);
    const length = Number(rest.slice(2, 5));
    if (rest.length < 5) return 'more';
    if (!/^[A-Z]{2}\d{3}/.test(rest) || length === 0 || tags.has(tag)) return undefined;
    if (rest.length < 5 + length) return 'more';
    tags.set(tag, rest.slice(5, 5 + length));
    rest = rest.slice(5 + length).trimStart();
  }
  if (tags.size === 0) return 'more';
  return [...tags.keys()][0] === 'CZ' ? tags : undefined;
}

export function textOf(tags: readonly (readonly [string, string])[]): string {
  return tags.map(([tag, value]) => `${tag}${String(value.length).padStart(3, '0')}${value}`).join('');
}

/** A till's request; undefined when a field is missing, or BF is present, which newer terminals refuse. */
export function v3Request(tags: Tags): RequestedPayment | undefined {
  const kind = KINDS[tags.get('CD') ?? ''];
  const amount = /^\d{2,12}$/.exec(tags.get('CB') ?? '')?.[0];
  const currency = /^\d{3}$/.exec(tags.get('CE') ?? '')?.[0];
  if (!kind || !amount || !currency || tags.has('BF')) return undefined;
  return {
    kind,
    by: tags.get('CC') === CHEQUE ? 'cheque' : 'card',
    amountMinor: Number(amount),
    currencyCode: Number(currency),
    reference: tags.get('CF') ?? '',
  };
}

/** This terminal's answers. */
export class V3Answers {
  readonly #device: VirtualDevice;
  readonly #options: ConcertVirtualOptions;

  constructor(device: VirtualDevice, options: ConcertVirtualOptions) {
    this.#device = device;
    this.#options = options;
  }

  /** The result of a payment. */
  paid(request: Tags, paid: Paid): string {
    const { card, record } = paid;
    if (!record) return this.#notPaid(request, paid);
    return textOf([
      ...this.#head(),
      ...echoes(request, ['CA', 'CE', 'BA', 'CD']),
      ['CB', this.#amount(paid.amountMinor)],
      ['AE', '10'],
      ...(card ? aboutCard(card, record.authCode ?? '000000') : ABOUT_CHEQUE),
      ...this.#reference(request.get('CF')),
      ['CG', CONTRACT],
    ]);
  }

  /** Before a payment, where the till does not wait for its result (BA 1): taken into account. */
  accepted(request: Tags): string {
    return textOf([
      ...this.#head(),
      ...echoes(request, ['CA', 'CE', 'BA', 'CD', 'CB']),
      ['AE', '11'],
      ...this.#reference(request.get('CF')),
    ]);
  }

  /** The state of the last payment, requested by `action`; `isTakenBack`: it was reversed. */
  status(request: Tags, paid: Paid | undefined, isTakenBack: boolean): string {
    if (!paid) return this.refused(request, '00');
    const { request: payment } = paid;
    const isPaid = paid.result === 'approved' && !isTakenBack;
    return textOf([
      ...this.#head(),
      ...echoes(request, ['CA', 'CD']),
      ['CE', String(payment.currencyCode).padStart(3, '0')],
      ['CB', this.#amount(paid.amountMinor)],
      ['AE', isPaid ? '10' : '01'],
      ['AF', isPaid ? '01' : paid.result === 'approved' ? '06' : REASONS[paid.result]],
      ...(isPaid && paid.record?.authCode ? [['AC', paid.record.authCode] as const] : []),
      ...this.#reference(payment.reference),
    ]);
  }

  /** The terminal's identity. */
  identity(request: Tags): string {
    const { tellsSerial } = this.#options;
    return textOf([
      ...this.#head(),
      ...echoes(request, ['CA', 'CD']),
      ['AE', '10'],
      ...(tellsSerial ? [['AQ', this.#device.settings.serial] as const] : []),
    ]);
  }

  done(request: Tags): string {
    return textOf([...this.#head(), ...echoes(request, ['CA', 'CD']), ['AE', '10']]);
  }

  refused(request: Tags | undefined, reason: string): string {
    return textOf([
      ...this.#head(),
      ...(request ? echoes(request, ['CA', 'CD', 'CE', 'CB']) : []),
      ['AE', '01'],
      ['AF', reason],
    ]);
  }

  #notPaid(request: Tags, { result }: Paid): string {
    const reason = result === 'approved' ? '00' : REASONS[result];
    const isBare = this.#options.stopWithoutEchoes && (result === 'stopped' || result === 'timeout');
    if (isBare) return textOf([...this.#head(), ['AE', '01'], ['AF', reason]]);
    return this.refused(request, reason) + textOf(this.#reference(request.get('CF')));
  }

  #head(): readonly (readonly [string, string])[] {
    return [
      ['CZ', this.#options.version],
      ['CJ', OWN_IDENTIFIER],
    ];
  }

  #amount(minor: number): string {
    return String(minor).padStart(this.#options.paddedAmount ? 7 : 2, '0');
  }

  #reference(asked: string | undefined): readonly (readonly [string, string])[] {
    if (this.#options.reference === 'own') return [['CF', OWN_REFERENCE]];
    if (this.#options.reference === 'none' || asked === undefined) return [];
    return [['CF', asked.slice(0, REFERENCE_LENGTH)]];
  }
}

const ABOUT_CHEQUE = [
  ['CC', CHEQUE],
  ['AD', CHEQUE_LINE],
] as const;

function aboutCard(card: VirtualCard, authCode: string): readonly (readonly [string, string])[] {
  const isContactless = card.entryMode === 'contactless';
  return [
    ['CC', isContactless ? '00B' : SCHEMES[card.scheme]],
    ['CI', isContactless ? '2' : '1'],
    ['AC', authCode],
    ['AA', card.maskedPan.replaceAll('E', '#')],
    ['AI', card.aid],
    ['AB', card.expiry],
  ];
}

function echoes(request: Tags, names: readonly string[]): readonly (readonly [string, string])[] {
  return names.flatMap((name) => {
    const value = request.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
}
