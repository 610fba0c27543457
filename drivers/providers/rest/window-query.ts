import { type Json, type SyncWindow, sourceError } from '../../../src/driver-kit/provider.ts';
import type { Bound, Resource } from './recipe.ts';
import { formatBound } from './time-format.ts';

/** Formats that say nothing of their zone: in the wrong one, changes would be missed. */
const LOCAL: ReadonlySet<string> = new Set(['iso_local', 'sql', 'date']);

/** A bound as it is sent. */
export interface AskedBound {
  readonly parameter: string;
  readonly in: Bound['in'];
  readonly value: Json;
}

/**
 * The parameters that request the changes of a window; both bounds may use one parameter. None where everything is asked for: a filter by time hides
 * the records that have no time. @throws SOURCE_REFUSED when a format needs a zone and there is none
 */
export function windowBounds(
  { changes }: Resource,
  { from, to }: SyncWindow,
  zone: string | null,
): readonly AskedBound[] {
  if (!changes || from === null) return [];
  const asked = (bound: Bound, side: 'from' | 'until'): AskedBound => {
    if (zone === null && LOCAL.has(bound.format))
      throw sourceError(
        'SOURCE_REFUSED',
        `"${bound.parameter}" is asked for in the source's own time: set "settings.timeZone" to the zone of the source`,
      );
    const time = formatBound(side, { from, to }, bound.format, bound.exclusive, zone);
    const isNumber = bound.format === 'unix_s' || bound.format === 'unix_ms';
    return {
      parameter: bound.parameter,
      in: bound.in,
      value: filled(bound.template, time, isNumber ? Number(time) : time),
    };
  };
  return [asked(changes.from, 'from'), ...(changes.until ? [asked(changes.until, 'until')] : [])];
}

/** A text that is the time alone becomes the time in its own type. */
function filled(template: Json, time: string, alone: Json): Json {
  if (typeof template === 'string')
    return template === '{time}' ? alone : template.replaceAll('{time}', time);
  if (Array.isArray(template)) return template.map((one: Json) => filled(one, time, alone));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, one]: [string, Json]) => [name, filled(one, time, alone)]),
  );
}
