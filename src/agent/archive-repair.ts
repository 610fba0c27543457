import { statSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { archiveLossWords } from '../store/archive/archive-loss.ts';
import { ArchiveSalvage } from '../store/archive/archive-salvage.ts';
import { examine } from '../store/damage/damage-check.ts';
import type { Money } from './money.ts';

/** Salvages of one process run: a disk that damages every new file must not have it written without an end. */
const MOST_SALVAGES = 2;
/** Every page of an archive up to this size is checked once after a start: some milliseconds. */
const AT_ONCE_BYTES = 4_194_304;

export interface ArchiveRepairDeps {
  readonly money: Pick<Money, 'database' | 'archive'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Salvages a damaged archive, a step at a time. */
export class ArchiveRepair {
  readonly #deps: ArchiveRepairDeps;
  #salvage: ArchiveSalvage | null = null;
  #begun = 0;
  #isChecked = false;

  constructor(deps: ArchiveRepairDeps) {
    this.#deps = deps;
  }

  /** A step is to be done: damage was found, by the check of a small archive, by the archiving itself, or by a reader of a timeline. */
  get isDue(): boolean {
    if (!this.#isChecked) this.#check();
    return (
      this.#salvage !== null || (this.#deps.money.archive.damage !== null && this.#begun < MOST_SALVAGES)
    );
  }

  /** Whether an error of the archiving is damage that can be salvaged. */
  takes(error: unknown): boolean {
    const { archive } = this.#deps.money;
    if (this.#salvage !== null || archive.isNoDatabase(error)) return false;
    return archive.damageIn(error) !== null && this.isDue;
  }

  /** @throws STORAGE_FULL, STORAGE_FAILED */
  step(): void {
    const { money, log } = this.#deps;
    this.#salvage ??= this.#begin();
    if (!this.#salvage.step()) return;
    money.archive.replaced();
    const loss = this.#salvage.finish();
    this.#salvage = null;
    const { kept, saved, lost } = loss;
    log.error(
      { kept, saved, lost, what: archiveLossWords(loss) },
      'damaged archive set aside, what was saved takes its place',
    );
  }

  close(): void {
    this.#salvage?.close();
    this.#salvage = null;
  }

  /** Once in a process run. */
  #check(): void {
    const { archive } = this.#deps.money;
    this.#isChecked = true;
    const size = statSync(archive.path, { throwIfNoEntry: false })?.size ?? 0;
    const flaw = size > AT_ONCE_BYTES ? null : examine(archive.path);
    if (flaw !== null) archive.damageIn(new AppError('STORAGE_DAMAGED', flaw));
  }

  #begin(): ArchiveSalvage {
    const { money, clock } = this.#deps;
    const { path, appVersion: version, damage } = money.archive;
    this.#begun += 1;
    return new ArchiveSalvage({ money: money.database, path, version, what: damage ?? '', now: clock.now() });
  }
}
