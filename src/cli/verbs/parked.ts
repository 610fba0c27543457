import { listOf } from '../../api/contract/primitives.ts';
import { ParkedCause, ParkedRecord, ParkedRetried } from '../../api/contract/sync.ts';
import { counted } from '../../base/counted.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { integrationPath, withNextStep } from '../provider.ts';
import { causeText, parkedText } from '../show/parked.ts';

export interface ParkedOptions extends GlobalOptions {
  readonly provider: string;
  readonly limit: number;
  readonly after?: string;
  readonly cause?: string;
  readonly by?: 'cause' | 'record';
}

/** A hundred thousand records are read in slices, behind all other work. */
const WITHIN_MS = 120_000;

interface RetryOptions extends GlobalOptions {
  readonly provider: string;
  readonly cause?: string;
}

/** `tillctl parked P [--by cause|record] [--cause C]` */
export function parked(options: ParkedOptions, io: Io): Promise<ExitCode> {
  const { by, cause, after, json } = options;
  const isOneCause = cause !== undefined || after !== undefined || json === true;
  return (by ?? (isOneCause ? 'record' : 'cause')) === 'cause' ? causes(options, io) : records(options, io);
}

/** `tillctl retry-parked P [--cause C]` */
export async function retryParked({ cause, ...options }: RetryOptions, io: Io): Promise<ExitCode> {
  const { provider } = options;
  const body = cause === undefined ? {} : { cause };
  const call = { method: 'POST', path: integrationPath(provider, 'parked/retry'), body } as const;
  const client = connect(options, io, WITHIN_MS);
  const answer = await withNextStep(provider, client, () => client.call(call, ParkedRetried));
  const { count } = answer.value;
  if (options.json) printDocument(io, answer.body);
  else if (count > 0)
    io.out(
      `${counted(count, 'parked record is', 'parked records are')} tried again now; \`tillctl parked ${provider}\` shows what is left.\n`,
    );
  else io.out(`Nothing of ${provider} is parked${cause === undefined ? '' : ` for ${cause}`}.\n`);
  return EXIT.done;
}

async function causes(options: ParkedOptions, io: Io): Promise<ExitCode> {
  const path = integrationPath(options.provider, 'parked/causes');
  const { body, value } = await connect(options, io, WITHIN_MS).call({ path }, listOf(ParkedCause));
  if (options.json) printDocument(io, body);
  else io.out(value.data.length === 0 ? 'Nothing is parked.\n' : value.data.map(causeText).join('\n'));
  return EXIT.done;
}

async function records({ after, cause, ...options }: ParkedOptions, io: Io): Promise<ExitCode> {
  const query = new URLSearchParams({
    limit: String(options.limit),
    ...(after === undefined ? {} : { starting_after: after }),
    ...(cause === undefined ? {} : { cause }),
  });
  const path = `${integrationPath(options.provider, 'parked')}?${query}`;
  const { body, value } = await connect(options, io, WITHIN_MS).call({ path }, listOf(ParkedRecord));
  if (options.json) printDocument(io, body);
  else io.out(value.data.length === 0 ? 'Nothing is parked.\n' : value.data.map(parkedText).join('\n'));
  const last = value.data.at(-1);
  if (value.has_more && last) io.err(`There are more: --after ${JSON.stringify(last.id)}\n`);
  return EXIT.done;
}
