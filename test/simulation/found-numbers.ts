import { cardNumbersIn } from './artefacts.ts';
import type { World } from './world.ts';

/** Once at the end of a history: no full card number in the bytes of the database, in the log, or in what the service was sent. */
export function judgeArtefacts({ books, disk, service, trace }: World): void {
  const places = [
    ['the database', disk.read().map((bytes) => bytes.toString('latin1'))],
    ['the log', trace.heard],
    ['a report', service.watch.bodies],
  ] as const;
  for (const [where, texts] of places) {
    const found = texts.flatMap((text) => cardNumbersIn(text));
    if (found.length > 0)
      books.accuse('broken_rules', `a full card number is in ${where}, ${found.length} times: ${found[0]}`);
  }
}
