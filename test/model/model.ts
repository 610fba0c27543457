import {
  type AttemptEvent,
  type AttemptState,
  isFinal,
  type transition,
} from '../../src/payment/attempt/state-machine.ts';
import type { Verdict } from '../../src/terminal/ports.ts';

/** The function under test; a planted hole replaces it. */
export type Machine = typeof transition;

type ToAgent =
  | { readonly say: 'accepted' }
  | { readonly say: 'result'; readonly verdict: Verdict }
  | { readonly say: 'end'; readonly as: 'approved' | 'declined' | 'aborted' };
type ToTerminal = { readonly ask: 'sale'; readonly of: Index } | { readonly ask: 'ack' | 'abort' };
export type Index = 0 | 1;
const INDEXES = [0, 1] as const;
/** More are never on their way at once. */
const MAX_MESSAGES = 4;

/** What the terminal has stored last; `reversed`: it took its approval back by itself. */
interface Stored {
  readonly of: Index;
  readonly reversed: boolean;
}

/** One terminal, one agent, two requests, and the line between them. */
export interface World {
  readonly attempts: readonly [AttemptState | null, AttemptState | null];
  /** What was stored when each was dispatched: the mark. */
  readonly marks: readonly [Stored | null, Stored | null];
  /** The attempt whose dialogue the agent holds. */
  readonly dialogue: Index | null;
  readonly terminal: {
    readonly phase: 'idle' | 'card' | 'approved' | 'declined' | 'aborted';
    readonly of: Index | null;
    readonly stored: Stored | null;
  };
  /** Charges that stand, by attempt: the truth. */
  readonly charged: readonly [number, number];
  readonly line: boolean;
  readonly toAgent: readonly ToAgent[];
  readonly toTerminal: readonly ToTerminal[];
}

export const START: World = {
  attempts: [null, null],
  marks: [null, null],
  dialogue: null,
  terminal: { phase: 'idle', of: null, stored: null },
  charged: [0, 0],
  line: true,
  toAgent: [],
  toTerminal: [],
};

/** A rule of the agent that can be left out, to see that the check bites. */
export interface Holes {
  /** What an older dialogue left on the line counts for the new one. */
  readonly hearsOldDialogues?: boolean;
  /** Recovery reads a terminal that is still busy. */
  readonly readsWhileBusy?: boolean;
  /** A new sale goes out though one is in doubt. */
  readonly sellsWhileInDoubt?: boolean;
}

export interface Step {
  readonly name: string;
  readonly world: World;
}

/** Every step that the agent, the terminal, the customer, the line or fate can take next. */
export function stepsFrom(world: World, machine: Machine, holes: Holes): readonly Step[] {
  return [
    ...agentSteps(world, machine, holes),
    ...terminalSteps(world),
    ...deliveries(world, machine, holes),
    ...fate(world, machine),
  ];
}

/** What must be true in every world; null when it is. */
export function violation(world: World): string | null {
  for (const index of INDEXES) {
    const state = world.attempts[index];
    const charges = world.charged[index];
    if (charges > 1) return `attempt ${index} is charged twice`;
    if (state && isFinal(state)) {
      if (state.name === 'succeeded' && charges !== 1) return `attempt ${index} succeeded and is not charged`;
      if (state.name !== 'succeeded' && charges !== 0)
        return `attempt ${index} is ${state.name} and is charged`;
    }
    if (!state && charges > 0) return `attempt ${index} is charged and was never made`;
  }
  return null;
}

function agentSteps(world: World, machine: Machine, holes: Holes): Step[] {
  return INDEXES.flatMap((index) => {
    const state = world.attempts[index];
    if (!state) return [{ name: `create ${index}`, world: withAttempt(world, index, { name: 'requested' }) }];
    const steps: Step[] = [];
    if (state.name === 'requested' && mayDispatch(world, index, holes))
      steps.push(dispatch(world, index, machine));
    if (!isFinal(state)) steps.push(cancel(world, index, machine));
    if (state.name === 'in_doubt' && mayRecover(world, holes))
      steps.push(recover(world, index, state.hadApproval, machine));
    return steps;
  });
}

