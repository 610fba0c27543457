import { assertNever } from '../../base/invariant.ts';
import type { Verdict } from '../../terminal/ports.ts';

/** A result that is not an approval; `null` until the terminal has reported one. */
export type LastVerdict = Exclude<Verdict, 'approved'> | null;

/**
 * The state of an attempt. Between `dispatched` and `approved` the terminal may be moving money;
 * `in_doubt` means it may have moved and the evidence is missing.
 */
export type AttemptState =
  | { readonly name: 'requested' }
  | { readonly name: 'dispatched' }
  | { readonly name: 'accepted'; readonly lastVerdict: LastVerdict }
  | { readonly name: 'cancelling'; readonly accepted: boolean; readonly lastVerdict: LastVerdict }
  /** `cancelledBefore`: a cancel was requested before the terminal approved. */
  | { readonly name: 'approved'; readonly cancelledBefore: boolean }
  | { readonly name: 'in_doubt'; readonly hadApproval: boolean }
  | { readonly name: 'succeeded' }
  | { readonly name: 'declined' }
  | { readonly name: 'cancelled' }
  | { readonly name: 'error' }
  /** A person has decided that the outcome cannot be found out: every guard counts it as charged. */
  | { readonly name: 'written_off' };

export type StateName = AttemptState['name'];

/** The approved amount compared with the requested one. */
export type AmountCheck = 'as_asked' | 'less' | 'more' | 'unconfirmed' | 'other_currency';

/** The events of an attempt. */
export type AttemptEvent =
  /** It happened on the terminal without a command from tilld: a correction, which is never sent. */
  | { readonly type: 'recorded' }
  /** The database is restored or foreign: a forgotten process run may have sent it. */
  | { readonly type: 'forgotten' }
  /** The command is about to be sent; the baseline is stored with it. */
  | { readonly type: 'dispatch' }
  /** It waited too long, tilld was restarted, or the attempt before it fell in doubt. */
  | { readonly type: 'expire' }
  /** A caller or the service requests its cancellation. */
  | { readonly type: 'cancel' }
  /** Proof that nothing was started. */
  | { readonly type: 'not_started' }
  /** The terminal accepted the command. */
  | { readonly type: 'accepted' }
  /** A result inside the dialogue, which goes on. */
  | { readonly type: 'reported'; readonly verdict: Verdict }
  /** The dialogue ended with an explicit message of the terminal. */
  | { readonly type: 'ended'; readonly as: 'approved'; readonly amount: AmountCheck }
  | { readonly type: 'ended'; readonly as: 'declined' | 'aborted' }
  /** Silence, a time-out, a lost link, a driver error, a restart, or an end that proves nothing. */
  | { readonly type: 'lost' }
  /** The terminal's own records show the outcome. */
  | { readonly type: 'evidence'; readonly of: EvidenceOf }
  /** A named person decided. */
  | { readonly type: 'resolved'; readonly as: Resolution };

/** What a person may decide of a doubt; `written_off`: it will never be known. */
export type Resolution = 'succeeded' | 'not_charged' | 'written_off';

export type EvidenceOf = 'charged' | 'declined' | 'aborted' | 'not_charged' | 'reversed';

/** What is written in the same transaction. The queue and the terminal's dialogue act by the new state. */
export type Effect =
  | { readonly kind: 'publish'; readonly what: PublishedState }
  | { readonly kind: 'report' }
  | { readonly kind: 'note_cancel' }
  | { readonly kind: 'discrepancy'; readonly what: 'charged' | 'not_charged' | 'amount' };

export type PublicStatus = 'requested' | 'in_progress' | 'succeeded' | 'declined' | 'cancelled' | 'error';
export type PublishedState = PublicStatus | 'in_doubt';

export type Transition =
  | { readonly kind: 'changed'; readonly state: AttemptState; readonly effects: readonly Effect[] }
  | { readonly kind: 'unchanged'; readonly effects: readonly Effect[] }
  /** The event makes no sense here; nothing may be written. */
  | { readonly kind: 'refused' };

const REFUSED: Transition = { kind: 'refused' };
const NOTHING: Transition = { kind: 'unchanged', effects: [] };

