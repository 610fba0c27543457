/** A field that the service has a place for, under tilld's name; a source's field under any other name is kept as metadata. */
export interface VocabularyField {
  readonly name: string;
  readonly type: 'text' | 'whole number' | 'list of objects';
  readonly isRequired: boolean;
  readonly meaning: string;
  readonly example: string | number;
}

function text(name: string, meaning: string, example: string): VocabularyField {
  return { name, type: 'text', isRequired: false, meaning, example };
}

function minor(name: string, meaning: string, example: number): VocabularyField {
  return { name, type: 'whole number', isRequired: false, meaning, example };
}

function required(field: VocabularyField): VocabularyField {
  return { ...field, isRequired: true };
}

const CUSTOMERS = [
  text(
    'name',
    'first and last name; a customer needs a name, an e-mail, a phone number or a company',
    'Anna Muster',
  ),
  text('email', 'at most 254 characters', 'anna@example.com'),
  text('phone', 'at most 64 characters', '+49 30 1234567'),
  text('company_name', 'at most 256 characters', 'Muster GmbH'),
];

const PRODUCTS = [
  required(text('name', 'as people know it', 'Haircut')),
  minor('amount_minor', 'its price in minor units; of `provider_d` absent or 0', 2900),
  text('charge_type', 'how it is charged; of `provider_d` `membership`, `free` or absent', 'one_time'),
  text('type', 'a kind of product, in the words of the source', 'service'),
  text('kind', 'the same, where there is no `type`', 'service'),
];

const INVOICES = [
  required(
    text(
      'status',
      'to be paid: `open`, `unpaid`, `sent`, `overdue`, `issued`, `finalized`; over: `paid`, `void`, `voided`, `cancelled`, `canceled`, `refunded`, `uncollectible`, `written_off`; not sent: `draft`; any other quarantines the record',
      'open',
    ),
  ),
  required(minor('total_minor', 'the total with tax, in minor units', 2935)),
  required(text('currency', 'ISO 4217', 'EUR')),
  required(text('customer_external_id', "the customer's id at the source", '4711')),
  text('number', 'as it is printed', 'A-1003'),
  minor(
    'amount_due_minor',
    'what is still to be paid, where a part was paid; never more than the total',
    1000,
  ),
  minor('tax_minor', 'the tax in the total', 469),
  text('issued_on', 'date', '2026-03-01'),
  text('due_on', 'date', '2026-03-15'),
  {
    name: 'lines',
    type: 'list of objects',
    isRequired: false,
    meaning: 'the fields of `lines[]`; a list also where there is one line: `[items.{…}]`',
    example: '[{…}]',
  } as const,
];

const LINES = [
  text('product_external_id', "the product's id at the source; decides its mapping", 'P-1'),
  text('description', 'at most 500 characters', 'Haircut'),
  minor('quantity', 'absent: 1', 1),
  minor('unit_amount_minor', 'the price of one, in minor units', 2935),
];

const MEMBERSHIPS = [
  required(text('product_external_id', 'the package; its mapping names the benefit', 'gold')),
  required(
    text(
      'status',
      'valid: `active`, `granted`, `trialing`, `open`; over: `ended`, `expired`, `cancelled`, `canceled`, `revoked`, `paused`, `inactive`',
      'active',
    ),
  ),
  required(text('customer_external_id', "the customer's id at the source", '4711')),
  text('expires_at', 'instant or date', '2026-12-31'),
  minor('amount_minor', 'absent or 0', 0),
  text('charge_type', '`membership`, `free` or absent', 'membership'),
  text('currency', 'ISO 4217', 'EUR'),
];

/** The fields of each resource that the service takes; `invoices.lines[]` are those of an element of `lines`. */
export const VOCABULARY: Readonly<Record<string, readonly VocabularyField[]>> = {
  customers: CUSTOMERS,
  products: PRODUCTS,
  invoices: INVOICES,
  'invoices.lines[]': LINES,
  memberships: MEMBERSHIPS,
};

/** `entitlements` is another word for `memberships`. Empty: the service does not know the resource. */
export function vocabularyOf(resource: string): readonly VocabularyField[] {
  const name = resource === 'entitlements' ? 'memberships' : resource;
  return Object.hasOwn(VOCABULARY, name) ? (VOCABULARY[name] ?? []) : [];
}

/** The names of a resource's fields. */
export function namesOf(resource: string): readonly string[] {
  return vocabularyOf(resource).map(({ name }) => name);
}
