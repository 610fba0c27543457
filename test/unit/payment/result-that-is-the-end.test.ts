import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { ElapsedTime } from '../../../src/payment/attempt/elapsed-time.ts';
import { Dialogue } from '../../../src/payment/dispatch/dialogue.ts';
import { PhaseWatch } from '../../../src/payment/dispatch/phase-limits.ts';
import { PaymentWriter } from '../../../src/payment/payment-writer.ts';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import { keptTimeIn } from '../../../src/store/epoch/kept-time.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { SqliteIdentityStore } from '../../../src/store/terminals/sqlite-identity-store.ts';
import type { Outcome } from '../../../src/terminal/ports.ts';
import { aNewAttempt, aReport } from '../../support/attempts.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const report = aReport();
const APPROVED: Outcome = { kind: 'approved', report, receipts: {} };
const UNCLEAR: Outcome = { kind: 'unknown', code: 'TERMINAL_RESULT_UNCLEAR', message: 'who knows' };

/** A sale whose terminal is about to tell its result; `result`: the body of its report, or an error. */
function aRunningSale(result: () => object = () => ({})) {
  const [database, clock] = [aMoneyDatabase(), new VirtualClock()];
  const store = new SqlitePaymentStore(database);
  const writer = new PaymentWriter({
    store,
    clock,
    elapsed: new ElapsedTime(clock, keptTimeIn(database)),
    ids: systemIds,
    log: silentLog,
    reports: { create: () => ({}), result: () => ({ ...result() }) },
    terminals: new SqliteIdentityStore(database),
    policyOf: () => ({ lateApproval: 'void', partialApproval: 'void', canVoid: true }),
  });
  const { id } = writer.open(aNewAttempt()).attempt;
  writer.apply(id, { type: 'dispatch' });
  const died: unknown[] = [];
  const phases = new PhaseWatch(clock);
  const frames = { take: () => [] };
  const fatal = (error: unknown) => void died.push(error);
  const disbelief = () => null;
  const attempt: Attempt = writer.require(id);
  const dialogue = new Dialogue(attempt, { writer, frames, clock, phases, log: silentLog, fatal, disbelief });
  const events = () => store.journalOf(id).map(({ event }) => event);
  return { dialogue, died, events, state: () => writer.require(id).state.name };
}

describe('a result that is the end as well', () => {
  it('is told and ended by one commit', () => {
    const { dialogue, events, state } = aRunningSale();
    expect(dialogue.beforeAcknowledge(report, APPROVED)).toBe(true);
    expect(state()).toBe('succeeded');
    expect(events()).toEqual(['create', 'dispatch', 'reported', 'ended']);
  });

  it('leaves nothing behind where the end cannot be stored: the terminal is not answered, the process ends', () => {
    const { dialogue, died, events, state } = aRunningSale(() => {
      throw new Error('no report can be made of this');
    });
    expect(dialogue.beforeAcknowledge(report, APPROVED)).toBe(false);
    expect(state()).toBe('dispatched');
    expect(events()).toEqual(['create', 'dispatch']);
    expect(died).toHaveLength(1);
  });

  it('is in doubt where nobody can tell what it means', () => {
    const { dialogue, state } = aRunningSale();
    expect(dialogue.beforeAcknowledge(aReport({ verdict: 'unclear' }), UNCLEAR)).toBe(true);
    expect(state()).toBe('in_doubt');
  });
});
