import { describe, expect, it } from 'vitest';
import { ATTEMPT, money, NAME, OTHER_NAME, type Peer, SALE, signal, stage } from './rig.ts';

const IDENTIFIED = 'CZ0040301CJ012330538600404CA00201CD001IAE00210';
const ASKED = `CZ0040300CJ012012345678901CA00201CE003978BA0010CD0010CB0041250CF032${NAME}CK003000`;

/** An answer: CZ and what is named, in this order. */
function answer(tags: Readonly<Record<string, string>>): string {
  const all = { CZ: '0301', ...tags };
  return Object.entries(all)
    .map(([tag, value]) => `${tag}${String(value.length).padStart(3, '0')}${value}`)
    .join('');
}

const ECHO = { CA: '01', CE: '978', CD: '0', CB: '1250' };
const DONE = answer({
  ...ECHO,
  AE: '10',
  AC: '184117',
  CC: '00B',
  CI: '2',
  AA: '741752######3530',
  CF: NAME,
});

/** A terminal that says who it is and answers a payment with these pieces, a pause of `pauseMs` between them; then it hangs up. */
function terminal(pieces: readonly string[], stays = false) {
  return (heard: string, line: Peer) => {
    const isQuestion = heard.includes('CD001I');
    for (const piece of isQuestion ? [IDENTIFIED] : pieces) line.say(piece);
    if (!stays || isQuestion) line.hangUp();
  };
}

const paid = (written: string, command = SALE, options: Readonly<Record<string, unknown>> = {}) =>
  stage('tcp', { options, answers: terminal([written]) }).pay(command);

describe('a payment in V3 over the network', () => {
  it('is one request on a connection of its own, and its answer is on disk before it counts', async () => {
    const scene = stage('tcp', { answers: terminal([DONE]) });
    const outcome = await scene.pay();
    expect([scene.noted, scene.state.dialled]).toEqual([[ASKED, 'accepted', 'report', 'end'], 1]);
    expect(outcome).toMatchObject({
      kind: 'approved',
      report: {
        amountMinor: 1250,
        reference: ATTEMPT,
        authCode: '184117',
        entryMode: 'contactless',
        cardScheme: 'CB',
      },
    });
    expect(String(outcome.kind === 'approved' && outcome.report.maskedPan)).toBe('741752******3530');
  });

  it('always names itself (CF), waits for the end (BA 0), and never allows a part (BF)', async () => {
    for (const command of [money('sale', 5), money('refund')]) {
      const scene = stage('tcp', { answers: terminal([DONE]) });
      await scene.pay(command);
      expect(scene.noted[0]).toMatch(new RegExp(`BA0010.*CF032${NAME}`));
      expect(scene.noted[0]).not.toContain('BF001');
    }
  });

  it('is approved where the terminal leaves a tag empty that is about nothing here', async () => {
    const scene = stage('tcp', { answers: terminal([`${DONE}AP000`]) });
    expect(await scene.pay()).toMatchObject({ kind: 'approved', report: { amountMinor: 1250 } });
  });

  it('has amounts of two digits at least', async () => {
    const scene = stage('tcp', { answers: terminal([answer({ ...ECHO, CB: '05', AE: '10' })]) });
    expect(await scene.pay(money('sale', 5))).toMatchObject({ kind: 'approved' });
    expect(scene.noted[0]).toContain('CB00205');
  });

  it('has CR LF behind it where the terminal wants it so', async () => {
    const scene = stage('tcp', { options: { line_end: true }, answers: terminal([DONE]) });
    await scene.pay();
    expect(scene.noted[0]).toBe(`${ASKED}<0d><0a>`);
  });

  it('is not started where nobody answers the call', async () => {
    const scene = stage('tcp', { answers: terminal([DONE]) });
    const session = await scene.open();
    scene.state.refuses = true;
    scene.noted.length = 0;
    expect(await scene.clock.runUntil(session.execute(SALE, scene.books, signal))).toMatchObject({
      kind: 'not_started',
      code: 'LINK_REFUSED',
      message: expect.stringContaining('The customer was not charged'),
    });
    expect(scene.noted).toEqual([]);
  });

  it.each([
    ['hangs up without a word', ''],
    ['hangs up within its answer', DONE.slice(0, 30)],
    ['answers what is no message', 'XX'],
    ['answers without a version in front', DONE.slice(9)],
  ])('is unknown where the terminal %s', async (_, written) => {
    expect(await paid(written)).toMatchObject({ kind: 'unknown' });
  });

  it('is unknown, and its connection thrown away, after the longest time of a customer', async () => {
    const scene = stage('tcp', { answers: terminal([], true) });
    expect(await scene.pay()).toMatchObject({ kind: 'unknown', code: 'TERMINAL_NO_ANSWER' });
    expect([scene.noted, scene.state.abandoned]).toEqual([[ASKED, 'accepted'], 1]);
  });
});

