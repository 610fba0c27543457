import { dataOf } from '../../api/contract/primitives.ts';
import { RequestEndOfDay, TerminalSettlement } from '../../api/contract/terminal-settlement.ts';
import { AppError } from '../../base/errors.ts';
import type { Answer } from '../client.ts';
import { connect } from '../connect.ts';
import { chooseDevice } from '../device-choice.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { type Followed, followSettlement, isClosed } from '../pay/follow.ts';
import { POLLING_INTERVAL, type PollingInterval } from '../pay/polling-interval.ts';
import { plain } from '../show/plain.ts';
import { settlementText } from '../show/settlement.ts';

export interface EndOfDayOptions extends GlobalOptions {
  readonly device: string;
  /** Closes although a payment is in doubt; requires `by` and `reason`. */
  readonly force?: boolean;
  readonly by?: string;
  readonly reason?: string;
  readonly wait: boolean;
  /** Seconds to wait while tilld is unreachable. */
  readonly timeout: number;
}

/** `tillctl end-of-day D`: closes the day of a terminal and waits for the outcome; exit 1 also where it is closed and the sums differ. */
export async function endOfDay(
  options: EndOfDayOptions,
  io: Io,
  interval: PollingInterval = POLLING_INTERVAL,
): Promise<ExitCode> {
  const body = requestOf(options);
  const stop = new AbortController();
  const { signal } = stop;
  const forget = io.onInterrupt(() => stop.abort());
  try {
    const client = connect(options, io);
    const device = await chooseDevice(client, options.device, signal);
    const path = `/v2/terminal-devices/${device.id}/end-of-day`;
    const first = await client.call({ method: 'POST', path, body, signal }, dataOf(TerminalSettlement));
    const settlement = first.value.data;
    const shown = (end: Followed['end'] | 'accepted', last: typeof first) =>
      show(options, io, device.name, end, last);
    if (!options.wait) return shown(isClosed(settlement) ? 'final' : 'accepted', first);
    io.err(`end of day ${settlement.id} on ${plain(device.name)}\n`);
    const say = (text: string) => io.err(`  ${plain(text)}\n`);
    const follow = { doubtMs: options.timeout * 1000, interval, signal, say };
    const { end, last } = await followSettlement(client, first, follow);
    return shown(end, last);
  } catch (error) {
    if (!signal.aborted) throw error;
    const message = 'interrupted; the end of day may go on. The same command shows it while it is open.';
    throw new AppError('INTERRUPTED', message, { cause: error });
  } finally {
    forget();
  }
}

function requestOf({ force, by, reason }: EndOfDayOptions): RequestEndOfDay {
  if (!force) {
    if (by === undefined && reason === undefined) return {};
    throw new AppError('USAGE', '--by and --reason belong to --force');
  }
  const request = RequestEndOfDay.safeParse({ force: { by, reason } });
  if (request.success) return request.data;
  throw new AppError(
    'USAGE',
    '--force needs --by NAME and --reason TEXT, each 1 to 200 printable characters',
  );
}

function show(
  options: EndOfDayOptions,
  io: Io,
  terminal: string,
  end: Followed['end'] | 'accepted',
  last: Answer<{ data: TerminalSettlement }>,
): ExitCode {
  const settlement = last.value.data;
  if (options.json) printDocument(io, last.body);
  else io.out(settlementText(settlement, terminal));
  const words = WORDS[end];
  if (words !== undefined) io.err(`tillctl: ${words}\n`);
  if (end === 'final') return exitOf(settlement);
  if (end === 'accepted') return EXIT.done;
  return end === 'interrupted' ? EXIT.interrupted : EXIT.unknownOutcome;
}

const WORDS: Readonly<Partial<Record<Followed['end'] | 'accepted', string>>> = {
  unreachable:
    'tilld does not answer: it is not known whether the day was closed. No payment is changed by that; look at the terminal.',
  too_long: 'the end of day is still running; this command waits no longer.',
  interrupted: 'interrupted, the end of day goes on.',
};

function exitOf({ status, comparison }: TerminalSettlement): ExitCode {
  if (status === 'succeeded') return comparison?.verdict === 'differs' ? EXIT.no : EXIT.done;
  return status === 'unknown' ? EXIT.unknownOutcome : EXIT.no;
}
