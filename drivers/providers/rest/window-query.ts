import type { SyncWindow } from '../../../src/driver-kit/provider.ts';
import type { Bound, Resource } from './recipe.ts';
import { formatBound } from './time-format.ts';

/**
 * The parameters that request the changes of a window; both bounds may use one parameter, which is then repeated. None where everything is asked for:
 * a filter by time hides the records that have no time.
 */
export function windowQuery(
  { changes, query }: Resource,
  { from, to }: SyncWindow,
  zone: string | null,
): Record<string, string | readonly string[]> {
  if (!changes || from === null) return {};
  const asked: Record<string, string[]> = {};
  const add = ({ parameter, template, format, exclusive }: Bound, side: 'from' | 'until') => {
    const text = template.replaceAll('{time}', formatBound(side, { from, to }, format, exclusive, zone));
    asked[parameter] = [...(asked[parameter] ?? fixed(query[parameter])), text];
  };
  add(changes.from, 'from');
  if (changes.until) add(changes.until, 'until');
  return asked;
}

function fixed(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}
