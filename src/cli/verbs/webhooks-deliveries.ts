import { listOf } from '../../api/contract/primitives.ts';
import { WebhookDelivery, WebhookDeliveryStatus } from '../../api/contract/webhook-delivery.ts';
import { AppError } from '../../base/errors.ts';
import type { DaemonClient } from '../client.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { noneText, withStatus } from '../show/empty-list.ts';
import { deliveryTable } from '../show/webhook.ts';
import { endpointAddresses, endpointId } from '../webhook-path.ts';

export interface WebhooksDeliveriesOptions extends GlobalOptions {
  readonly status?: string;
  readonly endpoint?: string;
  readonly event?: string;
  readonly limit: number;
}

/** `tillctl webhooks deliveries` */
export async function webhooksDeliveries(options: WebhooksDeliveriesOptions, io: Io): Promise<ExitCode> {
  const client = connect(options, io);
  const call = { path: `/v2/webhook-deliveries?${await queryOf(client, options)}` };
  const { body, value } = await client.call(call, listOf(WebhookDelivery));
  if (options.json) printDocument(io, body);
  else if (value.data.length === 0) io.out(none(options));
  else io.out(deliveryTable(value.data, await endpointAddresses(client)));
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

async function queryOf(
  client: DaemonClient,
  { status, endpoint, event, limit }: WebhooksDeliveriesOptions,
): Promise<URLSearchParams> {
  const query = new URLSearchParams({ limit: String(limit) });
  if (status !== undefined) {
    if (!WebhookDeliveryStatus.safeParse(status).success)
      throw new AppError('USAGE', `--status must be one of ${WebhookDeliveryStatus.options.join(', ')}`);
    query.set('status', status);
  }
  if (endpoint !== undefined) query.set('endpoint_id', await endpointId(client, endpoint));
  if (event !== undefined) query.set('event_id', event);
  return query;
}
