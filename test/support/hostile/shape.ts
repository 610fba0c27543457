import type { PageStyle, ResourceManifest } from '../../../src/integration/connector.ts';
import type { Random } from '../../simulation/random.ts';

const MINUTE = 60_000;

/** How a source is made: what stays the same for its whole life. */
export interface Shape {
  readonly rows: number;
  readonly pageSize: number;
  readonly style: PageStyle;
  /** In which order it lists. */
  readonly order: 'ascending' | 'descending' | 'none';
  readonly deletes: ResourceManifest['deletes'];
  /** False: it cannot be asked for changes, every list is all of it. */
  readonly hasCursor: boolean;
  /** It shows what is newer than the upper bound that it was given. */
  readonly ignoresTo: boolean;
  /** Whether it can be asked for one record. */
  readonly canGet: boolean;
  /** The clock that stamps rows, minus the true one. */
  readonly rowSkewMs: number;
  /** The clock of its answers, minus the true one; null: it does not tell. */
  readonly headerSkewMs: number | null;
  /** How late a commit may come after its stamp. */
  readonly lateMs: number;
  /** It does not say whether there is more: behind the last page comes an empty one. */
  readonly isUnsure: boolean;
  /** Share of its rows that have no time: no filter by time shows them. */
  readonly timeless: number;
  /** All rows of the beginning have one stamp. */
  readonly isTied: boolean;
}

/** A source drawn from a seed; `ties`: so many rows in one millisecond. */
export function shapeOf(random: Random, ties: number): Shape {
  const isTied = ties > 0;
  const hasCursor = isTied || random.chance(0.85);
  const rowSkewMs = random.chance(0.5) ? 0 : random.int(-5 * MINUTE, 5 * MINUTE);
  const styles = ['offset', 'page', 'link', 'cursor', 'cursor', 'whole'] as const;
  const style = isTied ? random.pick(['offset', 'cursor'] as const) : random.pick(styles);
  return {
    rows: isTied ? ties : 50 + Math.floor(450 * random.next() ** 2),
    pageSize: isTied ? 500 : random.pick([10, 25, 50, 100]),
    style,
    order: random.pick(['ascending', 'descending', 'none'] as const),
    deletes: hasCursor ? random.pick(['tombstones', 'scan', 'scan'] as const) : 'scan',
    hasCursor,
    ignoresTo: random.chance(0.2),
    canGet: random.chance(0.5),
    rowSkewMs,
    headerSkewMs: random.chance(0.2)
      ? null
      : random.chance(0.6)
        ? rowSkewMs
        : random.int(-5 * MINUTE, 5 * MINUTE),
    lateMs: 10 * MINUTE,
    isUnsure: (style === 'offset' || style === 'page') && random.chance(0.5),
    timeless: hasCursor && !isTied && random.chance(0.25) ? 0.3 : 0,
    isTied,
  };
}

/** What its documentation says. */
export function manifestOf(shape: Shape, resource: string): ResourceManifest {
  return {
    name: resource,
    cursorField: shape.hasCursor ? 'updated_at' : null,
    pageStyle: shape.style,
    deletes: shape.deletes,
  };
}
