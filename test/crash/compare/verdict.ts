import { LIBRARY, OURS, QUEUES } from './contestants.ts';
import type { Row } from './table.ts';

/** Why a comparison has failed; empty when it has not. */
export function complaintsOf(rows: readonly Row[]): readonly string[] {
  const named = new Map(rows.map((row) => [row.name, row]));
  const ours = named.get(OURS.name);
  const [withFull, without] = LIBRARY.map(({ name }) => named.get(name));
  const complaints: string[] = [];
  if (ours === undefined) complaints.push('tilld itself could not run');
  else if (ours.images_with_loss > 0)
    complaints.push(`tilld lost acknowledged reports on ${ours.images_with_loss} of ${ours.images} disks`);
  if (!QUEUES.some(({ name }) => named.has(name)))
    complaints.push('no queue of others could run: there is nothing to compare with');
  // Two results are known beforehand; where they do not come out, the other figures mean nothing.
  if (withFull?.images_with_loss !== 0)
    complaints.push('the library with FULL lost something or did not run: the cut takes too much');
  if (!without || without.images_with_loss === 0)
    complaints.push('the library with NORMAL lost nothing or did not run: the cut takes too little');
  return complaints;
}
