import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { isOfSource } from '../failure/source-refusal.ts';
import type { ProviderName } from '../integration.ts';
import type { DryRun, RunRequest, SyncRunner } from '../sync-runner-port.ts';

/** The longest time that a dry run reads; a source without end would keep it running. */
const MOST_DRY_RUN_MS = 120_000;

/** Dry runs: one per integration at a time, each with a time limit. */
export class DryRuns {
  readonly #runner: Pick<SyncRunner, 'dryRun'>;
  readonly #clock: Clock;
  readonly #busy = new Set<ProviderName>();

  constructor(runner: Pick<SyncRunner, 'dryRun'>, clock: Clock) {
    this.#runner = runner;
    this.#clock = clock;
  }

  /** @throws DRY_RUN_BUSY, DRY_RUN_TOO_LONG, PROVIDER_FAILED, SLOT_NOT_CONFIGURED, RESOURCE_UNKNOWN */
  async run(provider: ProviderName, asked: RunRequest): Promise<readonly DryRun[]> {
    if (this.#busy.has(provider)) throw new AppError('DRY_RUN_BUSY', `A dry run of ${provider} is under way`);
    this.#busy.add(provider);
    const stop = new AbortController();
    const timer = this.#clock.timer('dry run', MOST_DRY_RUN_MS, () => stop.abort());
    try {
      return await this.#runner.dryRun(provider, asked, stop.signal);
    } catch (error) {
      throw stop.signal.aborted ? tooLong(provider, error) : ofProvider(error);
    } finally {
      timer.stop();
      this.#busy.delete(provider);
    }
  }
}

function tooLong(provider: ProviderName, cause: unknown): AppError {
  const seconds = MOST_DRY_RUN_MS / 1000;
  const message = `${provider} was read for ${seconds} s and there is still more: name one resource`;
  return new AppError('DRY_RUN_TOO_LONG', message, { cause });
}

/** An error of a source as PROVIDER_FAILED; any other one as it is. */
export function ofProvider(error: unknown): unknown {
  if (!isOfSource(error)) return error;
  return new AppError('PROVIDER_FAILED', error.message, {
    context: { details: { cause: error.code.toLowerCase() } },
    cause: error,
  });
}