describe('the end of an answer', () => {
  it.each([
    ['the terminal hangs up', false],
    ['it is quiet for a while', true],
  ])('is there when all tags are whole and %s', async (_, stays) => {
    expect(await stage('tcp', { answers: terminal([DONE], stays) }).pay()).toMatchObject({
      kind: 'approved',
    });
  });

  const EARLY = answer({ AE: '10', ...ECHO, AC: '184117', CF: NAME });
  const CUTS = [DONE, EARLY].flatMap((written) =>
    [1, 2, 3, 4, 5, 6, 7].map((tags) => [written, tags] as const),
  );

  it.each(CUTS)(
    'is not taken for one between two tags, however it is cut (%s, after tag %i)',
    async (written, tags) => {
      let at = 0;
      for (let tag = 0; tag < tags; tag += 1) at += 5 + Number(written.slice(at + 2, at + 5));
      const [first, rest] = [written.slice(0, at), written.slice(at)];
      const scene = stage('tcp', {
        answers: (heard, line) => {
          if (heard.includes('CD001I')) return terminal([])(heard, line);
          line.say(first);
          // The quiet of a whole answer is 300 ms; what lacks an echo is waited for longer.
          const isWhole = first.includes('CB0041250') && first.includes('AE00210');
          scene.clock.timer('rest', isWhole ? 200 : 2500, () => line.say(rest));
        },
      });
      expect(await scene.pay()).toMatchObject({
        kind: 'approved',
        report: { amountMinor: 1250, reference: ATTEMPT },
      });
    },
  );

  it('may be in any number of pieces', async () => {
    expect(await stage('tcp', { answers: terminal([...DONE]) }).pay()).toMatchObject({ kind: 'approved' });
  });
});

describe('an answer that says done', () => {
  it.each([
    ['without its action', { CA: '01', CE: '978', CB: '1250' }],
    ['with another action', { ...ECHO, CD: '1' }],
    ['without its currency', { CA: '01', CD: '0', CB: '1250' }],
    ['with another currency', { ...ECHO, CE: '840' }],
    ['without its amount', { CA: '01', CE: '978', CD: '0' }],
    ['with more', { ...ECHO, CB: '1251' }],
    ['with nothing', { ...ECHO, CB: '00' }],
    ['for another checkout', { ...ECHO, CA: '02' }],
    ['for another payment', { ...ECHO, CF: OTHER_NAME }],
  ])('is unclear %s', async (_, tags) => {
    expect(await paid(answer({ ...tags, AE: '10' }))).toMatchObject({
      kind: 'unknown',
      code: 'TERMINAL_RESULT_UNCLEAR',
      lastReport: { verdict: 'unclear' },
    });
  });

  it('is compared as a number: zeros in front do not count', async () => {
    expect(await paid(answer({ ...ECHO, CB: '0001250', AE: '10' }))).toMatchObject({
      kind: 'approved',
      report: { amountMinor: 1250 },
    });
  });

  it('for less is an approval of so much, of a sale only', async () => {
    const less = (CD: string) => answer({ ...ECHO, CD, CB: '1000', AE: '10' });
    expect(await paid(less('0'))).toMatchObject({ kind: 'approved', report: { amountMinor: 1000 } });
    expect(await paid(less('1'), money('refund'))).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['none', {}],
    ['its own', { CF: '1010000000' }],
  ])('is believed with %s instead of our reference', async (_, tags) => {
    const outcome = await paid(answer({ ...ECHO, ...tags, AE: '10' }));
    expect(outcome).toMatchObject({ kind: 'approved' });
    expect(outcome).not.toHaveProperty('report.reference');
  });

  it('is unclear without our reference from a terminal that gave it back before', async () => {
    const replies = [DONE, answer({ ...ECHO, AE: '10' })];
    const scene = stage('tcp', {
      answers: (heard, line) => terminal(heard.includes('CD001I') ? [] : replies.splice(0, 1))(heard, line),
    });
    const session = await scene.open();
    const kinds: string[] = [];
    for (let round = 0; round < 2; round += 1)
      kinds.push((await scene.clock.runUntil(session.execute(SALE, scene.books, signal), 60_000)).kind);
    expect(kinds).toEqual(['approved', 'unknown']);
  });
});

