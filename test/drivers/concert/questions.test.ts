import { describe, expect, it } from 'vitest';
import type { TerminalSession } from '../../../src/terminal/ports.ts';
import { ATTEMPT, framed, NAME, OTHER_NAME, type Peer, SALE, signal, stage, TICKET, voidOf } from './rig.ts';

const IDENTIFIED = 'CZ0040301CA00201CD001IAE00210';
const REFERENCE = { attemptId: ATTEMPT, ticket: TICKET };

/** Answers each action (CD) with a text. */
function byAction(answers: Readonly<Record<string, string>>) {
  return (heard: string, line: Peer) => {
    const action = /CD001(.)/.exec(heard)?.[1] ?? '';
    const written = answers[action];
    if (written !== undefined) line.say(written);
    line.hangUp();
  };
}

async function conversation(answers: Readonly<Record<string, string>>, options: object = {}) {
  const scene = stage('tcp', { options: { ...options }, answers: byAction({ I: IDENTIFIED, ...answers }) });
  const session: TerminalSession = await scene.open();
  scene.noted.length = 0;
  const wait = <T>(asked: Promise<T> | undefined) =>
    scene.clock.runUntil(asked ?? Promise.reject(), 600_000, 500);
  return { ...scene, session, wait };
}

describe('who a V3 terminal is', () => {
  it('is its serial number where it tells one, else only its port', async () => {
    const table = await conversation({ I: `${IDENTIFIED}AQ00817FD1E3C` });
    expect(await table.wait(table.session.identify(signal))).toMatchObject({
      grade: 'serial',
      serial: '17FD1E3C',
    });
    expect(table.session.capabilities.identity).toBe('serial');
    const untold = await conversation({});
    expect(await untold.wait(untold.session.identify(signal))).toMatchObject({
      grade: 'port',
      firmware: '0301',
    });
    expect(untold.session.capabilities.identity).toBe('port');
  });
});

describe('whether a V3 terminal is ready', () => {
  it.each([
    ['that says done', IDENTIFIED, 'ready'],
    ['that does not know the question', 'CZ0040301CD001IAE00201AF00212', 'ready'],
    ['that refuses the question', 'CZ0040301CD001IAE00201AF00204', 'person'],
    ['that does not understand us', 'CZ0040301CD001IAE00201AF00209', 'person'],
    ['that was abandoned', 'CZ0040301CD001IAE00201AF00206', 'wait'],
    ['that says not done', 'CZ0040301CD001IAE00201AF00200', 'wait'],
  ])('one %s is', async (_, written, kind) => {
    const { session, wait } = await conversation({ I: written });
    expect(await wait(session.readiness(signal))).toMatchObject({ kind });
  });

  it('one that hangs up without a word is busy, one that says nothing or refuses the call is gone', async () => {
    let says = true;
    const scene = stage('tcp', {
      answers: (heard, line) => {
        if (says) byAction({ I: IDENTIFIED })(heard, line);
        else line.hangUp();
      },
    });
    const session = await scene.open();
    says = false;
    expect(await scene.clock.runUntil(session.readiness(signal))).toMatchObject({ code: 'TERMINAL_BUSY' });
    scene.state.refuses = true;
    await expect(scene.clock.runUntil(session.readiness(signal))).rejects.toMatchObject({
      code: 'LINK_REFUSED',
    });
  });
});

