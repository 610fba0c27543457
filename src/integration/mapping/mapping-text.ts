import type { Mapping } from '../integration.ts';
import type { PackageNotes, ProductMapping } from '../integrations-api.ts';

/** The stored form: the notes of a package and its price, in one JSON text. */
export function storedMapping({ externalId, internalId, ignored, ...fields }: ProductMapping): Mapping {
  const { name, type, charge_type } = fields.metadata;
  const price = fields.priceOverride ?? undefined;
  const metadata = JSON.stringify({ name, type, charge_type, price_override: price });
  return { externalId, internalId, isIgnored: ignored, metadata };
}

/** The shown form; a text that tilld did not write yields no notes. */
export function shownMapping({ externalId, internalId, isIgnored, metadata }: Mapping): ProductMapping {
  const fields = fieldsOf(metadata);
  const notes: PackageNotes = {
    ...textOf(fields, 'name'),
    ...textOf(fields, 'type'),
    ...textOf(fields, 'charge_type'),
  };
  return { externalId, internalId, ignored: isIgnored, metadata: notes, priceOverride: priceIn(fields) };
}

function priceIn(fields: object): number | null {
  const price: unknown = Reflect.get(fields, 'price_override');
  return typeof price === 'number' && Number.isSafeInteger(price) && price >= 0 ? price : null;
}

function textOf<N extends keyof PackageNotes>(fields: object, name: N): Pick<PackageNotes, N> | object {
  const text: unknown = Reflect.get(fields, name);
  return typeof text === 'string' ? { [name]: text } : {};
}

function fieldsOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
