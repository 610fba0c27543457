import { z } from 'zod';
import { millis } from './schema-primitives.ts';

/** Environments of the service, as its interface names them. */
const Environment = z.enum(['live', 'sandbox', 'staging', 'mock']);

const PATH = /^(?!.*\/\.)(\/[A-Za-z0-9._~-]+)+$/;
const PATH_WITH_ID = /^(?!.*\/\.)(?=.*\/\{id\}(\/|$))(\/([A-Za-z0-9._~-]+|\{id\}))+$/;

/** The path of a list of the service. */
function path(words: string) {
  return z.string().max(200).regex(PATH, 'must be a path like "/events"').optional().describe(words);
}

/** The path of one resource of the service, or of an action on it. */
function pathWithId(words: string) {
  return z
    .string()
    .max(200)
    .regex(PATH_WITH_ID, 'must be a path with "{id}", like "/terminal-payments/{id}/claim"')
    .optional()
    .describe(words);
}

const Paths = z
  .strictObject({
    payments: path('List and creation of payments; default `/terminal-payments`.'),
    payment: pathWithId('One payment; default `/terminal-payments/{id}`.'),
    claim: pathWithId('Takes a payment; default `/terminal-payments/{id}/claim`.'),
    result: pathWithId('Takes an outcome; default `/terminal-payments/{id}/result`.'),
    refund: pathWithId('Starts a refund; default `/terminal-payments/{id}/refund`.'),
    void: pathWithId('Starts a void; default `/terminal-payments/{id}/void`.'),
    events: path('List of events; default `/events`.'),
    devices: path('List of devices; default `/terminal-devices`.'),
    device: pathWithId('One device; default `/terminal-devices/{id}`.'),
  })
  .optional()
  .describe('For a service that differs from its interface description; relative to `url` and `/v2`.');

function credentialName() {
  return z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be lower-case letters, digits, - and _');
}

/** The billing service, and which parts of it are used. */
export const ServiceSection = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .optional()
      .describe('Address of the service, without `/v2`; default: the sandbox service of this file.'),
    environment: Environment.optional().describe(
      'Which environment of the service `url` leads to; default: that of this file. `mock` answers with samples: no payment is taken from it or reported to it.',
    ),
    poll_interval_ms: millis(250, 600_000).default(4000).describe('Pause between two requests for new work.'),
    requests_per_minute: z
      .int()
      .min(1)
      .max(60_000)
      .default(60)
      .describe('Budget until the service states another.'),
    burst: z.int().min(1).max(1000).default(10).describe('Requests that may leave at once.'),
    create_local: z
      .enum(['on', 'off'])
      .default('off')
      .describe('Whether payments that were started here are created at the service.'),
    credential: credentialName()
      .default('service-key')
      .describe('Name of the credential that holds the API key; the key itself never stands in this file.'),
    webhook_credential: credentialName()
      .optional()
      .describe(
        'Name of the credential that holds the signing secret of its webhooks (two lines while it is rolled); absent: `POST /hooks/service` is not served.',
      ),
    paths: Paths,
  })
  .optional()
  .describe('The billing service; absent: payments stay here.');

export type ServiceEnvironment = z.output<typeof Environment>;
