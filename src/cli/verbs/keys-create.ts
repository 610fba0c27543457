import { CreatedKey, CreateKey } from '../../api/contract/key.ts';
import { dataOf } from '../../api/contract/primitives.ts';
import { AppError } from '../../base/errors.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { secretText } from '../show/key.ts';

export interface KeysCreateOptions extends GlobalOptions {
  readonly name: string;
  readonly scope: readonly string[];
  /** IP addresses or CIDR ranges; absent: any. */
  readonly allow?: readonly string[];
  /** Days. */
  readonly expires?: number;
  readonly by?: string;
}

/** `tillctl keys create` */
export async function keysCreate(options: KeysCreateOptions, io: Io): Promise<ExitCode> {
  const wanted = CreateKey.safeParse({
    name: options.name,
    scopes: [...new Set(options.scope)],
    allow: options.allow ?? [],
    ...(options.expires === undefined ? {} : { expires_in_days: options.expires }),
    ...(options.by === undefined ? {} : { by: options.by }),
  });
  if (!wanted.success) throw new AppError('USAGE', usageOf(wanted.error.issues[0]?.path[0]));
  const call = { method: 'POST', path: '/v2/keys', body: wanted.data } as const;
  const { body, value } = await connect(options, io).call(call, dataOf(CreatedKey));
  if (options.json) printDocument(io, body);
  else io.out(secretText(value.data));
  io.err('The key is shown this once: keep it now.\n');
  return EXIT.done;
}

function usageOf(field: PropertyKey | undefined): string {
  if (field === 'scopes')
    return `--scope must be one of ${CreateKey.shape.scopes.element.options.join(', ')}`;
  if (field === 'allow') return '--allow must be an IP address or a CIDR range, like 192.168.1.0/24';
  if (field === 'by') return '--by must be 1 to 200 printable characters';
  return '--name must have 1 to 64 printable characters';
}
