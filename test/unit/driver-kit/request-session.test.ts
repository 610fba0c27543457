import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { MoneyResponse } from '../../../src/driver-kit/money-response.ts';
import type { Sending } from '../../../src/driver-kit/once.ts';
import { openIdentified, RequestSession } from '../../../src/driver-kit/request-session.ts';
import type {
  Capabilities,
  DriverContext,
  LastTransaction,
  MoneyCommand,
  Readiness,
  TerminalIdentity,
  TransactionReport,
} from '../../../src/terminal/ports.ts';
import { noDial } from '../../support/no-dial.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const CAPABILITIES: Capabilities = {
  refund: true,
  void: 'any',
  voidNeedsCard: false,
  tip: false,
  abort: true,
  recover: 'by_reference',
  commitPoint: 'received',
  settleMs: 0,
  goesOnMs: 0,
  endOfDay: false,
  totalsWithoutPaper: false,
  identity: 'tid',
};
const OWN = { attemptId: 'attempt', ticket: 'A00001' };
const sale: MoneyCommand = { ...OWN, kind: 'sale', amount: { minor: 1234, currency: 'EUR' } };
const refund: MoneyCommand = { ...sale, kind: 'refund' };
const undo: MoneyCommand = { ...sale, kind: 'void', original: { amountMinor: 1234 } };
const approved: TransactionReport = {
  verdict: 'approved',
  kind: 'sale',
  amountMinor: 1234,
  reference: 'A00001',
};
const never = new AbortController().signal;

/** What the terminal does with a command. */
type Terminal = (sending: Sending, signal: AbortSignal) => MoneyResponse | Promise<MoneyResponse>;

class TestSession extends RequestSession {
  readonly sent: MoneyCommand[] = [];
  readonly stops: AbortSignal[] = [];
  readonly #terminal: Terminal;

  constructor(clock: VirtualClock, terminal: Terminal, changes: Partial<Capabilities> = {}) {
    const transcript = { record: () => undefined };
    const context: DriverContext = {
      deviceId: 'counter',
      currency: 'EUR',
      clock,
      log: silentLog,
      transcript,
      options: {},
      dial: noDial,
      openBeside: noDial,
    };
    super(context, { capabilities: { ...CAPABILITIES, ...changes }, maxAmountMinor: 99_999 });
    this.#terminal = terminal;
  }

  isClosed = false;
  identity: () => TerminalIdentity = () => ({ grade: 'tid', terminalId: '1' });

  async identify(): Promise<TerminalIdentity> {
    return this.identity();
  }
  async readiness(): Promise<Readiness> {
    return { kind: 'ready' };
  }
  async lastTransaction(): Promise<LastTransaction> {
    return { kind: 'empty' };
  }
  async close(): Promise<void> {
    this.isClosed = true;
  }

  protected override async pay(command: MoneyCommand, sending: Sending, signal: AbortSignal) {
    this.sent.push(command);
    return this.#terminal(sending, signal);
  }

  protected override async stop(_command: MoneyCommand, signal: AbortSignal): Promise<void> {
    this.stops.push(signal);
  }
}

function observing(answers: { accepted?: boolean; beforeAcknowledge?: boolean } = {}) {
  const stored: unknown[] = [];
  const observer = {
    accepted: () => answers.accepted ?? true,
    progress: () => undefined,
    beforeAcknowledge: (...result: unknown[]) => {
      stored.push(result);
      return answers.beforeAcknowledge ?? true;
    },
    beforeEnd: () => true,
  };
  return { stored, observer };
}

/** The terminal takes the command and answers so. */
function answers(response: MoneyResponse): Terminal {
  return ({ begun, handed }) => {
    begun();
    handed();
    return response;
  };
}

