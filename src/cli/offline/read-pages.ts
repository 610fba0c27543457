import { examine } from '../../store/damage/damage-check.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';

export interface ReadPagesOptions extends GlobalOptions {
  /** A money database. */
  readonly file: string;
}

/**
 * `tillctl read-pages FILE`, for tilld alone: reads every page of a database, also during writes. A found flaw is a result: exit 0.
 * @throws the error that prevents reading
 */
export async function scanPages({ file }: ReadPagesOptions, io: Io): Promise<ExitCode> {
  printDocument(io, { data: { flaw: examine(file) } });
  return EXIT.done;
}
