import type { Random } from '../../simulation/random.ts';
import type { Ability, LinkKind } from './protocols.ts';
import type { Traits } from './world.ts';

/** What a terminal of a round is like: the virtual terminal's options, the device's, and what becomes of an approval that it does not hear acknowledged. */
export type Habits = Pick<Traits, 'terminal' | 'options' | 'missingAcknowledgement'>;

/** What a scenario asks of the terminal. */
export interface Wanted {
  readonly link: LinkKind;
  readonly needs: readonly Ability[];
  /** It cannot say what became of its last payment. */
  readonly reportsNothing: boolean;
}

/** Times of every virtual terminal, in ms: shorter than in a shop, so that a till that is dead is given up sooner. */
const TIMES = { hostMs: 120, customerTimeoutMs: 2500 } as const;

type Draw = (random: Random, wanted: Wanted) => Habits;

/** By which the vendors of a protocol differ. The approval of a terminal that waits for no acknowledgement stands: `keep`. */
const DRAWS: Readonly<Record<string, Draw>> = { zvt, concert, ecr17, transbank, nexo };

/** Draws a terminal of this protocol; of one without habits of its own the usual one. */
export function drawHabits(protocol: string, random: Random, wanted: Wanted): Habits {
  const usual: Habits = { terminal: {}, options: {}, missingAcknowledgement: 'keep' };
  return DRAWS[protocol]?.(random, wanted) ?? usual;
}

/** T2 and T3 are short on both sides; the driver allows no less than 500 and 1000. */
function zvt(random: Random, { reportsNothing }: Wanted): Habits {
  return {
    missingAcknowledgement: random.pick(['keep', 'reverse', 'reverse', 'decline'] as const),
    options: { t2_ms: 600, t3_ms: 1200, receipts: random.chance(0.5) },
    terminal: {
      ...TIMES,
      t2Ms: 600,
      t3Ms: 1200,
      storesDeclined: random.chance(0.3),
      voids: random.pick(['any', 'any', 'last'] as const),
      ...(reportsNothing ? { repeatReceipt: 'empty' } : {}),
    },
  };
}

/** Over the network an approval is acknowledged by nobody; on a cable it is taken back only by terminals that forget their answer. */
function concert(random: Random, { link, needs, reportsNothing }: Wanted): Habits {
  const isV3 = link === 'tcp' || needs.includes('endOfDay') || random.chance(0.5);
  const statusQuery = reportsNothing ? 'none' : random.pick(['none', 'T', '3', '3'] as const);
  const lateAnswer = random.pick(['forgotten', 'forgotten', 'told', 'on_knock'] as const);
  const forgets = link === 'serial' && lateAnswer === 'forgotten';
  const endOfDay = needs.includes('endOfDay') || random.chance(0.5);
  const wantsLineEnd = random.chance(0.2);
  const v3 = {
    status_query: statusQuery,
    end_of_day: endOfDay,
    line_end: wantsLineEnd,
    receipt: random.pick(['terminal', 'customer'] as const),
  };
  return {
    missingAcknowledgement: forgets ? random.pick(['keep', 'reverse', 'decline'] as const) : 'keep',
    options: { dialect: isV3 ? 'v3' : 'eplus', ...(isV3 ? v3 : {}) },
    terminal: {
      ...TIMES,
      dialect: isV3 ? 'v3' : 'eplus',
      lateAnswer,
      busySays: random.pick(['nothing', 'nak'] as const),
      busyConnection: random.pick(['closes', 'silent'] as const),
      looksIdleMs: random.pick([0, 0, 1500]),
      answer: random.pick(['as_asked', 'as_asked', 'short'] as const),
      report: random.pick(['masked', 'zeros'] as const),
      tellsWhy: random.chance(0.5),
      reference: random.pick(['given_back', 'given_back', 'given_back', 'own'] as const),
      afterAnswer: random.pick(['closes', 'stays'] as const),
      stopWithoutEchoes: random.chance(0.5),
      statusQuery,
      endOfDay,
      wantsLineEnd,
    },
  };
}

function ecr17(random: Random, { needs, reportsNothing }: Wanted): Habits {
  const needsVoid = needs.includes('void');
  const knowsX = needsVoid || random.chance(0.85);
  const knowsReversal = needsVoid || random.chance(0.8);
  return {
    missingAcknowledgement: 'keep',
    options: {
      payment_command: knowsX ? 'X' : 'P',
      reversal: knowsReversal,
      receipts: random.chance(0.5),
      answer_ms: 2000,
    },
    terminal: {
      ...TIMES,
      acknowledgementMs: 600,
      lrc: random.pick(['std', 'noext', 'stx', 'stx_noext'] as const),
      acksFirst: random.chance(0.8),
      hangsUp: random.chance(0.5),
      receipts: random.pick(['after', 'before', 'none'] as const),
      progress: random.chance(0.7),
      knowsX,
      knowsReversal,
      savesKo: random.chance(0.5),
      abortTakesStan: random.chance(0.5),
      savesByHand: random.chance(0.3),
      lastResult: reportsNothing ? 'refused' : 'told',
      forgetsAtClose: random.chance(0.2),
      totals: random.chance(0.15) ? 'refused' : 'told',
      whenBusy: random.pick(['silent', 'silent', 'nak', 'nak', 'looks_idle'] as const),
    },
  };
}

function transbank(random: Random, { needs, reportsNothing }: Wanted): Habits {
  const voids = needs.includes('void') || random.chance(0.8);
  return {
    missingAcknowledgement: 'keep',
    options: { void: voids ? 'any' : 'none' },
    terminal: {
      ...TIMES,
      acknowledgeMs: 600,
      answerRepeats: random.pick([0, 1, 2, 2]),
      busy: random.pick(['nak', 'silence'] as const),
      looksIdleMs: random.pick([0, 0, 1500]),
      progress: random.chance(0.7),
      ticketFill: random.pick(['0', ' '] as const),
      ticketWidth: random.pick([6, 6, 8]),
      blankBrand: random.chance(0.2),
      voidedShows: random.pick(['twin', 'replaced'] as const),
      endLines: random.pick([1, 2] as const),
      endNamesTerminal: random.chance(0.5),
      emptyList: random.pick(['end_line', 'code_11'] as const),
      list: reportsNothing ? 'refused' : 'told',
      forgetsAtClose: random.chance(0.8),
      numbersRestart: random.chance(0.4),
    },
  };
}

function nexo(random: Random, { needs }: Wanted): Habits {
  const needsLogin = random.chance(0.2);
  const knowsTotals = needs.includes('endOfDay') || random.chance(0.7);
  return {
    missingAcknowledgement: 'keep',
    options: { poi_id: 'V400m-123456789', login: needsLogin, end_of_day: knowsTotals, totals: knowsTotals },
    terminal: {
      ...TIMES,
      needsLogin,
      knowsTotals,
      repeatsSaleData: random.chance(0.7),
      chunked: random.chance(0.3),
      busyIs: random.pick(['condition', 'status'] as const),
    },
  };
}
