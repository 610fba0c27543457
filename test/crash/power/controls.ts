import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Plant } from '../../mutants/plant.ts';
import { environmentOf } from '../../mutants/simulation-run.ts';
import type { Crime } from './crimes.ts';
import { playScenario, type RecordedScenario } from './recorded.ts';

/** A bug that only a power cut can show, and what it must be found as: without that the test proves less than it seems to. */
export type Control = Plant & {
  readonly scenario: string;
  readonly finds: Crime;
};

const DATABASE = 'src/store/database.ts';

/** The commits of WAL without a sync of their own. */
export const SYNCHRONOUS_NORMAL: Control = {
  name: 'synchronous-normal',
  file: DATABASE,
  in: 'Database.open',
  find: 'makeDurable(sqlite, durability)',
  replace: "makeDurable(sqlite, 'normal')",
  scenario: 'payment',
  finds: 'lost_acknowledged',
};

export const CONTROLS: readonly Control[] = [
  SYNCHRONOUS_NORMAL,
  {
    name: 'no-transaction',
    file: DATABASE,
    in: 'Database.transaction',
    find: 'this.#inTransaction.immediate(work)',
    replace: 'work()',
    scenario: 'giving-back',
    finds: 'half_written',
  },
  {
    name: 'archive-that-is-not-synced',
    file: 'src/store/archive/archive.ts',
    in: 'openArchive',
    find: 'Database.open(path, ARCHIVE_MIGRATIONS, appVersion)',
    replace: "Database.open(path, ARCHIVE_MIGRATIONS, appVersion, 'normal')",
    scenario: 'archive',
    finds: 'lost_acknowledged',
  },
  {
    name: 'note-written-over',
    file: 'src/store/disk/durable-file.ts',
    in: 'writeFileDurably',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code of the source
    find: '`${path}.new`',
    replace: 'path',
    scenario: 'days',
    finds: 'epoch',
  },
];

/**
 * Plays a scenario with the bug in it.
 * @throws Error when the scenario never loads the file, or its place has drifted: such a control proves nothing.
 */
export function playWith(plant: Plant, scenario: string, root: string, recorder: string): RecordedScenario {
  const sign = join(root, 'planted');
  rmSync(sign, { force: true });
  const environment = { ...environmentOf(plant), TILLD_MUTANT_SIGN: sign };
  const played = playScenario(scenario, root, recorder, environment);
  if (!existsSync(sign)) throw new Error(`${plant.name}: ${plant.file} was never loaded`);
  return played;
}
