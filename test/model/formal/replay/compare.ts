import { isFinal } from '../../../../src/payment/attempt/state-machine.ts';
import type { AttemptView } from '../../../../src/payment/payments.ts';
import type { ModelState } from './trace.ts';

/** What the model says of one attempt. */
export interface ModelWord {
  readonly state: ModelState;
  readonly task: boolean;
  readonly corrected: boolean;
}

/** What the core says of it. `stage`: `none`, it knows no such attempt; `refused`, the sale was refused when it was asked for. */
export interface CoreWord {
  readonly stage: 'none' | 'refused' | 'requested' | 'running' | 'in_doubt' | 'written_off' | 'final';
  readonly charged: 'yes' | 'no' | 'unknown';
  readonly task: boolean;
}

/**
 * Where the core may be more careful than the model; README.md has the reason of each. Whatever fits none of them, and is not the same, is
 * a divergence.
 */
export const REFINEMENTS = {
  refused_at_once: 'the model takes the request and lets it expire, the core refuses it',
  expired_at_once: 'the core cancels a waiting request before the model lets it expire',
  asked_earlier: 'a person is asked of a doubt before the model asks',
  a_person_decides: 'the core asks a person where the machine of the model decides',
  waits_longer: 'the core asks for more time, or another source, before it takes a "not charged"',
} as const;
export type RefinementName = keyof typeof REFINEMENTS;

/** Null: they say the same. */
export type Difference =
  | { readonly kind: 'refinement'; readonly row: RefinementName }
  | { readonly kind: 'divergence' }
  | null;

const DIVERGENCE: Difference = { kind: 'divergence' };
const refinement = (row: RefinementName): Difference => ({ kind: 'refinement', row });

/** Compares what both say of one attempt. Pure. */
export function compare(model: ModelWord, core: CoreWord): Difference {
  switch (model.state) {
    case 'none':
      return core.stage === 'none' || core.stage === 'refused' ? null : DIVERGENCE;
    case 'requested':
      if (core.stage === 'refused') return refinement('refused_at_once');
      if (core.stage === 'final' && core.charged === 'no') return refinement('expired_at_once');
      return core.stage === 'requested' ? null : DIVERGENCE;
    case 'dispatched':
    case 'approved':
      return core.stage === 'running' ? null : DIVERGENCE;
    case 'in_doubt':
      return compareDoubt(model, core);
    case 'written_off':
      return core.stage === 'written_off' && core.charged === 'unknown' ? null : DIVERGENCE;
    case 'charged':
    case 'not_charged':
      return compareEnd(model, core);
  }
}

/** A doubt is told as one; who has a task in the model has one here. */
function compareDoubt(model: ModelWord, core: CoreWord): Difference {
  if (core.stage !== 'in_doubt') return DIVERGENCE;
  if (model.task === core.task) return null;
  return core.task ? refinement('asked_earlier') : DIVERGENCE;
}

function compareEnd(model: ModelWord, core: CoreWord): Difference {
  const isCharged = (model.state === 'charged') !== model.corrected;
  if (!isCharged && core.stage === 'refused') return null;
  if (core.stage === 'final' && core.charged === (isCharged ? 'yes' : 'no')) return null;
  if (core.stage === 'in_doubt' && core.task) return refinement('a_person_decides');
  return DIVERGENCE;
}

/** What the core tells; `null`: it knows no such attempt. */
export function coreWord(view: AttemptView | null, wasRefused: boolean): CoreWord {
  if (view === null) return { stage: wasRefused ? 'refused' : 'none', charged: 'no', task: false };
  const { attempt, charged, tasks } = view;
  return { stage: stageOf(attempt.state), charged, task: attempt.needsPerson || tasks.length > 0 };
}

function stageOf(state: AttemptView['attempt']['state']): CoreWord['stage'] {
  if (state.name === 'requested' || state.name === 'in_doubt' || state.name === 'written_off')
    return state.name;
  return isFinal(state) ? 'final' : 'running';
}

/** A sale that stands: the model refuses to ask for it again. `corrected` of a charged one: nothing stands of it in truth. */
export function stands({ state, corrected }: ModelWord): boolean {
  if (state === 'charged') return !corrected;
  if (state === 'not_charged') return corrected;
  return state !== 'none';
}
