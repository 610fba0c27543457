import { describe, expect, it } from 'vitest';
import {
  type AttemptEvent,
  type AttemptState,
  chargedOf,
  isFinal,
  publicStatus,
  transition,
} from '../../../src/payment/attempt/state-machine.ts';

const STATES = {
  requested: { name: 'requested' },
  dispatched: { name: 'dispatched' },
  accepted: { name: 'accepted', lastVerdict: null },
  'accepted/refused': { name: 'accepted', lastVerdict: 'refused' },
  'accepted/aborted': { name: 'accepted', lastVerdict: 'aborted' },
  'accepted/unclear': { name: 'accepted', lastVerdict: 'unclear' },
  cancelling: { name: 'cancelling', accepted: true, lastVerdict: null },
  'cancelling/not-accepted': { name: 'cancelling', accepted: false, lastVerdict: null },
  'cancelling/refused': { name: 'cancelling', accepted: true, lastVerdict: 'refused' },
  'cancelling/aborted': { name: 'cancelling', accepted: true, lastVerdict: 'aborted' },
  'cancelling/unclear': { name: 'cancelling', accepted: true, lastVerdict: 'unclear' },
  approved: { name: 'approved', cancelledBefore: false },
  'approved/cancelled before': { name: 'approved', cancelledBefore: true },
  'doubt/never-approved': { name: 'in_doubt', hadApproval: false },
  'doubt/had-approval': { name: 'in_doubt', hadApproval: true },
  succeeded: { name: 'succeeded' },
  declined: { name: 'declined' },
  cancelled: { name: 'cancelled' },
  error: { name: 'error' },
} as const satisfies Record<string, AttemptState>;
type StateKey = keyof typeof STATES;

const EVENTS = {
  recorded: { type: 'recorded' },
  forgotten: { type: 'forgotten' },
  dispatch: { type: 'dispatch' },
  expire: { type: 'expire' },
  cancel: { type: 'cancel' },
  not_started: { type: 'not_started' },
  accepted: { type: 'accepted' },
  'reports approved': { type: 'reported', verdict: 'approved' },
  'reports refused': { type: 'reported', verdict: 'refused' },
  'reports aborted': { type: 'reported', verdict: 'aborted' },
  'reports unclear': { type: 'reported', verdict: 'unclear' },
  'ends approved': { type: 'ended', as: 'approved', amount: 'as_asked' },
  'ends approved, no amount': { type: 'ended', as: 'approved', amount: 'unconfirmed' },
  'ends approved, less': { type: 'ended', as: 'approved', amount: 'less' },
  'ends approved, more': { type: 'ended', as: 'approved', amount: 'more' },
  'ends approved, other currency': { type: 'ended', as: 'approved', amount: 'other_currency' },
  'ends declined': { type: 'ended', as: 'declined' },
  'ends aborted': { type: 'ended', as: 'aborted' },
  lost: { type: 'lost' },
  'evidence charged': { type: 'evidence', of: 'charged' },
  'evidence declined': { type: 'evidence', of: 'declined' },
  'evidence aborted': { type: 'evidence', of: 'aborted' },
  'evidence not charged': { type: 'evidence', of: 'not_charged' },
  'evidence reversed': { type: 'evidence', of: 'reversed' },
  'person: succeeded': { type: 'resolved', as: 'succeeded' },
  'person: not charged': { type: 'resolved', as: 'not_charged' },
} as const satisfies Record<string, AttemptEvent>;
type EventKey = keyof typeof EVENTS;

