import { type Done, perform, tryToSell } from './actions.ts';
import { type CoreWord, compare, coreWord, type ModelWord, type RefinementName, stands } from './compare.ts';
import { ReplayedShop } from './shop.ts';
import { ATTEMPTS, type ModelView, nameOfTrace, type Step } from './trace.ts';
import { ASKS } from './trace-maker.ts';

/** Where core and model part: both words, and the steps up to there. */
export interface Divergence {
  readonly step: string;
  readonly about: string;
  readonly model: string;
  readonly core: string;
  readonly trace: string;
}

/** What one replayed trace gave. */
export interface TraceResult {
  readonly steps: number;
  /** Words about an attempt that were compared. */
  readonly compared: number;
  readonly refinements: Partial<Record<RefinementName, number>>;
  /** Steps that were not replayed, by reason. */
  readonly skipped: Record<string, number>;
  readonly divergence: Divergence | null;
}

/** What both say, where they part. */
type Parting = Pick<Divergence, 'about' | 'model' | 'core'>;

/** Replays one trace of the model against the real core. */
export async function replayTrace(
  steps: readonly Step[],
  folder: string,
  seed: number,
): Promise<TraceResult> {
  const shop = new ReplayedShop(folder, seed);
  await shop.open();
  try {
    return await new Replay(shop, steps).run();
  } finally {
    shop.agent?.crash();
  }
}

/** One trace on its way, with what was counted so far. */
class Replay {
  readonly #shop: ReplayedShop;
  readonly #steps: readonly Step[];
  readonly #refinements: Partial<Record<RefinementName, number>> = {};
  #compared = 0;

  constructor(shop: ReplayedShop, steps: readonly Step[]) {
    this.#shop = shop;
    this.#steps = steps;
  }

  async run(): Promise<TraceResult> {
    for (const [index, step] of this.#steps.entries()) {
      if (step.name === 'restore' && isNewestCopy(this.#steps.slice(0, index)))
        return this.#result(index, { 'nothing was lost with the copy': this.#steps.length - index });
      const done = await this.#perform(step);
      if ('about' in done) return this.#diverged(index, done);
      if (done.kind === 'stop') return this.#result(index, { [done.why]: this.#steps.length - index });
      done.rows?.forEach((row) => {
        this.#count(row);
      });
      const parting = this.#look(step, this.#steps[index + 1]);
      if (parting) return this.#diverged(index, parting);
    }
    return this.#result(this.#steps.length);
  }

  /** What the core cannot do although the model does it is a divergence, too. */
  async #perform(step: Step): Promise<Done | Parting> {
    try {
      return await perform(this.#shop, step);
    } catch (error) {
      return { about: 'the step', model: 'it happens', core: String(error) };
    }
  }

  /** Compares everything after a step; null: both say the same. */
  #look({ after }: Step, next: Step | undefined): Parting | null {
    const wrong = ATTEMPTS.find((one) => this.#shop.charged[one] !== after.charged[one]);
    if (wrong !== undefined) {
      const charged = String(after.charged[wrong]);
      return {
        about: `the card of attempt ${wrong} is charged`,
        model: charged,
        core: 'the ledger says otherwise',
      };
    }
    if (this.#shop.agent === null || isOfAgent(next)) return null;
    for (const attempt of ATTEMPTS) {
      const parting = this.#compare(attempt, modelWord(after, attempt));
      if (parting) return parting;
    }
    const sold = soldAgain(this.#shop, after);
    if (sold === null) return null;
    return { about: `sale ${sold}`, model: 'it stands and is refused', core: 'it is sold again' };
  }

  #compare(attempt: number, model: ModelWord): Parting | null {
    const core = coreWord(this.#shop.view(attempt), this.#shop.refused.has(attempt));
    const difference = compare(model, core);
    this.#compared += 1;
    if (difference?.kind === 'divergence')
      return { about: `attempt ${attempt}`, model: words(model), core: words(core) };
    if (difference) this.#count(difference.row);
    return null;
  }

  #count(row: RefinementName): void {
    this.#refinements[row] = (this.#refinements[row] ?? 0) + 1;
  }

  #diverged(index: number, parting: Parting): TraceResult {
    const steps = this.#steps.slice(0, index + 1);
    const last = steps.at(-1);
    const step = last ? `${last.name} ${last.of}` : '';
    return { ...this.#result(index + 1), divergence: { step, ...parting, trace: nameOfTrace(steps) } };
  }

  #result(steps: number, skipped: Record<string, number> = {}): TraceResult {
    return { steps, compared: this.#compared, refinements: this.#refinements, skipped, divergence: null };
  }
}

/** The agent ended right after it was made, and has written nothing since. */
function isNewestCopy(before: readonly Step[]): boolean {
  const copiedAt = before.findLastIndex(({ name }) => name === 'copy');
  return before.slice(copiedAt + 1).every(({ name }) => name === 'crash');
}

/** A sale that stands in the model and that the core would take once more; null: none. */
function soldAgain(shop: ReplayedShop, after: ModelView): number | null {
  const sales = [ATTEMPTS.filter((one) => one < ASKS), ATTEMPTS.filter((one) => one >= ASKS)];
  for (const [sale, attempts] of sales.entries()) {
    const first = attempts.find((one) => stands(modelWord(after, one)) && isTaken(shop, one));
    if (first !== undefined && 'id' in tryToSell(shop, first)) return sale;
  }
  return null;
}

/** The core has it, and has not ended it as a request that was never sent. */
function isTaken(shop: ReplayedShop, attempt: number): boolean {
  const { stage, charged } = coreWord(shop.view(attempt), false);
  return stage !== 'none' && !(stage === 'final' && charged === 'no');
}

/** What the agent does by itself and in one go: the core may have done it already. */
function isOfAgent(step: Step | undefined): boolean {
  return step !== undefined && /^(expired|recovered_|released|corrected_)/.test(step.name);
}

function modelWord(after: ModelView, attempt: number): ModelWord {
  return {
    state: after.states[attempt] ?? 'none',
    task: after.tasks[attempt] ?? false,
    corrected: after.corrected[attempt] ?? false,
  };
}

function words(word: ModelWord | CoreWord): string {
  return JSON.stringify(word);
}
