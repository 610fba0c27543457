import { ReplaceMappings } from '../../api/contract/integration.ts';
import type { MappingSuggestion } from '../../api/contract/sync.ts';
import { AppError } from '../../base/errors.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { textOf } from '../input-file.ts';
import { type Io, printDocument } from '../io.ts';
import { type Difference, differenceOf, wholeMapping } from '../mapping-difference.ts';
import { isSettled, kept, type MappingsOptions, MOST_BYTES, replace, suggested } from '../mapping-set.ts';
import { integrationPath } from '../provider.ts';
import { differenceText, mappingTable, suggestionText } from '../show/mapping.ts';

/** `tillctl mappings P [show|edit [FILE]|diff FILE|apply FILE]` */
export async function mappings(options: MappingsOptions, io: Io): Promise<ExitCode> {
  integrationPath(options.provider);
  const { action, file } = options;
  if (action === 'edit') return (await import('./mappings-edit.ts')).edit(options, io);
  if (action === 'show') {
    if (file !== undefined) throw new AppError('USAGE', 'show takes no file: say edit, diff or apply');
    return show(options, io);
  }
  if (action !== 'diff' && action !== 'apply')
    throw new AppError('USAGE', `"${action}" is not known: say show, edit, diff FILE or apply FILE`);
  if (file === undefined) throw new AppError('USAGE', `${action} needs a FILE; - reads standard input`);
  return action === 'diff' ? diff(options, file, io) : apply(options, file, io);
}

async function show(options: MappingsOptions, io: Io): Promise<ExitCode> {
  const { body, value } = await kept(options, io);
  if (options.json) {
    printDocument(io, body);
    return EXIT.done;
  }
  io.out(value.data.length === 0 ? 'There are no mappings.\n' : mappingTable(value.data));
  io.out(suggestionText((await suggested(options, io)).data));
  return EXIT.done;
}

async function diff(options: MappingsOptions, file: string, io: Io): Promise<ExitCode> {
  const wanted = await wantedOf(file, io);
  const { difference, suggestions } = await compared(options, wanted, io);
  if (options.json) printDocument(io, { data: { ...difference, suggestions } });
  else io.out(differenceText(difference) + suggestionText(suggestions));
  return EXIT.done;
}

async function apply(options: MappingsOptions, file: string, io: Io): Promise<ExitCode> {
  if (!options.yes && (file === '-' || !io.canAsk))
    throw new AppError('USAGE', 'apply replaces the whole set: look at `diff` first, then say --yes');
  return replace(options, await wantedOf(file, io), io);
}

async function compared(
  options: MappingsOptions,
  wanted: ReplaceMappings,
  io: Io,
): Promise<{ readonly difference: Difference; readonly suggestions: readonly MappingSuggestion[] }> {
  const { value } = await kept(options, io);
  const whole = wanted.mappings.map(wholeMapping);
  const settled = new Set(whole.filter(isSettled).map(({ externalId }) => externalId));
  const { data } = await suggested(options, io);
  return {
    difference: differenceOf(value.data, whole),
    suggestions: data.filter(({ externalId }) => !settled.has(externalId)),
  };
}

/** @throws USAGE when it is no {"mappings":[…]} */
async function wantedOf(file: string, io: Io): Promise<ReplaceMappings> {
  const text = await textOf(file, io, MOST_BYTES);
  const wanted = ReplaceMappings.safeParse(jsonOf(text, file));
  if (wanted.success) return wanted.data;
  const [issue] = wanted.error.issues;
  throw new AppError(
    'USAGE',
    `${file} is no set of mappings: ${issue?.path.join('.') || 'it'}: ${issue?.message}`,
  );
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('USAGE', `${file} is no JSON: it must be {"mappings":[…]}`, { cause: error });
  }
}
