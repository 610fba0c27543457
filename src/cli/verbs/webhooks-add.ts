import { dataOf } from '../../api/contract/primitives.ts';
import { CreateWebhookEndpoint, WebhookEndpointWithSecret } from '../../api/contract/webhook-endpoint.ts';
import { AppError } from '../../base/errors.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { SECRET_ONCE, secretText } from '../show/webhook.ts';

export interface WebhooksAddOptions extends GlobalOptions {
  readonly url: string;
  readonly event: readonly string[];
}

/** `tillctl webhooks add URL --event TYPE…` */
export async function webhooksAdd(options: WebhooksAddOptions, io: Io): Promise<ExitCode> {
  const wanted = CreateWebhookEndpoint.safeParse({ url: options.url, events: options.event });
  if (!wanted.success) throw new AppError('USAGE', usageOf(wanted.error.issues[0], options));
  const call = { method: 'POST', path: '/v2/webhook-endpoints', body: wanted.data } as const;
  const { body, value } = await connect(options, io).call(call, dataOf(WebhookEndpointWithSecret));
  if (options.json) printDocument(io, body);
  else io.out(secretText(value.data));
  io.err(SECRET_ONCE);
  return EXIT.done;
}

function usageOf(
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
  { event }: WebhooksAddOptions,
): string {
  const [field, index] = issue?.path ?? [];
  if (field !== 'events') return `the address ${issue?.message ?? 'is not accepted'}`;
  const type = typeof index === 'number' ? event[index] : undefined;
  return type === undefined
    ? '--event may be given 100 times at most'
    : `--event: there is no event type "${type}"`;
}