function mayDispatch(world: World, index: Index, holes: Holes): boolean {
  const other = world.attempts[index === 0 ? 1 : 0];
  const blocked = other?.name === 'in_doubt' && holes.sellsWhileInDoubt !== true;
  return world.line && world.dialogue === null && world.terminal.phase === 'idle' && !blocked;
}

function mayRecover(world: World, holes: Holes): boolean {
  return (
    world.line &&
    world.dialogue === null &&
    (world.terminal.phase === 'idle' || holes.readsWhileBusy === true)
  );
}

function dispatch(world: World, index: Index, machine: Machine): Step {
  const next = applied(world, index, { type: 'dispatch' }, machine);
  const marks = replaced(world.marks, index, world.terminal.stored);
  return {
    name: `dispatch ${index}`,
    world: { ...next, marks, dialogue: index, toTerminal: [...next.toTerminal, { ask: 'sale', of: index }] },
  };
}

function cancel(world: World, index: Index, machine: Machine): Step {
  const next = applied(world, index, { type: 'cancel' }, machine);
  const aborts = next.attempts[index]?.name === 'cancelling' && next.line && next.toTerminal.length < 2;
  return {
    name: `cancel ${index}`,
    world: aborts ? { ...next, toTerminal: [...next.toTerminal, { ask: 'abort' }] } : next,
  };
}

/** Reads what is stored; "not charged" is said of an idle terminal only, which is what the settle time is for. */
function recover(world: World, index: Index, hadApproval: boolean, machine: Machine): Step {
  const { stored } = world.terminal;
  const ours = stored !== null && stored.of === index && stored !== world.marks[index];
  const of = ours ? (stored.reversed ? 'reversed' : 'charged') : hadApproval ? 'reversed' : 'not_charged';
  return { name: `recover ${index}: ${of}`, world: applied(world, index, { type: 'evidence', of }, machine) };
}

function terminalSteps(world: World): Step[] {
  const { phase, of } = world.terminal;
  if (of === null) return [];
  if (phase === 'card') return [approve(world, of), say(world, 'declined', 'refused')];
  const again =
    phase === 'declined' && world.line && world.toAgent.length < MAX_MESSAGES ? [approve(world, of)] : [];
  if (phase === 'idle' || world.line) return again;
  if (phase !== 'approved') return [{ name: 'terminal ends alone', world: idle(world) }];
  const reversed = { ...world, charged: replaced(world.charged, of, 0) };
  return [
    { name: 'terminal keeps it', world: idle(world) },
    { name: 'terminal reverses it', world: idle(reversed, { of, reversed: true }) },
  ];
}

function approve(world: World, of: Index): Step {
  const charged = replaced(world.charged, of, world.charged[of] + 1);
  const terminal = { phase: 'approved', of, stored: { of, reversed: false } } as const;
  return {
    name: `customer pays ${of}`,
    world: sentToAgent({ ...world, charged, terminal }, { say: 'result', verdict: 'approved' }),
  };
}

function say(world: World, phase: 'declined' | 'aborted', verdict: Verdict): Step {
  return {
    name: `terminal: ${phase}`,
    world: sentToAgent({ ...world, terminal: { ...world.terminal, phase } }, { say: 'result', verdict }),
  };
}

function deliveries(world: World, machine: Machine, holes: Holes): Step[] {
  const steps: Step[] = [];
  const [asked, ...laterAsked] = world.toTerminal;
  if (asked)
    steps.push({
      name: `terminal hears ${asked.ask}`,
      world: hear({ ...world, toTerminal: laterAsked }, asked),
    });
  const [message, ...laterSent] = world.toAgent;
  if (message && world.toAgent.length < MAX_MESSAGES) {
    steps.push({ name: `twice: ${message.say}`, world: { ...world, toAgent: [message, ...world.toAgent] } });
  }
  if (message && world.dialogue !== null)
    steps.push(listen({ ...world, toAgent: laterSent }, world.dialogue, message, machine, holes));
  return steps;
}

