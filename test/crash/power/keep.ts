import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cuts } from './cuts.ts';
import { writeFiles } from './image-folder.ts';
import { playScenario } from './recorded.ts';

/** Keeps one image to be looked at, and says what the judge says of it: 1 when that is something, 2 when there is no such image. */
export async function keepImage(place: string, root: string, recorder: string): Promise<number> {
  const [name = '', ...numbers] = place.split(':');
  const [boundary = 0, seed = -1] = numbers.map(Number);
  if (!Number.isSafeInteger(boundary) || boundary < 1 || !Number.isSafeInteger(seed) || seed < 0) {
    process.stderr.write('--replay WORKLOAD:BOUNDARY:SEED\n');
    return 2;
  }
  const scenario = playScenario(name, root, recorder);
  const cuts = new Cuts(scenario, join(root, 'replay'));
  const { files, word } = cuts.image({ boundary, seed });
  const kept = mkdtempSync(join(tmpdir(), 'tilld-power-cut-'));
  writeFiles(join(kept, 'image'), files);
  cpSync(join(scenario.folder, 'recording'), join(kept, 'recording'));
  const [verdict] = await cuts.at(boundary, [seed]);
  for (const { crime, text } of verdict?.accusations ?? []) process.stderr.write(`${crime}: ${text}\n`);
  process.stdout.write(
    `${JSON.stringify({ mode: 'power', ...verdict, image: kept, unsynced: word, boundaries: cuts.boundaries })}\n`,
  );
  return verdict?.accusations.length === 0 ? 0 : 1;
}
