import { dataOf } from '../../api/contract/primitives.ts';
import { DeletedWebhookEndpoint } from '../../api/contract/webhook-endpoint.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { endpointPath } from '../webhook-path.ts';

export interface WebhookOptions extends GlobalOptions {
  readonly id: string;
}

/** `tillctl webhooks remove ID|URL` */
export async function webhooksRemove(options: WebhookOptions, io: Io): Promise<ExitCode> {
  const client = connect(options, io);
  const call = { method: 'DELETE', path: await endpointPath(client, options.id) } as const;
  const { body, value } = await client.call(call, dataOf(DeletedWebhookEndpoint));
  if (options.json) printDocument(io, body);
  else io.out(`${value.data.id} is deleted.\n`);
  return EXIT.done;
}