describe('a command to a terminal that answers with the result', () => {
  it.each<[string, MoneyCommand, Partial<Capabilities>, string]>([
    ['another currency', { ...sale, amount: { minor: 1234, currency: 'USD' } }, {}, 'TERMINAL_CANNOT'],
    ['no amount', { ...sale, amount: { minor: 0, currency: 'EUR' } }, {}, 'TERMINAL_CANNOT'],
    ['too large an amount', { ...sale, amount: { minor: 100_000, currency: 'EUR' } }, {}, 'TERMINAL_CANNOT'],
    ['a refund that it has not', refund, { refund: false }, 'TERMINAL_CANNOT'],
    ['a void that it has not', undo, { void: 'none' }, 'TERMINAL_CANNOT'],
    ['a void of a part', { ...undo, amount: { minor: 1000, currency: 'EUR' } }, {}, 'VOID_NOT_POSSIBLE'],
  ])('is refused before anything is sent: %s', async (_what, command, changes, code) => {
    const session = new TestSession(new VirtualClock(), answers({ words: '' }), changes);
    const { observer, stored } = observing();
    expect(await session.execute(command, observer, never)).toMatchObject({ kind: 'not_started', code });
    expect([session.sent, stored]).toEqual([[], []]);
  });

  const busy = { code: 'TERMINAL_BUSY', message: 'nothing began' };
  it.each<[string, MoneyCommand, MoneyResponse, object]>([
    ['its result', sale, { report: approved, words: '' }, { kind: 'approved', report: approved }],
    ['less', sale, { report: { ...approved, amountMinor: 1000 }, words: '' }, { kind: 'approved' }],
    [
      'our other reference',
      sale,
      { report: { ...approved, reference: 'attempt' }, words: '' },
      { kind: 'approved' },
    ],
    ['a refusal', sale, { report: { ...approved, verdict: 'refused' }, words: '' }, { kind: 'declined' }],
    ['that nothing began', sale, { notBegun: busy, words: '' }, { kind: 'not_started', ...busy }],
    [
      'that nothing began, and a result',
      sale,
      { notBegun: busy, report: approved, words: '' },
      { kind: 'approved' },
    ],
    ['nothing', sale, { words: 'hm' }, { kind: 'unknown', code: 'TERMINAL_RESULT_MISSING' }],
    ['another reference', sale, { report: { ...approved, reference: 'B' }, words: '' }, { kind: 'unknown' }],
    [
      'a refusal of another payment',
      sale,
      { report: { ...approved, verdict: 'refused', reference: 'B' }, words: '' },
      { kind: 'unknown' },
    ],
    [
      'no reference',
      sale,
      { report: { ...approved, reference: undefined } as never, words: '' },
      { kind: 'unknown' },
    ],
    [
      'another kind',
      refund,
      { report: approved, words: '' },
      { kind: 'unknown', code: 'TERMINAL_RESULT_UNCLEAR' },
    ],
    [
      'another amount',
      undo,
      { report: { ...approved, kind: 'void', amountMinor: 1 }, words: '' },
      { kind: 'unknown' },
    ],
  ])('that is answered with %s', async (_what, command, response, outcome) => {
    const { observer, stored } = observing();
    const session = new TestSession(new VirtualClock(), answers(response));
    const ended = await session.execute(command, observer, never);
    expect(ended).toMatchObject(outcome);
    expect(stored).toEqual(response.report ? [[expect.anything(), ended]] : []);
  });

  it('needs no reference where the terminal finds no payment by it, and never takes that of another one', async () => {
    const { reference: _, ...unnamed } = approved;
    const clock = new VirtualClock();
    const outcomes = [unnamed, { ...unnamed, reference: 'B' }].map((report) =>
      new TestSession(clock, answers({ report, words: '' }), { recover: 'by_number' }).execute(
        sale,
        observing().observer,
        never,
      ),
    );
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(['approved', 'unknown']);
  });

  it('is unknown where its result is not on disk', async () => {
    const { observer } = observing({ beforeAcknowledge: false });
    const session = new TestSession(new VirtualClock(), answers({ report: approved, words: '' }));
    expect(await session.execute(sale, observer, never)).toMatchObject({
      kind: 'unknown',
      code: 'NOT_STORED',
      lastReport: approved,
    });
  });

  it.each<[string, (sending: Sending) => void, string]>([
    ['before its first byte', () => undefined, 'not_started'],
    ['behind its first byte', ({ begun }) => begun(), 'unknown'],
    [
      'behind its last byte',
      ({ begun, handed }) => {
        begun();
        handed();
      },
      'unknown',
    ],
  ])('whose connection fails %s', async (_when, leaves, kind) => {
    const session = new TestSession(new VirtualClock(), (sending) => {
      leaves(sending);
      return fail('LINK_LOST');
    });
    expect(await session.execute(sale, observing().observer, never)).toMatchObject({ kind });
  });
});

describe('the request to stop', () => {
  it('waits until the command was handed over, is repeated, and ends with the payment', async () => {
    const clock = new VirtualClock();
    const [handed, response] = [Promise.withResolvers<void>(), Promise.withResolvers<MoneyResponse>()];
    const session = new TestSession(clock, async (sending) => {
      await handed.promise;
      sending.handed();
      return response.promise;
    });
    const paying = session.execute(sale, observing().observer, never);
    session.abort();
    await clock.advance(10_000);
    expect(session.stops).toHaveLength(0);
    handed.resolve();
    await clock.advance(4000);
    session.abort();
    expect(session.stops).toHaveLength(2);
    response.resolve({ report: approved, words: '' });
    expect(await paying).toMatchObject({ kind: 'approved' });
    expect(session.stops.map(({ aborted }) => aborted)).toEqual([true, true]);
    session.abort();
    await clock.advance(10_000);
    expect([session.stops.length, clock.pending]).toEqual([2, []]);
  });

  it('is not written where it could not be stored that the command was sent', async () => {
    const session = new TestSession(new VirtualClock(), async ({ begun, handed }) => {
      begun();
      session.abort();
      return handed() ? { words: '' } : fail('NOT_STORED');
    });
    expect(await session.execute(sale, observing({ accepted: false }).observer, never)).toMatchObject({
      kind: 'unknown',
      code: 'NOT_STORED',
    });
    expect(session.stops).toEqual([]);
  });
});

describe('a session', () => {
  it('answers for its protocol what that has not', async () => {
    const session = new TestSession(new VirtualClock(), answers({ words: '' }));
    expect(await session.endOfDay(() => undefined, never)).toMatchObject({
      kind: 'refused',
      code: 'TERMINAL_CANNOT',
    });
    expect(await session.journal(never)).toEqual({ complete: false, lines: [], totals: null });
  });

  it.each([
    ['TERMINAL_GARBLED', 'TERMINAL_WRONG_PROTOCOL'],
    ['TERMINAL_NO_ANSWER', 'TERMINAL_NO_ANSWER'],
  ])('that is opened where the answer is %s is closed, with %s', async (code, expected) => {
    const session = new TestSession(new VirtualClock(), answers({ words: '' }));
    session.identity = () => fail(code);
    await expect(openIdentified(session, never, () => 'check the address')).rejects.toMatchObject({
      code: expected,
    });
    expect(session.isClosed).toBe(true);
  });
});

function fail(code: string): never {
  throw new AppError(code, 'it failed');
}