function hear(world: World, asked: ToTerminal): World {
  const { phase } = world.terminal;
  if (asked.ask === 'sale') {
    if (phase !== 'idle') return world;
    return sentToAgent(
      { ...world, terminal: { ...world.terminal, phase: 'card', of: asked.of } },
      { say: 'accepted' },
    );
  }
  if (asked.ask === 'abort') return phase === 'card' ? say(world, 'aborted', 'aborted').world : world;
  if (phase === 'approved' || phase === 'declined' || phase === 'aborted') {
    return sentToAgent(idle(world), { say: 'end', as: phase });
  }
  return world;
}

/** The agent commits, then answers. What comes before its command was accepted belongs to an older dialogue. */
function listen(world: World, index: Index, message: ToAgent, machine: Machine, holes: Holes): Step {
  const name = `agent hears ${message.say}`;
  if (message.say === 'accepted')
    return { name, world: applied(world, index, { type: 'accepted' }, machine) };
  if (!wasAccepted(world, index) && holes.hearsOldDialogues !== true)
    return { name: `agent ignores ${message.say}`, world };
  if (message.say === 'result') {
    const next = applied(world, index, { type: 'reported', verdict: message.verdict }, machine);
    return { name, world: { ...next, toTerminal: [...next.toTerminal, { ask: 'ack' }] } };
  }
  const event: AttemptEvent =
    message.as === 'approved'
      ? { type: 'ended', as: 'approved', amount: 'as_asked' }
      : { type: 'ended', as: message.as };
  return { name, world: { ...applied(world, index, event, machine), dialogue: null } };
}

function wasAccepted(world: World, index: Index): boolean {
  const state = world.attempts[index];
  return state?.name !== 'dispatched' && !(state?.name === 'cancelling' && !state.accepted);
}

/** The line, time and power: things that just happen. */
function fate(world: World, machine: Machine): Step[] {
  const lost = (index: Index | null, from: World) =>
    index === null ? from : applied(from, index, { type: 'lost' }, machine);
  const cut: World = { ...world, line: false, toAgent: [], toTerminal: [], dialogue: null };
  const steps: Step[] = [];
  if (world.line) steps.push({ name: 'line cut', world: lost(world.dialogue, cut) });
  else steps.push({ name: 'line back', world: { ...world, line: true } });
  if (world.dialogue !== null) steps.push({ name: 'agent gives up', world: lost(world.dialogue, cut) });
  steps.push({ name: 'agent crashes', world: restarted(cut, machine) });
  return steps;
}

function restarted(world: World, machine: Machine): World {
  return INDEXES.reduce((next, index) => {
    const state = next.attempts[index];
    if (!state || isFinal(state) || state.name === 'in_doubt') return next;
    return applied(next, index, { type: state.name === 'requested' ? 'expire' : 'lost' }, machine);
  }, world);
}

function applied(world: World, index: Index, event: AttemptEvent, machine: Machine): World {
  const state = world.attempts[index];
  if (!state) return world;
  const outcome = machine(state, event);
  return outcome.kind === 'changed' ? withAttempt(world, index, outcome.state) : world;
}

function withAttempt(world: World, index: Index, state: AttemptState): World {
  return { ...world, attempts: replaced(world.attempts, index, state) };
}

function idle(world: World, stored: Stored | null = world.terminal.stored): World {
  return { ...world, terminal: { phase: 'idle', of: null, stored } };
}

function sentToAgent(world: World, message: ToAgent): World {
  return world.line ? { ...world, toAgent: [...world.toAgent, message] } : world;
}

function replaced<T>(pair: readonly [T, T], index: Index, value: T): readonly [T, T] {
  return index === 0 ? [value, pair[1]] : [pair[0], value];
}