/** `-` refused, `=` unchanged, `!` unchanged with a discrepancy, else the state it leads to. */
type Cell = '-' | '=' | '!' | StateKey;
const D0 = 'doubt/never-approved';
const D1 = 'doubt/had-approval';
const FINAL_ROW = (cells: { yes: '=' | '!'; no: '=' | '!' }): Record<EventKey, Cell> => ({
  recorded: '-',
  forgotten: '-',
  dispatch: '-',
  expire: '-',
  cancel: '-',
  not_started: '-',
  accepted: '-',
  'reports approved': cells.yes,
  'reports refused': '-',
  'reports aborted': '-',
  'reports unclear': '-',
  'ends approved': cells.yes,
  'ends approved, no amount': cells.yes,
  'ends approved, less': cells.yes,
  'ends approved, more': cells.yes,
  'ends approved, other currency': cells.yes,
  'ends declined': cells.no,
  'ends aborted': cells.no,
  lost: '=',
  'evidence charged': cells.yes,
  'evidence declined': cells.no,
  'evidence aborted': cells.no,
  'evidence not charged': cells.no,
  'evidence reversed': cells.no,
  'person: succeeded': cells.yes,
  'person: not charged': cells.no,
});
const NO_EVIDENCE_YET = {
  recorded: '-',
  forgotten: '-',
  dispatch: '-',
  expire: '-',
  'evidence charged': '-',
  'evidence declined': '-',
  'evidence aborted': '-',
  'evidence not charged': '-',
  'evidence reversed': '-',
  'person: succeeded': '-',
  'person: not charged': '-',
} as const;
/** An approval that was never reported before the end is not on disk, so it is not believed. */
const UNTOLD_APPROVAL = {
  'ends approved': D1,
  'ends approved, no amount': D1,
  'ends approved, less': D1,
  'ends approved, more': D1,
  'ends approved, other currency': D1,
} as const;
const ACCEPTED = {
  ...NO_EVIDENCE_YET,
  ...UNTOLD_APPROVAL,
  cancel: 'cancelling',
  not_started: D0,
  accepted: '=',
  'reports approved': 'approved',
  'reports refused': 'accepted/refused',
  'reports aborted': 'accepted/aborted',
  'reports unclear': 'accepted/unclear',
  'ends declined': 'declined',
  'ends aborted': 'cancelled',
  lost: D0,
} as const satisfies Record<EventKey, Cell>;
const CANCELLING = {
  ...ACCEPTED,
  'reports approved': 'approved/cancelled before',
  cancel: '=',
  'reports refused': 'cancelling/refused',
  'reports aborted': 'cancelling/aborted',
  'reports unclear': 'cancelling/unclear',
} as const satisfies Record<EventKey, Cell>;

const APPROVED = {
  ...NO_EVIDENCE_YET,
  cancel: '=',
  not_started: D1,
  accepted: '-',
  'reports approved': '=',
  'reports refused': '-',
  'reports aborted': '-',
  'reports unclear': '-',
  'ends approved': 'succeeded',
  'ends approved, no amount': 'succeeded',
  'ends approved, less': 'succeeded',
  'ends approved, more': 'succeeded',
  'ends approved, other currency': D1,
  'ends declined': D1,
  'ends aborted': D1,
  lost: D1,
} as const satisfies Record<EventKey, Cell>;

const TABLE: Record<StateKey, Record<EventKey, Cell>> = {
  requested: {
    ...FINAL_ROW({ yes: '=', no: '=' }),
    recorded: 'succeeded',
    forgotten: D0,
    dispatch: 'dispatched',
    expire: 'cancelled',
    cancel: 'cancelled',
    'reports approved': '-',
    'ends approved': '-',
    'ends approved, no amount': '-',
    'ends approved, less': '-',
    'ends approved, more': '-',
    'ends approved, other currency': '-',
    'ends declined': '-',
    'ends aborted': '-',
    lost: '-',
    'evidence charged': '-',
    'evidence declined': '-',
    'evidence aborted': '-',
    'evidence not charged': '-',
    'evidence reversed': '-',
    'person: succeeded': '-',
    'person: not charged': '-',
  },
  dispatched: { ...ACCEPTED, accepted: 'accepted', cancel: 'cancelling/not-accepted', not_started: 'error' },
  accepted: ACCEPTED,
  'accepted/refused': { ...ACCEPTED, cancel: 'cancelling/refused' },
  'accepted/aborted': { ...ACCEPTED, cancel: 'cancelling/aborted' },
  'accepted/unclear': { ...ACCEPTED, cancel: 'cancelling/unclear', 'ends declined': D0, 'ends aborted': D0 },
  cancelling: CANCELLING,
  'cancelling/not-accepted': { ...CANCELLING, accepted: 'cancelling', not_started: 'error' },
  'cancelling/refused': CANCELLING,
  'cancelling/aborted': CANCELLING,
  'cancelling/unclear': { ...CANCELLING, 'ends declined': D0, 'ends aborted': D0 },
  approved: {
    ...APPROVED,
    'reports refused': 'accepted/refused',
    'reports aborted': 'accepted/aborted',
    'reports unclear': 'accepted/unclear',
  },
  'approved/cancelled before': {
    ...APPROVED,
    'reports refused': 'cancelling/refused',
    'reports aborted': 'cancelling/aborted',
    'reports unclear': 'cancelling/unclear',
  },
  'doubt/never-approved': inDoubt(),
  'doubt/had-approval': inDoubt(),
  succeeded: FINAL_ROW({ yes: '=', no: '!' }),
  declined: FINAL_ROW({ yes: '!', no: '=' }),
  cancelled: FINAL_ROW({ yes: '!', no: '=' }),
  error: FINAL_ROW({ yes: '!', no: '=' }),
};

