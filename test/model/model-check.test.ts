import { describe, expect, it } from 'vitest';
import { transition } from '../../src/payment/attempt/state-machine.ts';
import type { Machine } from './model.ts';
import { checkModel } from './model-check.ts';

const DEPTH = 20;

describe('every interleaving of one terminal, two requests, cancel, crash, link loss and late answers', () => {
  it(`down to ${DEPTH} steps: no double charge, no charge unknown to the books, no success without a charge`, () => {
    const checked = checkModel(transition, DEPTH);
    process.stdout.write(
      `model check: ${checked.states} states, ${checked.steps} steps, depth ${checked.depth}\n`,
    );
    expect(checked.found).toBeNull();
    expect(checked.states).toBeGreaterThan(1000);
  });

  it.each<[string, Machine]>([
    [
      'silence is taken for a decline',
      (state, event) =>
        event.type === 'lost' && state.name === 'accepted'
          ? { kind: 'changed', state: { name: 'declined' }, effects: [] }
          : transition(state, event),
    ],
    [
      'the first approval is taken for success',
      (state, event) =>
        event.type === 'reported' && event.verdict === 'approved' && state.name === 'accepted'
          ? { kind: 'changed', state: { name: 'succeeded' }, effects: [] }
          : transition(state, event),
    ],
    [
      'a cancel ends a running payment',
      (state, event) =>
        event.type === 'cancel' && state.name === 'accepted'
          ? { kind: 'changed', state: { name: 'cancelled' }, effects: [] }
          : transition(state, event),
    ],
  ])('finds the hole when %s', (_hole, broken) => {
    expect(checkModel(broken, DEPTH).found).not.toBeNull();
  });

  it.each(['readsWhileBusy', 'sellsWhileInDoubt', 'hearsOldDialogues'] as const)(
    'finds the hole when the agent %s',
    (hole) => {
      expect(checkModel(transition, DEPTH, { [hole]: true }).found).not.toBeNull();
    },
  );
});
