import { MappingsReplaced, ProductMapping, ReplaceMappings } from '../../api/contract/integration.ts';
import { listOf } from '../../api/contract/primitives.ts';
import { MappingSuggestion, ParkedCause } from '../../api/contract/sync.ts';
import { AppError } from '../../base/errors.ts';
import { confirmed } from '../confirm.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { textOf } from '../input-file.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { type Difference, differenceOf, type WholeMapping, wholeMapping } from '../mapping-difference.ts';
import { integrationPath, withNextStep } from '../provider.ts';
import { differenceText, mappingTable, replacedText, suggestionText } from '../show/mapping.ts';

export interface MappingsOptions extends GlobalOptions {
  readonly provider: string;
  readonly action: string;
  readonly file?: string;
  readonly yes?: boolean;
}

/** tilld's maximum. */
const MOST_BYTES = 2 * 1024 * 1024;
const MOST_SUGGESTIONS = 100;

/** `tillctl mappings P [show|diff FILE|apply FILE]` */
export function mappings(options: MappingsOptions, io: Io): Promise<ExitCode> {
  integrationPath(options.provider);
  const { action, file } = options;
  if (action === 'show') {
    if (file !== undefined) throw new AppError('USAGE', 'show takes no file: say diff or apply');
    return show(options, io);
  }
  if (action !== 'diff' && action !== 'apply')
    throw new AppError('USAGE', `"${action}" is not known: say show, diff FILE or apply FILE`);
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
  const wanted = await wantedOf(file, io);
  const { difference, waiting } = await effectOf(options, wanted, io);
  if (!options.yes) {
    io.err(differenceText(difference));
    if (!(await confirmed(io, `Replace the mappings of ${options.provider}?`))) {
      io.err('Nothing was changed.\n');
      return EXIT.no;
    }
  }
  const path = integrationPath(options.provider, 'product-mappings');
  const call = { method: 'PUT', path, body: wanted } as const;
  const client = connect(options, io);
  const answer = await withNextStep(options.provider, client, () => client.call(call, MappingsReplaced));
  if (options.json) printDocument(io, answer.body);
  else io.out(replacedText(options.provider, answer.value.count, { released: waiting, difference }));
  return EXIT.done;
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

/** What the set changes, and how many parked records wait for it. */
async function effectOf(options: MappingsOptions, wanted: ReplaceMappings, io: Io) {
  const whole = wanted.mappings.map(wholeMapping);
  const difference = differenceOf((await kept(options, io)).value.data, whole);
  const usable = new Set(whole.filter(isSettled).map(({ externalId }) => externalId));
  const path = integrationPath(options.provider, 'parked/causes');
  const { value } = await connect(options, io).call({ path }, listOf(ParkedCause));
  const freed = value.data.filter(({ needs }) => needs !== null && usable.has(needs));
  return { difference, waiting: freed.reduce((sum, { records }) => sum + records, 0) };
}

function isSettled({ internalId, ignored }: WholeMapping): boolean {
  return internalId !== null || ignored;
}

function kept(options: MappingsOptions, io: Io) {
  const path = integrationPath(options.provider, 'product-mappings');
  return connect(options, io).call({ path }, listOf(ProductMapping));
}

async function suggested(options: MappingsOptions, io: Io) {
  const path = `${integrationPath(options.provider, 'product-mappings/suggestions')}?limit=${MOST_SUGGESTIONS}`;
  return (await connect(options, io).call({ path }, listOf(MappingSuggestion))).value;
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
