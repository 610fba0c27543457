import { dataOf } from '../../api/contract/primitives.ts';
import { WebhookEndpointWithSecret } from '../../api/contract/webhook-endpoint.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Io, printDocument } from '../io.ts';
import { SECRET_ONCE, secretText } from '../show/webhook.ts';
import { endpointPath } from '../webhook-path.ts';
import type { WebhookOptions } from './webhooks-remove.ts';

/** `tillctl webhooks roll-secret ID|URL` */
export async function webhooksRollSecret(options: WebhookOptions, io: Io): Promise<ExitCode> {
  const client = connect(options, io);
  const path = `${await endpointPath(client, options.id)}/roll-secret`;
  const call = { method: 'POST', path } as const;
  const { body, value } = await client.call(call, dataOf(WebhookEndpointWithSecret));
  if (options.json) printDocument(io, body);
  else io.out(secretText(value.data));
  io.err(SECRET_ONCE);
  return EXIT.done;
}