describe('an answer that says not done', () => {
  it.each([
    ['00', 'unknown'],
    ['01', 'unknown'],
    ['02', 'unknown'],
    ['03', 'unknown'],
    ['04', 'declined'],
    ['05', 'declined'],
    ['06', 'aborted'],
    ['07', 'unknown'],
    ['08', 'aborted'],
    ['09', 'declined'],
    ['10', 'unknown'],
    ['11', 'aborted'],
    ['12', 'declined'],
    ['13', 'declined'],
    ['14', 'unknown'],
    ['99', 'unknown'],
  ])('with reason %s is %s', async (AF, kind) => {
    expect(await paid(answer({ ...ECHO, AE: '01', AF }))).toMatchObject({ kind });
  });

  it('needs no echo of what was asked for', async () => {
    expect(await paid(answer({ AE: '01', AF: '06' }))).toMatchObject({ kind: 'aborted' });
    expect(await paid(answer({ CB: '9999', CD: '1', AE: '01', AF: '0451' }))).toMatchObject({
      kind: 'declined',
    });
  });

  it('is unclear without a reason, and with the name of another payment', async () => {
    expect(await paid(answer({ ...ECHO, AE: '01' }))).toMatchObject({ kind: 'unknown' });
    expect(await paid(answer({ ...ECHO, AE: '01', AF: '04', CF: OTHER_NAME }))).toMatchObject({
      kind: 'unknown',
    });
  });

  it('keeps what it may have in it to itself: no authorisation makes a refusal an approval', async () => {
    expect(await paid(answer({ ...ECHO, AE: '01', AF: '04', AC: '184117' }))).toMatchObject({
      kind: 'declined',
    });
  });
});

describe('an answer that says neither', () => {
  it('that is a card number instead of a code shows none of it', async () => {
    const outcome = await paid(answer({ ...ECHO, AE: '5413330089020011', AF: '5413330089020011' }));
    expect(outcome).toMatchObject({ kind: 'unknown', lastReport: { responseCode: '54' } });
    expect(JSON.stringify(outcome)).not.toContain('541333');
  });

  it.each(['11', '00', '1', '100'])('(AE %s) is unknown', async (AE) => {
    expect(await paid(answer({ ...ECHO, AE }))).toMatchObject({ kind: 'unknown' });
  });

  it('because it has no result is unknown, once the terminal has hung up', async () => {
    expect(await paid(answer(ECHO))).toMatchObject({ kind: 'unknown', code: 'TERMINAL_RESULT_UNCLEAR' });
  });
});

describe('a receipt in the answer', () => {
  it('is the customer’s, without card numbers', async () => {
    const text = 'CARTE BANCAIRE\nNo 4111111111111111\nMERCI';
    const AK = `${btoa(text)}\n`;
    const ticket = answer({ CK: '100', AK }).slice(9);
    const outcome = await paid(answer({ ...ECHO, AE: '10', ZT: ticket }), SALE, { receipt: 'customer' });
    expect(outcome).toMatchObject({
      kind: 'approved',
      receipts: { customer: 'CARTE BANCAIRE\nNo 411111******1111\nMERCI' },
    });
  });

  it.each([
    ['is no list of tags', 'a receipt'],
    ['has a tag that is cut short', 'CK003100AK09'],
    ['has a tag twice', 'CK003100CK003100'],
    ['has an empty tag', 'AK000'],
    ['lies too deep', 'ZT010ZT005ZT000'],
  ])('that %s does not put the approval in doubt', async (_, ZT) => {
    const written = answer({ ...ECHO, AE: '10', AC: '184117', CF: NAME, ZT });
    const outcome = await paid(written, SALE, { receipt: 'customer' });
    expect(outcome).toMatchObject({ kind: 'approved', report: { amountMinor: 1250, authCode: '184117' } });
    expect(outcome).toMatchObject({ receipts: {} });
  });
});
