import { describe, expect, it } from 'vitest';
import { openCounter, REFUND, result, SALE, saleTurns, VOID } from './scripted-terminal.ts';

const COMMANDS = [
  ['sale', SALE, '0601', result('00')],
  ['refund', REFUND, '0631', result('00')],
  ['void', VOID, '0630', result('00', '37000974')],
] as const;
const T3 = 5000;
const TOO_LATE = { kind: 'unknown', code: 'ACKNOWLEDGED_TOO_LATE', lastReport: { verdict: 'approved' } };

describe.each(['tcp', 'serial'] as const)('over %s', (kind) => {
  it.each(COMMANDS)(
    'the approval of a %s that was stored later than T3 is not acknowledged any more, nor anything after it',
    async (_name, command, head, approved) => {
      const counter = await openCounter([{ expect: head, send: ['800000', approved] }], { kind });
      counter.observer.inside = (call) => call === 'beforeAcknowledge' && counter.stall(T3 + 1);
      const outcome = await counter.pay(command);
      const written = counter.pair.ours.written.length;
      await counter.terminal.send('060F00');
      await counter.clock.advance(60_000);
      expect(outcome).toMatchObject(TOO_LATE);
      expect(counter.observer.calls.map((call) => call.split('@')[0])).toEqual([
        'accepted',
        'beforeAcknowledge',
      ]);
      expect(counter.terminal.count('800000')).toBe(0);
      expect(counter.pair.ours.written).toHaveLength(written);
    },
  );

  it('an approval that was stored within T3 is acknowledged', async () => {
    const counter = await openCounter(saleTurns([result('00')], '060F00'), { kind });
    counter.observer.inside = (call) => call === 'beforeAcknowledge' && counter.stall(T3);
    expect(await counter.sell()).toMatchObject({ kind: 'approved' });
  });

  it('T3 is the one of the options', async () => {
    const counter = await openCounter([{ expect: '0601', send: ['800000', result('00')] }], {
      kind,
      options: { t3_ms: 2000 },
    });
    counter.observer.inside = (call) => call === 'beforeAcknowledge' && counter.stall(2001);
    expect(await counter.sell()).toMatchObject(TOO_LATE);
  });

  it('a refusal is answered however late: nothing hangs on it', async () => {
    const counter = await openCounter(saleTurns([result('05')], '061E0105'), { kind });
    counter.observer.inside = (call) => call === 'beforeAcknowledge' && counter.stall(60_000);
    expect(await counter.sell()).toMatchObject({ kind: 'declined' });
  });

  it('the end is answered however late: the terminal has decided', async () => {
    const counter = await openCounter(saleTurns([result('00')], '060F00'), { kind });
    counter.observer.inside = (call) => call === 'beforeEnd' && counter.stall(60_000);
    expect(await counter.sell()).toMatchObject({ kind: 'approved' });
  });

  it('an approval that may have waited unseen while an earlier step was stored is too late, too', async () => {
    const turns = [{ expect: '0601', send: ['800000', result('00')] }];
    const counter = await openCounter(turns, { kind });
    counter.observer.inside = (call) => call === 'accepted' && counter.stall(T3 + 1);
    expect(await counter.sell()).toMatchObject(TOO_LATE);
    expect(counter.terminal.count('800000')).toBe(0);
  });

  it('an approval that came in good time after a slow step is acknowledged', async () => {
    const counter = await openCounter([{ expect: '0601', send: ['800000'] }], { kind });
    counter.observer.inside = (call) => call === 'accepted' && counter.stall(60_000);
    const selling = counter.sell();
    await counter.clock.advance(1000);
    counter.terminal.add({ expect: '800000', send: ['060F00'] }, { expect: '800000' });
    await counter.terminal.send(result('00'));
    expect(await selling).toMatchObject({ kind: 'approved' });
  });
});

describe('a print command behind an approval', () => {
  const LINE = '06D1024041';

  it('that may have waited unseen longer than T3 is not answered: its answer commits, too', async () => {
    const turns = [
      { expect: '0601', send: ['800000', result('00')] },
      { expect: '800000', send: ['04FF0104', LINE] },
      { expect: '800000' },
    ];
    const counter = await openCounter(turns);
    counter.observer.inside = (call) => call === 'progress' && counter.stall(T3 + 1);
    expect(await counter.sell()).toMatchObject(TOO_LATE);
    expect(counter.terminal.count('800000')).toBe(2);
  });

  it('is answered right after an approval that took nearly T3 to store', async () => {
    const counter = await openCounter(saleTurns([result('00')], '060F00', [LINE, LINE]));
    counter.observer.inside = (call) => call === 'beforeAcknowledge' && counter.stall(T3);
    counter.pair.ours.beforeWrite = () => counter.stall(10);
    expect(await counter.sell()).toMatchObject({ kind: 'approved' });
  });
});

it('an approval that waited while two steps were stored, each of them in time, is too late', async () => {
  const counter = await openCounter([{ expect: '0601', send: ['800000', result('00')] }]);
  counter.observer.inside = (call) => call !== 'progress' && counter.stall(3000);
  expect(await counter.sell()).toMatchObject(TOO_LATE);
});
