import { examine } from '../../store/damage/examination.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';

export interface ReadPagesOptions extends GlobalOptions {
  /** A money database. */
  readonly file: string;
}

/**
 * `tillctl read-pages FILE`, for tilld alone: reads every page of a database, also while it is written. A flaw is an answer: exit 0.
 * @throws what keeps it from being read
 */
export async function readPages({ file }: ReadPagesOptions, io: Io): Promise<ExitCode> {
  printDocument(io, { data: { flaw: examine(file) } });
  return EXIT.done;
}