describe('what became of a payment', () => {
  const T = (more: string) => `CZ0040301CA00201CD001TCE003978CB0041250${more}`;

  it('is asked for by our name, and not at all where no action is configured', async () => {
    const { session, wait, noted } = await conversation(
      { T: T(`AE00210CF032${NAME}`) },
      { status_query: 'T' },
    );
    expect(session.capabilities.recover).toBe('by_reference');
    expect(await wait(session.ownTransaction?.(REFERENCE, signal))).toMatchObject({
      kind: 'found',
      report: { verdict: 'approved', amountMinor: 1250, reference: ATTEMPT },
    });
    expect(noted).toEqual([`CZ0040300CJ012012345678901CA00201CD001TCF032${NAME}CK003000`]);
    const without = await conversation({});
    expect([without.session.ownTransaction, without.session.capabilities.recover]).toEqual([
      undefined,
      'none',
    ]);
  });

  it.each([
    ['refused', 'AE00201AF00204', 'refused'],
    ['stopped', 'AE00201AF00206', 'aborted'],
    ['not completed', 'AE00201AF00207', 'unclear'],
  ])('is %s where the answer says so of our name', async (_, more, verdict) => {
    const { session, wait } = await conversation({ T: T(`${more}CF032${NAME}`) }, { status_query: 'T' });
    expect(await wait(session.ownTransaction?.(REFERENCE, signal))).toMatchObject({ report: { verdict } });
  });

  it.each([
    ['another name', `AE00210CF032${OTHER_NAME}`],
    ['no name', 'AE00210'],
  ])('cannot be told from an answer with %s', async (_, more) => {
    const { session, wait } = await conversation({ T: T(more) }, { status_query: 'T' });
    expect(await wait(session.ownTransaction?.(REFERENCE, signal))).toMatchObject({ kind: 'unreadable' });
  });

  it.each(['09', '13'])(
    'is not known from a refusal of the question itself (AF %s), though it has our name',
    async (reason) => {
      const { session, wait } = await conversation(
        { T: T(`AE00201AF002${reason}CF032${NAME}`) },
        { status_query: 'T' },
      );
      expect(await wait(session.ownTransaction?.(REFERENCE, signal))).toMatchObject({
        kind: 'unreadable',
        detail: expect.stringContaining('refused the question'),
      });
    },
  );

  it('is not asked for again where the terminal does not know the action', async () => {
    const { session, wait, noted } = await conversation(
      { '3': 'CZ0040301CD0013AE00201AF00212' },
      { status_query: '3' },
    );
    for (let round = 0; round < 2; round += 1)
      expect(await wait(session.ownTransaction?.(REFERENCE, signal))).toMatchObject({ kind: 'unreadable' });
    expect([noted.length, session.capabilities.recover]).toEqual([1, 'none']);
  });
});

describe('an end of day', () => {
  it.each([
    ['done', 'CZ0040301CD001BAE00210', 'closed'],
    ['refused', 'CZ0040301CD001BAE00201AF00206', 'refused'],
    ['unclear', 'CZ0040301CD001BAE00201AF00200', 'unknown'],
    ['without an answer', '', 'unknown'],
  ])('is %s as the terminal says', async (_, written, kind) => {
    const { session, wait, noted } = await conversation({ B: written }, { end_of_day: true });
    expect(await wait(session.endOfDay(() => undefined, signal))).toMatchObject({ kind });
    expect(noted).toEqual(['CZ0040300CJ012012345678901CA00201CD001B']);
  });

  it('is refused without a byte where it is not configured', async () => {
    const { session, wait, noted } = await conversation({});
    expect(await wait(session.endOfDay(() => undefined, signal))).toMatchObject({
      kind: 'refused',
      code: 'TERMINAL_CANNOT',
    });
    expect(noted).toEqual([]);
  });
});

describe('what a device cannot do', () => {
  it.each([
    ['a cancel', voidOf(1250), {}],
    ['a cancel, whatever the withdrawn option says', voidOf(1250), { void: 'last' }],
    ['another currency', { ...SALE, amount: { minor: 1250, currency: 'CHF' as const } }, {}],
  ])('is not started, and no byte is written: %s', async (_, command, options) => {
    const { session, wait, noted, books } = await conversation({}, options);
    expect(await wait(session.execute(command, books, signal))).toMatchObject({
      kind: 'not_started',
      code: 'TERMINAL_CANNOT',
    });
    expect(noted).toEqual([]);
  });

  it('is E+ over the network, and it says so', async () => {
    const scene = stage('tcp', { options: { dialect: 'eplus' }, answers: () => undefined });
    await expect(scene.open()).rejects.toMatchObject({
      code: 'TERMINAL_WRONG_PROTOCOL',
      message: expect.stringContaining('v3'),
    });
  });
});

describe('a question on a cable', () => {
  it('does not acknowledge the end of an older payment that comes instead of its answer', async () => {
    const older = `CZ0040301CA00201CE003978CD0010CB0041250AE00210CF032${OTHER_NAME}`;
    let opened = false;
    const scene = stage('serial', {
      answers: (heard, line) => {
        if (heard === '<05>') line.say('<06>');
        else if (heard.startsWith('<02>')) line.say('<06><05>');
        else if (heard === '<06>') {
          line.say(
            scene.noted.filter((one) => one === '<06>').length % 2 === 1
              ? framed(opened ? older : IDENTIFIED)
              : '<04>',
          );
          opened = true;
        }
      },
    });
    const session = await scene.open();
    scene.noted.length = 0;
    expect(await scene.clock.runUntil(session.readiness(signal))).toMatchObject({ code: 'TERMINAL_BUSY' });
    expect(scene.noted.filter((one) => one === '<06>')).toHaveLength(1);
  });
});
