import type { MappingInput, ProductMapping } from '../api/contract/integration.ts';
import type { MappingSuggestion } from '../api/contract/sync.ts';
import { AppError } from '../base/errors.ts';
import { plain } from './show/plain.ts';

const HEADINGS = ['package', 'product', 'price', 'name at the provider'];
const UNDECIDED = '-';
const IGNORED = 'ignored';
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i;
const ALONE = new RegExp(`^${UUID.source}$`, 'i');
const BEHIND_NAME = new RegExp(`\\((${UUID.source})\\)$`, 'i');

/** The id of the one product with this name. @throws USAGE where there is none, or more than one */
export type ProductOfName = (name: string) => Promise<string>;

/** The mappings of a provider as a table for an editor: a line each, the columns divided by tabs, lines that begin with # for the reader alone. */
export function sheetOf(
  provider: string,
  mappings: readonly ProductMapping[],
  suggestions: readonly MappingSuggestion[],
): string {
  const rows = [HEADINGS, ...mappings.map(cellsOf)];
  const widths = HEADINGS.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('\t')
      .trimEnd();
  const [heading = [], ...lines] = rows;
  const perhaps = suggestions.flatMap(({ externalId, suggestions: products }) =>
    products.map(
      ({ name, internalId, likeness }) =>
        `# ${quoted(externalId)} may be ${shown(name ?? '')} (${internalId}): ${Math.round(likeness * 100)} %`,
    ),
  );
  return `${[
    `# The product mappings of ${provider}. What you change is shown once more before it is stored; close without a change to leave all as it is.`,
    `# product: the name or id of a product of the billing service, "${UNDECIDED}" for no product, or "${IGNORED}".`,
    '# price: in minor units (1450 is 14.50), or "-". The name is shown only. Without its line, a package has no mapping.',
    ...perhaps,
    `# ${lineOf(heading)}`,
    ...lines.map(lineOf),
  ].join('\n')}\n`;
}

/**
 * The set of mappings that an edited table says; what the table does not show of a mapping stays as it is.
 * @throws USAGE with the line's number where a line cannot be read, or a package stands there twice
 */
export async function mappingsOf(
  text: string,
  kept: readonly ProductMapping[],
  productOfName: ProductOfName,
): Promise<readonly MappingInput[]> {
  const before = new Map(kept.map((one) => [one.externalId, one]));
  const found = new Map<string, MappingInput>();
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const wrong = (what: string) => new AppError('USAGE', `line ${at + 1}: ${what}`);
    const [idCell = '', product, price = UNDECIDED] = line.split(/\t| {2,}/).filter((cell) => cell !== '');
    const externalId = unquoted(idCell.trim());
    if (externalId === null) throw wrong(`the package ${idCell} cannot be read`);
    if (product === undefined) throw wrong(`${externalId} needs a product, "-" or "ignored" behind a tab`);
    if (found.has(externalId)) throw wrong(`${externalId} stands there twice`);
    const priceOverride = priceOf(price.trim());
    if (priceOverride === undefined)
      throw wrong(`the price ${price.trim()} is no whole number of minor units`);
    const old = before.get(externalId);
    const target = await targetOf(product.trim(), productOfName).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'USAGE' ? wrong(error.message) : error;
    });
    found.set(externalId, { externalId, metadata: old?.metadata ?? {}, priceOverride, ...target });
  }
  return [...found.values()];
}

function cellsOf(one: ProductMapping): readonly string[] {
  const price = one.priceOverride === null ? UNDECIDED : String(one.priceOverride);
  return [quoted(one.externalId), productCell(one), price, shown(one.metadata.name ?? '')];
}

function productCell({ internalId, ignored, product }: ProductMapping): string {
  if (ignored) return IGNORED;
  if (internalId === null) return UNDECIDED;
  return product?.name ? `${shown(product.name)} (${internalId})` : internalId;
}

async function targetOf(cell: string, productOfName: ProductOfName) {
  if (cell === IGNORED) return { internalId: null, ignored: true };
  if (cell === UNDECIDED) return { internalId: null, ignored: false };
  const id = BEHIND_NAME.exec(cell)?.[1] ?? (ALONE.test(cell) ? cell : await productOfName(cell));
  return { internalId: id, ignored: false };
}

/** Undefined: it is none. */
function priceOf(cell: string): number | null | undefined {
  if (cell === UNDECIDED) return null;
  return /^\d{1,15}$/.test(cell) ? Number(cell) : undefined;
}

/** A package's id as it is; as a JSON string where a tab, two spaces, an edge or the beginning of the line would be lost, or a character is unseen. */
function quoted(id: string): string {
  if (/^[^\s#"]/.test(id) && !/\p{C}| {2}|\s$/u.test(id)) return id;
  return JSON.stringify(id).replace(/\p{C}|(?<= ) /gu, escaped);
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Null: its quotes do not end, or its escapes are none. */
function unquoted(cell: string): string | null {
  if (!cell.startsWith('"')) return cell;
  try {
    const id: unknown = JSON.parse(cell);
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

function shown(text: string): string {
  return plain(text).replace(/\s+/g, ' ').trim();
}
