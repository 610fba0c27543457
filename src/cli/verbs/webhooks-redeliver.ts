import { dataOf } from '../../api/contract/primitives.ts';
import { WebhookDelivery } from '../../api/contract/webhook-delivery.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type Io, printDocument } from '../io.ts';
import { deliveryTable } from '../show/webhook.ts';
import { deliveryPath } from '../webhook-path.ts';
import type { WebhookOptions } from './webhooks-remove.ts';

/** `tillctl webhooks redeliver ID` */
export async function webhooksRedeliver(options: WebhookOptions, io: Io): Promise<ExitCode> {
  const call = { method: 'POST', path: `${deliveryPath(options.id)}/redeliver` } as const;
  const { body, value } = await connect(options, io).call(call, dataOf(WebhookDelivery));
  if (options.json) printDocument(io, body);
  else io.out(deliveryTable([value.data]));
  return EXIT.done;
}
