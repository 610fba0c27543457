import { z } from 'zod';
import { MirroredListSummary, mirroredListOf } from '../../api/contract/mirrored.ts';
import { listOf } from '../../api/contract/primitives.ts';
import { AppError } from '../../base/errors.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { noneText } from '../show/empty-list.ts';
import { mirroredListTable, mirroredTable } from '../show/mirrored.ts';
import { moment } from '../show/moment.ts';

export interface MirrorOptions extends GlobalOptions {
  readonly list?: string;
  readonly search?: string;
  readonly limit: number;
}

const Lists = listOf(MirroredListSummary);
const Records = mirroredListOf(z.looseObject({ id: z.string() }));

/** `tillctl mirror [LIST] [--search TEXT] [--limit N]`: the mirrored lists, or the records of one. */
export async function mirror(options: MirrorOptions, io: Io): Promise<ExitCode> {
  const daemon = connect(options, io);
  const { body, value } = await daemon.call({ path: '/v2/mirror' }, Lists);
  const { list, search, limit } = options;
  if (list === undefined) {
    if (search !== undefined) throw new AppError('USAGE', '--search needs the list that is searched');
    if (options.json) printDocument(io, body);
    else io.out(value.data.length === 0 ? noneText('mirrored lists') : mirroredListTable(value.data));
    return EXIT.done;
  }
  const query = new URLSearchParams({ limit: String(limit), ...(search === undefined ? {} : { search }) });
  const found = await daemon.call({ path: `${pathOf(list, value.data)}?${query}` }, Records);
  if (options.json) {
    printDocument(io, found.body);
    return EXIT.done;
  }
  const { data, has_more, fresh_at } = found.value;
  io.out(
    data.length === 0
      ? noneText(list, search !== undefined && `with "${search}"`)
      : mirroredTable(list, data),
  );
  io.err(
    fresh_at === null
      ? 'Nothing of it was read from the service yet.\n'
      : `Complete until ${moment(fresh_at)}.\n`,
  );
  if (has_more) io.err('There are more: --limit shows up to 100, --search finds the others.\n');
  return EXIT.done;
}

function pathOf(list: string, mirrored: readonly MirroredListSummary[]): string {
  const found = mirrored.find((one) => one.list === list);
  if (found) return found.path;
  const names = mirrored.map((one) => one.list);
  if (names.length === 0)
    throw new AppError(
      'USAGE',
      'only lists of the billing service are shown here, and the configuration has no "service", or an empty list at "mirror.lists". The records of a provider are counted by `tillctl integrations PROVIDER`',
    );
  const lists = JSON.stringify([...names, list]);
  throw new AppError(
    'USAGE',
    `"${list}" is not mirrored: mirrored here are ${names.join(', ')}. In the configuration: "mirror": {"lists": ${lists}}`,
  );
}
