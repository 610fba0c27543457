import { AppError } from '../../base/errors.ts';
import { shapeOf } from '../../store/inspection/checks.ts';
import { openForReading } from '../../store/read-only-database.ts';
import { canWrite } from '../../store/schema/release.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { requireStateFiles, type StateOptions } from './state-files.ts';

export interface ReleaseFitsOptions extends GlobalOptions, StateOptions {
  /** `0.2.0`, or a Debian version with this prefix. */
  readonly release: string;
}

/**
 * `tillctl release-fits RELEASE`: whether that release can write the current database. A package calls it before a downgrade; it
 * changes nothing, also beside a running daemon.
 * @throws RELEASE_TOO_OLD
 */
export async function releaseFits(options: ReleaseFitsOptions, io: Io): Promise<ExitCode> {
  const { release, json } = options;
  const database = openForReading(requireStateFiles(options, io).database);
  try {
    const { minWriter } = shapeOf(database);
    if (!canWrite(release, minWriter))
      throw new AppError(
        'RELEASE_TOO_OLD',
        `tilld ${release} cannot write these books: they need ${minWriter ?? 'a later release'} or later. Nothing was changed.`,
      );
    if (json) printDocument(io, { data: { release, min_writer: minWriter } });
    else io.out(`tilld ${release} can write these books (they need ${minWriter} or later).\n`);
    return EXIT.done;
  } finally {
    database.close();
  }
}
