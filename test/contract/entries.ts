import {
  ANSWER_HEADERS,
  CODES_401,
  CODES_403,
  CREDENTIAL_FIELDS,
  CUSTOMER_LISTS,
  ENDS,
  ERROR_STATUSES,
  ERROR_TYPES,
  EVENT_TYPES,
  FLAT_IDEMPOTENCY,
  GUARDING,
  INTEGRATION_WORDS,
  INTEGRATIONS,
  LIMITS,
  LIST_OBJECT,
  LIST_STYLES,
  MAPPING_FIELDS,
  MERCHANT_LISTS,
  MERCHANT_READS,
  OPERATIONS,
  OTHER_CODES,
  PAGINATION_BLOCK,
  PLANS,
  PROVIDERS,
  READING,
  REGISTRATION_BODY,
  REQUEST_HEADERS,
  SIGNATURE,
  STATES,
  TERMINAL_PAYMENT,
  VERSIONS,
} from './interface.ts';

/** Entries of the interface that no row need name, with the reason. */
export const NOT_HELD: Readonly<Record<string, string>> = {
  'type:card_error': 'a card is refused at the terminal, not with a status',
  'type:idempotency_error': 'errors of idempotency keys are flat: they show no type',
};

/** Every entry of the interface by the name that rows give in `covers`. */
export function entriesOfTheInterface(): readonly string[] {
  const of = (kind: string, names: readonly (string | number)[]) => names.map((name) => `${kind}:${name}`);
  return [
    ...of(
      'operation',
      OPERATIONS.map(({ method, path }) => `${method} ${path}`),
    ),
    ...of(
      'operation',
      INTEGRATIONS.map(({ method, path }) => `${method} ${path}`),
    ),
    ...of('operation', [
      ...MERCHANT_LISTS.map(({ path }) => `GET ${path}`),
      ...MERCHANT_LISTS.flatMap(({ path, one }) => (one ? [`GET ${path}/{id}`] : [])),
      ...CUSTOMER_LISTS.map(({ name }) => `GET /v2/customers/{customerId}/${name}`),
      ...MERCHANT_READS.map((path) => `GET ${path}`),
    ]),
    ...of('integration', [...PROVIDERS, ...CREDENTIAL_FIELDS, ...MAPPING_FIELDS, ...INTEGRATION_WORDS]),
    ...of('field', Object.keys(TERMINAL_PAYMENT)),
    ...of(
      'field',
      LIST_OBJECT.map((name) => `list.${name}`),
    ),
    ...of(
      'field',
      PAGINATION_BLOCK.map((name) => `pagination.${name}`),
    ),
    ...of('state', [...STATES, ...ENDS]),
    ...of('style', Object.keys(LIST_STYLES)),
    ...of('scope', [...GUARDING, ...READING]),
    ...of('event', EVENT_TYPES.flat()),
    ...of('body', REGISTRATION_BODY),
    ...of('type', ERROR_TYPES),
    ...of('status', ERROR_STATUSES),
    ...of(
      'code',
      CODES_401.map((code) => `401 ${code}`),
    ),
    ...of(
      'code',
      CODES_403.map((code) => `403 ${code}`),
    ),
    ...of(
      'code',
      OTHER_CODES.flatMap(({ codes, statuses }) =>
        codes.flatMap((code) => statuses.map((status) => `${status} ${code}`)),
      ),
    ),
    ...of('flat', [...Object.keys(FLAT_IDEMPOTENCY.codes), 400, 404, 'issues']),
    ...of('header', [...new Set([...REQUEST_HEADERS, ...ANSWER_HEADERS, SIGNATURE.header])]),
    ...of('limit', Object.keys(LIMITS)),
    ...of('plan', Object.keys(PLANS)),
    ...of(
      'version',
      VERSIONS.map(({ version }) => version),
    ),
  ];
}
