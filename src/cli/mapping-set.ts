import { MappingsReplaced, ProductMapping, type ReplaceMappings } from '../api/contract/integration.ts';
import { listOf } from '../api/contract/primitives.ts';
import { MappingSuggestion, ParkedCause } from '../api/contract/sync.ts';
import { AppError } from '../base/errors.ts';
import { confirmed } from './confirm.ts';
import { connect } from './connect.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from './io.ts';
import { differenceOf, type WholeMapping, wholeMapping } from './mapping-difference.ts';
import { integrationPath, withNextStep } from './provider.ts';
import { differenceText, replacedText } from './show/mapping.ts';

export interface MappingsOptions extends GlobalOptions {
  readonly provider: string;
  readonly action: string;
  readonly file?: string;
  readonly yes?: boolean;
}

/** tilld's maximum. */
export const MOST_BYTES = 2 * 1024 * 1024;
const MOST_SUGGESTIONS = 100;

/**
 * Replaces the set, behind a question unless `--yes` was said.
 * @param looked the set that the wanted one was made from; where it is no longer that one, nothing is stored: USAGE
 */
export async function replace(
  options: MappingsOptions,
  wanted: ReplaceMappings,
  io: Io,
  looked?: readonly ProductMapping[],
): Promise<ExitCode> {
  const { difference, waiting, before } = await effectOf(options, wanted, io);
  if (looked !== undefined && JSON.stringify(looked) !== JSON.stringify(before))
    throw new AppError('USAGE', 'the mappings were changed meanwhile, by another person or a sync');
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

/** What the set changes, and how many parked records wait for it. */
async function effectOf(options: MappingsOptions, wanted: ReplaceMappings, io: Io) {
  const whole = wanted.mappings.map(wholeMapping);
  const before = (await kept(options, io)).value.data;
  const difference = differenceOf(before, whole);
  const usable = new Set(whole.filter(isSettled).map(({ externalId }) => externalId));
  const path = integrationPath(options.provider, 'parked/causes');
  const { value } = await connect(options, io).call({ path }, listOf(ParkedCause));
  const freed = value.data.filter(({ needs }) => needs !== null && usable.has(needs));
  return { difference, before, waiting: freed.reduce((sum, { records }) => sum + records, 0) };
}

export function isSettled({ internalId, ignored }: WholeMapping): boolean {
  return internalId !== null || ignored;
}

export function kept(options: MappingsOptions, io: Io) {
  const path = integrationPath(options.provider, 'product-mappings');
  return connect(options, io).call({ path }, listOf(ProductMapping));
}

export async function suggested(options: MappingsOptions, io: Io) {
  const path = `${integrationPath(options.provider, 'product-mappings/suggestions')}?limit=${MOST_SUGGESTIONS}`;
  return (await connect(options, io).call({ path }, listOf(MappingSuggestion))).value;
}
