import type { ProductMapping } from '../../api/contract/integration.ts';
import type { MappingSuggestion } from '../../api/contract/sync.ts';
import { counted } from '../../base/counted.ts';
import type { Difference, WholeMapping } from '../mapping-difference.ts';
import { plain } from './plain.ts';
import { table } from './table.ts';

const HEADINGS = ['package', 'name', 'product', 'price'];

export function mappingTable(mappings: readonly ProductMapping[]): string {
  const rows = mappings.map((one) => [
    one.externalId,
    one.metadata.name ?? '-',
    one.product?.name ? `${one.product.name} (${one.product.id})` : targetOf(one),
    priceOf(one),
  ]);
  return table(HEADINGS, rows);
}

/** `+` added, `~` changed, `-` removed. */
export function differenceText({ added, changed, removed, unchanged }: Difference): string {
  const lines = [
    ...added.map((one) => `+ ${one.externalId} → ${wordsOf(one)}`),
    ...changed.map(({ before, after }) => `~ ${after.externalId}: ${wordsOf(before)} → ${wordsOf(after)}`),
    ...removed.map((one) => `- ${one.externalId} (${wordsOf(one)})`),
    `${added.length} added, ${changed.length} changed, ${removed.length} removed, ${unchanged} unchanged`,
  ];
  return lines.map((line) => `${plain(line).replaceAll('\n', ' ')}\n`).join('');
}

/** Packages without a product, and products that may match; empty where there are none. */
export function suggestionText(packages: readonly MappingSuggestion[]): string {
  const lines = packages.flatMap(({ externalId, name, waiting, suggestions }) => [
    `? ${externalId}${name === null ? '' : ` "${name}"`} has no product${waiting === 0 ? '' : `, ${counted(waiting, 'record waits', 'records wait')}`}`,
    ...suggestions.map(
      (one) =>
        `    perhaps ${one.name ?? one.internalId} (${one.internalId}), by its ${one.by}, ${Math.round(one.likeness * 100)} %`,
    ),
  ]);
  return lines.map((line) => `${plain(line).replaceAll('\n', ' ')}\n`).join('');
}

/** What a new set of mappings does to records that wait, and to rows that are already there. */
export function replacedText(
  provider: string,
  count: number,
  { released, difference }: { readonly released: number; readonly difference: Difference },
): string {
  const lines = [`${provider} has ${counted(count, 'mapping', 'mappings')} now.`];
  if (released > 0)
    lines.push(
      `${counted(released, 'parked record waited for it and is', 'parked records waited for it and are')} tried again now; \`tillctl parked ${provider}\` shows what is left.`,
    );
  const redirected = difference.changed.filter(
    ({ before, after }) => isDecided(before) && targetOf(before) !== targetOf(after),
  );
  const others = redirected.length + difference.removed.filter(isDecided).length;
  if (others > 0)
    lines.push(
      `${counted(others, 'package was', 'packages were')} mapped or ignored otherwise before: rows that are already there keep what they had until they change at the provider; \`tillctl sync ${provider} --full-resync\` sends all of them again.`,
    );
  return lines.map((line) => `${line}\n`).join('');
}

function isDecided({ internalId, ignored }: WholeMapping): boolean {
  return ignored || internalId !== null;
}

function wordsOf(one: WholeMapping): string {
  const { name, type, charge_type } = one.metadata;
  const shown = [name && `"${name}"`, type, charge_type].filter((word) => word !== undefined && word !== '');
  const price = one.priceOverride === null ? [] : [`price ${one.priceOverride}`];
  return [targetOf(one), ...shown, ...price].join(', ');
}

function targetOf({ internalId, ignored }: WholeMapping): string {
  if (ignored) return 'ignored';
  return internalId ?? 'no product';
}

function priceOf({ priceOverride }: ProductMapping): string {
  return priceOverride === null ? '-' : String(priceOverride);
}
