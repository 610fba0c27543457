import type { SyncWindow } from '../../../src/driver-kit/provider.ts';
import type { Bound, Resource } from './recipe.ts';
import { formatBound } from './time-format.ts';

/** How far back the clocks of a zone can have been put, ms: the range that a window without a beginning checks for its end. */
const TWO_DAYS_MS = 172_800_000;

/** The parameters that request the changes of a window; both bounds may use one parameter, which is then repeated. */
export function windowQuery(
  { changes, query }: Resource,
  { from, to }: SyncWindow,
  zone: string | null,
): Record<string, string | readonly string[]> {
  const asked: Record<string, string[]> = {};
  const add = ({ parameter, template, format, exclusive }: Bound, side: 'from' | 'until') => {
    const span = { from: from ?? to - TWO_DAYS_MS, to };
    const text = template.replaceAll('{time}', formatBound(side, span, format, exclusive, zone));
    asked[parameter] = [...(asked[parameter] ?? fixed(query[parameter])), text];
  };
  if (changes && from !== null) add(changes.from, 'from');
  if (changes?.until) add(changes.until, 'until');
  return asked;
}

function fixed(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}
