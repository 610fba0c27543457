import { listOf } from '../../api/contract/primitives.ts';
import { WebhookDelivery, WebhookDeliveryStatus } from '../../api/contract/webhook-delivery.ts';
import { AppError } from '../../base/errors.ts';
import { isUuid } from '../../base/ids.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { noneText, withStatus } from '../show/empty-list.ts';
import { deliveryTable } from '../show/webhook.ts';

export interface WebhooksDeliveriesOptions extends GlobalOptions {
  readonly status?: string;
  readonly endpoint?: string;
  readonly event?: string;
  readonly limit: number;
}

/** `tillctl webhooks deliveries` */
export async function webhooksDeliveries(options: WebhooksDeliveriesOptions, io: Io): Promise<ExitCode> {
  const call = { path: `/v2/webhook-deliveries?${queryOf(options)}` };
  const { body, value } = await connect(options, io).call(call, listOf(WebhookDelivery));
  if (options.json) printDocument(io, body);
  else io.out(value.data.length === 0 ? none(options) : deliveryTable(value.data));
  if (value.has_more) io.err('There are more: --limit shows up to 100.\n');
  return EXIT.done;
}

function none({ status, endpoint, event }: WebhooksDeliveriesOptions): string {
  return noneText(
    'deliveries',
    withStatus(status),
    endpoint !== undefined && `to endpoint ${endpoint}`,
    event !== undefined && `of event ${event}`,
  );
}

function queryOf({ status, endpoint, event, limit }: WebhooksDeliveriesOptions): URLSearchParams {
  const query = new URLSearchParams({ limit: String(limit) });
  if (status !== undefined) {
    if (!WebhookDeliveryStatus.safeParse(status).success)
      throw new AppError('USAGE', `--status must be one of ${WebhookDeliveryStatus.options.join(', ')}`);
    query.set('status', status);
  }
  if (endpoint !== undefined) {
    if (!isUuid(endpoint)) throw new AppError('USAGE', '--endpoint must be the UUID of an endpoint');
    query.set('endpoint_id', endpoint);
  }
  if (event !== undefined) query.set('event_id', event);
  return query;
}
