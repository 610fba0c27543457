import type { Json, JsonObject, SourceRecord } from '../connector.ts';

/** What a provider calls a package, beside its id: for people, and to find the product that it is. */
export interface PackageLabel {
  readonly name: string | null;
  /** Article numbers and the like. */
  readonly codes: readonly string[];
}

export const NO_LABEL: PackageLabel = { name: null, codes: [] };

/** The resource whose records are packages. */
export const PACKAGES = 'products';

const CODES = ['code', 'sku', 'number', 'slug', 'article_number', 'product_code', 'product_id', 'ean'];
const [LONGEST_NAME, LONGEST_CODE] = [256, 64];

/** Of the fields of a record of `products`, or of what {@link storedLabel} keeps of them. */
export function labelOf(fields: JsonObject): PackageLabel {
  const kept = fields['codes'];
  const values = Array.isArray(kept) ? kept : CODES.map((name) => fields[name] ?? null);
  const codes = values.flatMap((value) => textOf(value, LONGEST_CODE) ?? []);
  return { name: textOf(fields['name'] ?? null, LONGEST_NAME), codes: [...new Set(codes)] };
}

/** Of a product of ours, as the service lists it: its metadata may have codes, too. */
export function productLabelOf(fields: JsonObject): PackageLabel {
  const { metadata = null } = fields;
  return joined([labelOf(fields), isFields(metadata) ? { ...labelOf(metadata), name: null } : NO_LABEL]);
}

/** The body of a package's row where the service has the rest of it. */
export function storedLabel(fields: JsonObject): JsonObject {
  const { name, codes } = labelOf(fields);
  return { name, codes };
}

/** Of the package that a quarantined record waits for: the record itself, or the line that names it. */
export function labelIn({ id, fields }: SourceRecord, resource: string, needs: string): PackageLabel {
  if (resource === PACKAGES && id === needs) return labelOf(fields);
  const { lines } = fields;
  for (const line of Array.isArray(lines) ? lines : [])
    if (isFields(line) && textOf(line['product_external_id'] ?? null, LONGEST_NAME) === needs)
      return { ...labelOf(line), name: textOf(line['description'] ?? null, LONGEST_NAME) };
  return { name: textOf(fields['product_name'] ?? null, LONGEST_NAME), codes: [] };
}

/** The first name that is known, and all codes. */
export function joined(labels: readonly PackageLabel[]): PackageLabel {
  const name = labels.find((label) => label.name !== null)?.name ?? null;
  return { name, codes: [...new Set(labels.flatMap(({ codes }) => codes))] };
}

function textOf(value: Json, most: number): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).trim().slice(0, most);
  return text === '' ? null : text;
}

function isFields(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
