import { REFINEMENTS, type RefinementName } from './compare.ts';
import type { Divergence } from './replay-trace.ts';
import type { Report } from './worker.ts';

/** So many divergences are printed; there is one for each trace at most. */
const PRINTED = 20;

/** The sum of all replayed traces. */
export class Summary {
  traces = 0;
  readonly #names = new Set<string>();
  readonly #refinements = new Map<RefinementName, number>();
  readonly #skipped = new Map<string, number>();
  readonly #divergences: (Divergence & { readonly seed: number })[] = [];
  #steps = 0;
  #compared = 0;

  get diverged(): boolean {
    return this.#divergences.length > 0;
  }

  add({ seed, name, result }: Report): void {
    this.traces += 1;
    this.#names.add(name);
    this.#steps += result.steps;
    this.#compared += result.compared;
    for (const row of Object.keys(REFINEMENTS) as RefinementName[])
      count(this.#refinements, row, result.refinements[row]);
    for (const [why, steps] of Object.entries(result.skipped)) count(this.#skipped, why, steps);
    if (result.divergence) this.#divergences.push({ seed, ...result.divergence });
  }

  /** The divergences for people: what both say, and the steps that lead there. */
  lines(): readonly string[] {
    return this.#divergences
      .slice(0, PRINTED)
      .flatMap(({ seed, step, about, model, core, trace }) => [
        `seed ${seed}, after "${step}": ${about}`,
        `  the model says: ${model}`,
        `  the core says:  ${core}`,
        `  steps: ${trace}`,
      ]);
  }

  total(wallMs: number) {
    return {
      traces: this.traces,
      steps: this.#steps,
      distinct_traces: this.#names.size,
      compared: this.#compared,
      refinements: Object.fromEntries(this.#refinements),
      skipped_steps: Object.fromEntries(this.#skipped),
      divergences: this.#divergences.map(({ seed, step, about, model, core }) => ({
        seed,
        step,
        about,
        model,
        core,
      })),
      wall_ms: Math.round(wallMs),
    };
  }
}

function count<K>(counts: Map<K, number>, key: K, more = 0): void {
  if (more > 0) counts.set(key, (counts.get(key) ?? 0) + more);
}