function inDoubt(): Record<EventKey, Cell> {
  return {
    recorded: '-',
    forgotten: '-',
    dispatch: '-',
    expire: '-',
    cancel: '=',
    not_started: '-',
    accepted: '-',
    'reports approved': '-',
    'reports refused': '-',
    'reports aborted': '-',
    'reports unclear': '-',
    'ends approved': '-',
    'ends approved, no amount': '-',
    'ends approved, less': '-',
    'ends approved, more': '-',
    'ends approved, other currency': '-',
    'ends declined': '-',
    'ends aborted': '-',
    lost: '=',
    'evidence charged': 'succeeded',
    'evidence declined': 'declined',
    'evidence aborted': 'cancelled',
    'evidence not charged': 'error',
    'evidence reversed': 'error',
    'person: succeeded': 'succeeded',
    'person: not charged': 'error',
  };
}

const rows = (Object.keys(STATES) as StateKey[]).flatMap((state) =>
  (Object.keys(EVENTS) as EventKey[]).map((event) => [state, event, TABLE[state][event]] as const),
);
const changes = rows.filter(([, , cell]) => cell in STATES) as (readonly [StateKey, EventKey, StateKey])[];

describe('the attempt machine', () => {
  it.each(rows)('%s, when it %s, becomes %s', (state, event, cell) => {
    const result = transition(STATES[state], EVENTS[event]);
    if (cell === '-') expect(result).toEqual({ kind: 'refused' });
    else if (cell in STATES)
      expect(result).toMatchObject({ kind: 'changed', state: STATES[cell as StateKey] });
    else {
      const effects = result.kind === 'unchanged' ? result.effects : [];
      expect(result.kind).toBe('unchanged');
      expect(effects.some((effect) => effect.kind === 'discrepancy')).toBe(cell === '!');
    }
  });

  it.each(changes)(
    '%s to a final state by "%s" reports and publishes it, and nothing else does',
    (state, event, target) => {
      const result = transition(STATES[state], EVENTS[event]);
      const effects = result.kind === 'changed' ? result.effects : [];
      const final = isFinal(STATES[target]);
      expect(effects.some((effect) => effect.kind === 'report')).toBe(final);
      expect(effects.some((effect) => effect.kind === 'publish' && effect.what === STATES[target].name)).toBe(
        final || STATES[target].name === 'in_doubt',
      );
    },
  );

  it('silence never becomes anything but doubt once the command may be out', () => {
    const past = (Object.keys(STATES) as StateKey[]).filter(
      (key) => publicStatus(STATES[key]) === 'in_progress',
    );
    for (const key of past) {
      const result = transition(STATES[key], { type: 'lost' });
      const name = result.kind === 'changed' ? result.state.name : STATES[key].name;
      expect(name).toBe('in_doubt');
    }
  });

  it('nobody is told "charged" or "not charged" before a final state', () => {
    for (const state of Object.values(STATES)) {
      expect(chargedOf(state) === 'unknown').toBe(!isFinal(state));
    }
  });
});
