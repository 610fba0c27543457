import { dataOf } from '../../api/contract/primitives.ts';
import { WebhookEndpointWithSecret } from '../../api/contract/webhook-endpoint.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Io, printDocument } from '../io.ts';
import { SECRET_ONCE, secretText } from '../show/webhook.ts';
import { webhookPath } from '../webhook-path.ts';
import type { WebhookOptions } from './webhooks-remove.ts';

/** `tillctl webhooks roll-secret ID` */
export async function webhooksRollSecret(options: WebhookOptions, io: Io): Promise<ExitCode> {
  const call = { method: 'POST', path: `${webhookPath('endpoints', options.id)}/roll-secret` } as const;
  const { body, value } = await connect(options, io).call(call, dataOf(WebhookEndpointWithSecret));
  if (options.json) printDocument(io, body);
  else io.out(secretText(value.data));
  io.err(SECRET_ONCE);
  return EXIT.done;
}