/**
 * The state machine of one attempt, as a pure function.
 *
 * INVARIANTS:
 * - a final state never changes: evidence that contradicts the present knowledge (`charged`: for a corrected attempt what the correction says)
 *   is an effect, not a state;
 * - silence leads to `in_doubt` and nowhere else;
 * - `succeeded` needs the terminal's approval and the end of its dialogue, the terminal's own records, or a named person.
 */
export function transition(
  state: AttemptState,
  event: AttemptEvent,
  charged: 'yes' | 'no' | 'unknown' = chargedOf(state),
): Transition {
  switch (state.name) {
    case 'requested':
      return fromRequested(event);
    case 'dispatched':
    case 'accepted':
    case 'cancelling':
      return fromRunning(state, event);
    case 'approved':
      return fromApproved(state, event);
    case 'in_doubt':
      return fromInDoubt(event);
    case 'succeeded':
    case 'declined':
    case 'cancelled':
    case 'error':
    case 'written_off':
      return fromFinal(event, charged);
    default:
      return assertNever(state);
  }
}

/** The status that the interface shows for a state. */
export function publicStatus(state: AttemptState): PublicStatus {
  switch (state.name) {
    case 'dispatched':
    case 'accepted':
    case 'cancelling':
    case 'approved':
    case 'in_doubt':
      return 'in_progress';
    case 'written_off':
      return 'error';
    default:
      return state.name;
  }
}

/** Whether the customer was charged, as far as it is proved. */
export function chargedOf(state: AttemptState): 'yes' | 'no' | 'unknown' {
  switch (state.name) {
    case 'succeeded':
      return 'yes';
    case 'declined':
    case 'cancelled':
    case 'error':
      return 'no';
    default:
      return 'unknown';
  }
}

/** True once nothing can change the state any more. */
export function isFinal(state: AttemptState): boolean {
  return state.name === 'written_off' || chargedOf(state) !== 'unknown';
}

/** Money moved, or may have moved and a person has written the attempt off. */
export function mayHaveMoved(state: AttemptState): boolean {
  return state.name === 'succeeded' || state.name === 'written_off';
}

function fromRequested(event: AttemptEvent): Transition {
  switch (event.type) {
    case 'dispatch':
      return to({ name: 'dispatched' }, publish('in_progress'));
    case 'forgotten':
      return doubt(false);
    case 'recorded':
      return finish({ name: 'succeeded' });
    case 'expire':
    case 'cancel':
      return finish({ name: 'cancelled' });
    default:
      return REFUSED;
  }
}

type Running = Extract<AttemptState, { name: 'dispatched' | 'accepted' | 'cancelling' }>;

function fromRunning(state: Running, event: AttemptEvent): Transition {
  switch (event.type) {
    case 'not_started':
      return hasAccepted(state) ? doubt(false) : finish({ name: 'error' });
    case 'accepted':
      return accept(state);
    case 'cancel':
      return cancelRunning(state);
    case 'reported':
      return event.verdict === 'approved' ? approve(state) : note(state, event.verdict);
    case 'ended':
      return endRunning(state, event);
    case 'lost':
      return doubt(false);
    default:
      return REFUSED;
  }
}

type Approved = Extract<AttemptState, { name: 'approved' }>;

function fromApproved(state: Approved, event: AttemptEvent): Transition {
  switch (event.type) {
    case 'reported':
      return event.verdict === 'approved' ? NOTHING : takenBack(state, event.verdict);
    case 'ended':
      return event.as === 'approved' ? succeed(event.amount) : doubt(true);
    case 'cancel':
      return { kind: 'unchanged', effects: [{ kind: 'note_cancel' }] };
    case 'lost':
    case 'not_started':
      return doubt(true);
    default:
      return REFUSED;
  }
}

function fromInDoubt(event: AttemptEvent): Transition {
  switch (event.type) {
    case 'evidence':
      return finish(finalStateOf(event.of));
    case 'resolved':
      return finish({ name: RESOLVED[event.as] });
    case 'cancel':
      return { kind: 'unchanged', effects: [{ kind: 'note_cancel' }] };
    case 'lost':
      return NOTHING;
    default:
      return REFUSED;
  }
}

const RESOLVED = { succeeded: 'succeeded', not_charged: 'error', written_off: 'written_off' } as const;

