import { listOf } from '../../api/contract/primitives.ts';
import { WebhookEndpoint } from '../../api/contract/webhook-endpoint.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { endpointTable } from '../show/webhook.ts';

/** `tillctl webhooks list` */
export async function webhooksList(options: GlobalOptions, io: Io): Promise<ExitCode> {
  const call = { path: '/v2/webhook-endpoints?limit=100' };
  const { body, value } = await connect(options, io).call(call, listOf(WebhookEndpoint));
  if (options.json) printDocument(io, body);
  else io.out(value.data.length === 0 ? 'No endpoint is registered.\n' : endpointTable(value.data));
  return EXIT.done;
}
