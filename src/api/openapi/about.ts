/** The introduction for integrators, in Markdown. */
export const INTRODUCTION = `The terminal part of the billing service interface, served at the counter.

**A payment.** Create it with an \`Idempotency-Key\` of your own. The answer comes at once and says nothing about money. Wait until
\`status\` is neither \`requested\` nor \`in_progress\`: by the event stream, by a webhook, or by asking. \`charged\` says whether the customer
paid. While \`in_doubt\` is true this is not known: do not charge again, tilld finds out or asks a person. \`message\` says in words what staff should do.

**Keys.** Send the API key as \`x-api-key\` (or \`x-service-key\`, its older name, or \`Authorization: Bearer\`). The unix socket needs none.
What only the unix socket serves is described only in the document that the unix socket gives.

**Idempotency.** Store the key with the basket before you send it. Lost an answer? Send the same request with the same \`Idempotency-Key\`, also after a restart: you get
the first answer again, byte for byte, with \`Idempotent-Replayed: true\`. It says how the payment began (\`status: requested\`, \`charged: unknown\`), also when it has ended
since: \`Payment-Status\` says the status now. Take the id (or \`Location\`), and GET the payment. A refusal frees its key.

**Errors.** Branch on \`error.code\`, never on the words. The example of each code says whether money may have moved, whether and with which key to try again, and what to
show. A repetition that gets 401, 403, 408, 413, 415, 421, 429, 431 or 5xx has learnt nothing of the request before: keep the key. Two refusals are flat: those of the
Idempotency-Key (\`{error, code, originalRequestId}\`) and an address where nothing is (\`{error, request_id}\`); the PUTs of integrations list their issues
(\`{success, error: {name, issues, request_id}}\`). Wait \`Retry-After\` seconds on 429 and 503.

**Versions.** Pin one with \`Service-Version\`. This document describes the version that it was asked for with; the deprecated one gives lists with
\`pagination\` and says \`Sunset\` and \`Deprecation\` in every answer. New fields, enum values, event types and error codes may come at any
time: treat enums as open sets.

**The mirror.** Lists of the service that the configuration mirrors are read here at the service's own addresses, also while the shop is offline: \`fresh_at\` and the
header \`Age\` say how old they are. They are read-only. A list that is not mirrored answers 501 \`not_implemented\`.

**Lists.** By page, by cursor (\`starting_after\`, the last id, until \`has_more\` is false) or by \`offset\`. Every GET answers HEAD, too.`;

/** The description of each tag. The linter rejects a tag without one. */
const TAGS: Readonly<Record<string, string>> = {
  'Terminal payments':
    'Taking money with a card terminal, giving it back, and finding out what became of it.',
  'Terminal devices': 'The places where cards are taken, their end of day, and their upkeep.',
  Settlements:
    'The close of a batch on a terminal: asked for here, or noticed because the terminal did it by itself.',
  Reports: "What the shop has taken: tilld's own, the service has no such address.",
  Tasks: 'What only a person can do, until a named person says that it is done.',
  Invoices: 'What can be paid, as it was mirrored from the service.',
  Customers: 'Customers of the merchant with all that concerns them, as it was mirrored from the service.',
  Entitlements: 'What customers may use, and whether one has access now.',
  Products: 'Products and their prices, as they were mirrored from the service.',
  Subscriptions: 'Subscriptions, as they were mirrored from the service.',
  Orders: 'Orders, as they were mirrored from the service.',
  'Payment intents': 'Payments that were not taken at a terminal, as they were mirrored from the service.',
  Mandates: 'Direct debit mandates, as they were mirrored from the service.',
  Disputes: 'Payments that a customer disputes, as they were mirrored from the service.',
  Payouts: 'What was paid out to the merchant, as it was mirrored from the service.',
  Transactions: 'Movements of money, as they were mirrored from the service.',
  Mirror: "What is mirrored, and how old it is: tilld's own, the service has no such address.",
  Outbox: 'What the service has not received, and what a person does about what it refused.',
  Events: 'What happened, as a list and as a stream that can be resumed.',
  'Webhook endpoints': 'Where events are sent, and the secret that signs them.',
  'Webhook deliveries': 'Each event on its way to each endpoint: what became of it, and sending it again.',
  Syncs:
    "A look into the syncs of an integration, and what a person decides about them: tilld's own, the service has no such addresses.",
  Integrations:
    'Provider integrations: what they are set to, how their syncs do, and starting or resuming one.',
  'Product mappings': 'Which product of the merchant an external package is.',
  Keys: 'API keys: who may do what, from where, and until when.',
  Daemon: 'How the daemon itself is doing.',
  Webhooks: 'What tilld posts to the endpoints that are registered.',
};

export const WEBHOOKS = 'Webhooks';

export function tagOf(name: string) {
  const description = TAGS[name];
  return description === undefined ? { name } : { name, description };
}

export const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'An API key: `rk_live_…` or `rk_sandbox_…`.',
  },
  serviceKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-service-key',
    description: 'Older name of x-api-key; the same keys.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same keys as `Authorization: Bearer`.',
  },
} as const;