function fromFinal(event: AttemptEvent, charged: 'yes' | 'no' | 'unknown'): Transition {
  const reported = chargedAccordingTo(event);
  if (reported === 'silent') return event.type === 'lost' ? NOTHING : REFUSED;
  if (reported === charged) return NOTHING;
  return {
    kind: 'unchanged',
    effects: [{ kind: 'discrepancy', what: reported === 'yes' ? 'charged' : 'not_charged' }],
  };
}

/** `written_off` says nothing about the charge and contradicts nothing. */
const RESOLVED_CHARGED = { succeeded: 'yes', not_charged: 'no', written_off: 'silent' } as const;

function chargedAccordingTo(event: AttemptEvent): 'yes' | 'no' | 'silent' {
  switch (event.type) {
    case 'evidence':
      return event.of === 'charged' ? 'yes' : 'no';
    case 'resolved':
      return RESOLVED_CHARGED[event.as];
    case 'reported':
      return event.verdict === 'approved' ? 'yes' : 'silent';
    case 'ended':
      return event.as === 'approved' ? 'yes' : 'no';
    default:
      return 'silent';
  }
}

/** An approval at the end without a `reported` approval before is not accepted: it is not on disk. */
function endRunning(state: Running, event: Extract<AttemptEvent, { type: 'ended' }>): Transition {
  if (event.as === 'approved') return doubt(true);
  if (state.name !== 'dispatched' && state.lastVerdict === 'unclear') return doubt(false);
  return finish({ name: event.as === 'declined' ? 'declined' : 'cancelled' });
}

function approve(state: Running): Transition {
  return to({ name: 'approved', cancelledBefore: state.name === 'cancelling' });
}

/** A later result of the same dialogue replaces the approval. */
function takenBack({ cancelledBefore }: Approved, lastVerdict: LastVerdict): Transition {
  return cancelledBefore
    ? to({ name: 'cancelling', accepted: true, lastVerdict })
    : to({ name: 'accepted', lastVerdict });
}

function succeed(amount: AmountCheck): Transition {
  switch (amount) {
    case 'other_currency':
      return doubt(true);
    case 'more':
      return finish({ name: 'succeeded' }, { kind: 'discrepancy', what: 'amount' });
    case 'less':
    case 'as_asked':
    case 'unconfirmed':
      return finish({ name: 'succeeded' });
    default:
      return assertNever(amount);
  }
}

function accept(state: Running): Transition {
  if (state.name === 'dispatched') return to({ name: 'accepted', lastVerdict: null });
  if (state.name === 'cancelling' && !state.accepted) return to({ ...state, accepted: true });
  return NOTHING;
}

function cancelRunning(state: Running): Transition {
  if (state.name === 'cancelling') return NOTHING;
  const lastVerdict = state.name === 'accepted' ? state.lastVerdict : null;
  return to({ name: 'cancelling', accepted: hasAccepted(state), lastVerdict }, { kind: 'note_cancel' });
}

function note(state: Running, lastVerdict: LastVerdict): Transition {
  return to(
    state.name === 'cancelling'
      ? { ...state, accepted: true, lastVerdict }
      : { name: 'accepted', lastVerdict },
  );
}

function hasAccepted(state: Running): boolean {
  return state.name === 'accepted' || (state.name === 'cancelling' && state.accepted);
}

function finalStateOf(evidence: EvidenceOf): AttemptState & { name: FinalName } {
  switch (evidence) {
    case 'charged':
      return { name: 'succeeded' };
    case 'declined':
      return { name: 'declined' };
    case 'aborted':
      return { name: 'cancelled' };
    case 'not_charged':
    case 'reversed':
      return { name: 'error' };
    default:
      return assertNever(evidence);
  }
}

type FinalName = 'succeeded' | 'declined' | 'cancelled' | 'error' | 'written_off';

function finish(state: AttemptState & { name: FinalName }, ...effects: Effect[]): Transition {
  return to(state, publish(publicStatus(state)), { kind: 'report' }, ...effects);
}

function doubt(hadApproval: boolean): Transition {
  return to({ name: 'in_doubt', hadApproval }, publish('in_doubt'));
}

function to(state: AttemptState, ...effects: Effect[]): Transition {
  return { kind: 'changed', state, effects };
}

function publish(what: PublishedState): Effect {
  return { kind: 'publish', what };
}
