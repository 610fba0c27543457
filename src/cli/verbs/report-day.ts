import { DayReport } from '../../api/contract/day-report.ts';
import { dataOf } from '../../api/contract/primitives.ts';
import { exponentOf } from '../../base/money.ts';
import { takingsCsv } from '../../sentences/takings-csv.js';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { dayReportText } from '../show/day-report.ts';

/** A day of many thousand payments is added up in small pieces, beside the payments of now. */
const ADDED_WITHIN_MS = 120_000;

export interface ReportDayOptions extends GlobalOptions {
  /** `YYYY-MM-DD`, `today` or `yesterday`, in the time zone of the shop. */
  readonly day: string;
  readonly csv?: boolean;
}

/** `tillctl report day [DAY]` */
export async function reportDay(options: ReportDayOptions, io: Io): Promise<ExitCode> {
  const path = `/v2/reports/day?day=${encodeURIComponent(options.day)}`;
  const { body, value } = await connect(options, io, ADDED_WITHIN_MS).call({ path }, dataOf(DayReport));
  if (options.json) printDocument(io, body);
  else io.out(options.csv ? takingsCsv(value.data, exponentOf) : dayReportText(value.data));
  return EXIT.done;
}
