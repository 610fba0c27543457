import { listOf } from '../../api/contract/primitives.ts';
import { ParkedRecord } from '../../api/contract/sync.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { integrationPath } from '../provider.ts';
import { facts } from '../show/table.ts';

export interface ParkedOptions extends GlobalOptions {
  readonly provider: string;
  readonly limit: number;
  readonly after?: string;
}

/** `tillctl parked P` */
export async function parked({ after, ...options }: ParkedOptions, io: Io): Promise<ExitCode> {
  const query = new URLSearchParams({
    limit: String(options.limit),
    ...(after === undefined ? {} : { starting_after: after }),
  });
  const path = `${integrationPath(options.provider, 'parked')}?${query}`;
  const { body, value } = await connect(options, io).call({ path }, listOf(ParkedRecord));
  if (options.json) printDocument(io, body);
  else io.out(value.data.length === 0 ? 'Nothing is parked.\n' : value.data.map(parkedText).join('\n'));
  const last = value.data.at(-1);
  if (value.has_more && last) io.err(`There are more: --after ${JSON.stringify(last.id)}\n`);
  return EXIT.done;
}

function parkedText(record: ParkedRecord): string {
  return facts([
    ['record', record.record_id ?? record.id],
    ['of', `${record.provider}/${record.resource}`],
    ['because', `${record.reason} (${record.why})`],
    ['needs', record.needs && `a mapping of ${record.needs}: tillctl mappings ${record.provider}`],
    ['since', record.parked_at],
    ['tried', `${record.tries} times${record.next_try_at === null ? '' : `, again ${record.next_try_at}`}`],
    ['excerpt', record.excerpt === '' ? null : record.excerpt.slice(0, 200)],
  ]);
}
