import { sleep } from '../base/clock.ts';
import { AppError, hasCode, messageOf } from '../base/errors.ts';
import type {
  Capabilities,
  DriverContext,
  MoneyCommand,
  Observer,
  Outcome,
  TerminalSession,
} from '../terminal/ports.ts';
import { BasicSession } from './basic-session.ts';
import { type CommandLimits, checkCommand } from './check-command.ts';
import { type MoneyResponse, outcomeOf } from './money-response.ts';
import { payOnce, type Sending } from './once.ts';

/** A request to stop may overtake its payment or be lost: it is repeated while the payment goes on. */
const STOP_AGAIN_MS = 3000;
const NOT_STOPPED = 'The terminal was not asked to stop yet. Press the stop key on the terminal.';

/** The command that runs. */
interface Running {
  readonly command: MoneyCommand;
  readonly observer: Observer;
  /** Aborts when it is over. */
  readonly over: AbortController;
  /** Its request was handed over. */
  isSent: boolean;
  /** The till wants it stopped. */
  isUnwanted: boolean;
}

/**
 * A session with a terminal that answers a request about money with its result, and waits for no acknowledgement of it (`commitPoint: 'received'`). A
 * driver extends it with its requests; what a protocol has not stays as it is in `BasicSession`.
 *
 * INVARIANTS:
 * - a command that the terminal cannot carry out is refused before anything is sent;
 * - `pay` is called once for a command; an error behind its first byte leaves the outcome unknown (`payOnce`);
 * - no outcome of a response is returned before `beforeAcknowledge` has returned true;
 * - the terminal is asked to stop after the command was handed over and before its response, and never otherwise.
 */
export abstract class RequestSession extends BasicSession {
  readonly capabilities: Capabilities;
  protected readonly context: DriverContext;
  readonly #limits: CommandLimits;
  #running: Running | undefined;
  #questions = 0;

  /** @param limits the manifest's capabilities, or those of this device, and its amounts */
  constructor(context: DriverContext, limits: Omit<CommandLimits, 'currency'>) {
    super();
    this.context = context;
    this.capabilities = limits.capabilities;
    this.#limits = { ...limits, currency: context.currency };
  }

  /**
   * Sends the command once, with `sending` handed on to the line, and returns what its response says. `progress` shows a text at the counter.
   * @throws AppError for a command that the protocol cannot carry, before anything is sent; what the line throws
   */
  protected abstract pay(
    command: MoneyCommand,
    sending: Sending,
    signal: AbortSignal,
    progress: (text: string) => void,
  ): Promise<MoneyResponse>;

  /** Asks the terminal to stop this command, on a connection beside it. Absent: staff press the stop key. */
  protected stop?(command: MoneyCommand, signal: AbortSignal): Promise<void>;

  /** The id of a question; never one twice in this session. No ticket begins with a digit. */
  protected questionId(): string {
    this.#questions += 1;
    return `${this.context.clock.now()}-${this.#questions}`;
  }

  override async execute(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome> {
    const running: Running = {
      command,
      observer,
      over: new AbortController(),
      isSent: false,
      isUnwanted: false,
    };
    this.#running = running;
    try {
      return await payOnce(observer, async ({ begun, handed }) => {
        checkCommand(command, this.#limits);
        const sending = { begun, handed: () => handed() && this.#handed(running) };
        const response = await this.pay(command, sending, signal, (text) => observer.progress(text));
        return outcomeOf(response, command, this.capabilities, observer);
      });
    } finally {
      this.#running = undefined;
      running.over.abort(new AppError('TERMINAL_STOPPED', 'the payment is over'));
    }
  }

  override abort(): void {
    const running = this.#running;
    if (!running || running.isUnwanted) return;
    running.isUnwanted = true;
    if (running.isSent) void this.#stop(running);
  }

  #handed(running: Running): boolean {
    running.isSent = true;
    if (running.isUnwanted) void this.#stop(running);
    return true;
  }

  /** Never throws. */
  async #stop({ command, observer, over: { signal } }: Running): Promise<void> {
    const { clock, log } = this.context;
    while (this.stop && !signal.aborted) {
      await this.stop(command, signal).catch((error: unknown) => {
        if (signal.aborted) return;
        log.debug({ error: messageOf(error) }, 'the terminal was not asked to stop');
        observer.progress(NOT_STOPPED);
      });
      await sleep(clock, STOP_AGAIN_MS, signal, 'abort-again').catch(() => undefined);
    }
  }
}

/**
 * Opens a session with the question who the terminal is; where that fails, the session is closed.
 * @param wrongProtocol words for staff where something answers that cannot be read, and what to change
 * @throws TERMINAL_WRONG_PROTOCOL; what `identify` throws
 */
export async function openIdentified<Session extends Pick<TerminalSession, 'identify' | 'close'>>(
  session: Session,
  signal: AbortSignal,
  wrongProtocol: () => string,
): Promise<Session> {
  try {
    await session.identify(signal);
    return session;
  } catch (error) {
    await session.close();
    if (!hasCode(error, 'TERMINAL_GARBLED')) throw error;
    throw new AppError('TERMINAL_WRONG_PROTOCOL', wrongProtocol(), { cause: error });
  }
}
