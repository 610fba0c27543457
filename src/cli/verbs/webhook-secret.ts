import { Integration, SetWebhookSecret } from '../../api/contract/integration.ts';
import { dataOf } from '../../api/contract/primitives.ts';
import { AppError } from '../../base/errors.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { textOf } from '../input-file.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { integrationPath, withNextStep } from '../provider.ts';
import { integrationText } from '../show/integration.ts';

export interface WebhookSecretOptions extends GlobalOptions {
  readonly provider: string;
  /** The secret itself is never on the command line: other users of this machine could read it there. */
  readonly secretFile?: string;
  readonly overlapHours?: number;
  readonly remove?: boolean;
}

/** A secret is a line; a longer file is another file. */
const MOST_SECRET_BYTES = 1_024;

/** `tillctl webhook-secret P --secret-file F [--overlap-hours N]` or `--remove` */
export async function webhookSecret(options: WebhookSecretOptions, io: Io): Promise<ExitCode> {
  const { provider, secretFile, overlapHours, remove = false } = options;
  if (remove === (secretFile !== undefined))
    throw new AppError(
      'USAGE',
      '--secret-file FILE or --remove is needed; - reads the secret from standard input',
    );
  if (remove && overlapHours !== undefined)
    throw new AppError('USAGE', '--overlap-hours belongs to --secret-file');
  const path = integrationPath(provider, 'webhook-secret');
  const call =
    secretFile === undefined
      ? ({ method: 'DELETE', path } as const)
      : ({ method: 'PUT', path, body: await secretOf(secretFile, overlapHours, io) } as const);
  const client = connect(options, io);
  const answer = await withNextStep(provider, client, () => client.call(call, dataOf(Integration)));
  if (options.json) printDocument(io, answer.body);
  else io.out(integrationText(answer.value.data));
  return EXIT.done;
}

/** @throws USAGE, never with the secret */
async function secretOf(file: string, overlapHours: number | undefined, io: Io): Promise<object> {
  const secret = (await textOf(file, io, MOST_SECRET_BYTES)).trim();
  const wanted = SetWebhookSecret.safeParse({
    secret,
    ...(overlapHours === undefined ? {} : { overlapHours }),
  });
  if (wanted.success) return wanted.data;
  throw new AppError('USAGE', 'the secret must be one line of 1 to 512 visible characters');
}
