import { describe, expect, it } from 'vitest';
import {
  framed,
  money,
  OTHER_TICKET,
  type Peer,
  RecordingObserver,
  raw,
  SALE,
  shown,
  signal,
  stage,
  TICKET,
} from './rig.ts';

const EPLUS = { dialect: 'eplus' };
const ASKED = `0100001250110978${TICKET}    A010B010`;

/** An answer, 25 characters; what is not named is as it was asked for. */
function answer({
  checkout = '01',
  result = '0',
  amount = '00001250',
  currency = '978',
  given = TICKET,
} = {}) {
  return `${checkout}${result}${amount}1${currency}${given.padEnd(10)}`;
}

/** A terminal that takes a payment and tells `said` 5 s later; `behind` is what it does to our ACK. */
function terminal(written: string, behind = '<04>') {
  let answered = false;
  return (heard: string, line: Peer) => {
    if (heard === '<05>') line.say('<06>');
    else if (heard.startsWith('<02>')) line.say('<06><05>');
    else if (heard === '<06>' && !answered) {
      answered = true;
      line.say(framed(written));
    } else if (heard === '<06>') line.say(behind);
  };
}

const session = async (written: string, options: object = {}) => {
  const scene = stage('serial', { options: { ...EPLUS, ...options }, answers: terminal(written) });
  const outcome = await scene.pay();
  return { ...scene, outcome };
};

describe('a payment in E+', () => {
  it('goes as ENQ, frame, EOT and comes back as ENQ, frame, EOT; its answer is on disk before it is acknowledged', async () => {
    const { noted, outcome } = await session(answer());
    expect(noted).toEqual(['<05>', framed(ASKED), 'accepted', '<04>', '<06>', 'report', '<06>', 'end']);
    expect(outcome).toMatchObject({
      kind: 'approved',
      report: { amountMinor: 1250, currency: 'EUR', reference: TICKET, responseCode: '0' },
    });
  });

  it.each([
    ['a sale', money('sale'), '0'],
    ['a refund', money('refund'), '1'],
  ])('asks for an answer at the end (A010) and for the report, %s with type %#', async (_, command, type) => {
    const scene = stage('serial', { options: EPLUS, answers: terminal(answer()) });
    await scene.pay(command);
    expect(scene.noted[1]).toBe(framed(`010000125011${type}978${TICKET}    A010B010`));
    expect(scene.noted.join()).not.toContain('A011');
  });

  it('is unknown, never approved, when the terminal does not hang up behind our acknowledgement', async () => {
    const scene = stage('serial', { options: EPLUS, answers: terminal(answer(), '') });
    expect(await scene.pay()).toMatchObject({ kind: 'unknown', lastReport: { verdict: 'approved' } });
  });

  it('is unknown when the core cannot store the answer, and the terminal is not answered any more', async () => {
    const scene = stage('serial', { options: EPLUS, answers: terminal(answer()) });
    scene.books.refuses = 'report';
    expect(await scene.pay()).toMatchObject({ kind: 'unknown', code: 'NOT_STORED' });
    expect(scene.noted.at(-1)).toBe('report');
  });

  it('is written once: silence behind it is unknown, whatever comes or not', async () => {
    const scene = stage('serial', {
      options: EPLUS,
      answers: (heard, line) => void (heard === '<05>' && line.say('<06>')),
    });
    expect(await scene.pay()).toMatchObject({ kind: 'unknown', code: 'TERMINAL_NO_ANSWER' });
    expect(scene.noted.filter((one) => one.startsWith('<02>'))).toHaveLength(1);
  });

  it.each([
    ['<15>', 'a NAK'],
    ['', 'nothing'],
    ['<05>', 'an ENQ of its own'],
  ])(
    'is not started, and its frame not written, where the terminal answers ENQ with %s (%s)',
    async (sign) => {
      let opened = false;
      const scene = stage('serial', {
        options: EPLUS,
        answers: (heard, line) => {
          if (heard === '<05>') line.say(opened ? sign : '<06>');
          if (heard === '<04>') opened = true;
        },
      });
      expect(await scene.pay()).toMatchObject({
        kind: 'not_started',
        code: 'TERMINAL_BUSY',
        message: expect.stringContaining('The customer was not charged'),
      });
      expect(scene.noted.filter((one) => one.startsWith('<02>'))).toEqual([]);
    },
  );
});

describe('the result digit of E+', () => {
  it.each(['1', '2', '3', '4', '5', '6', '7', '8', '9'])(
    '%s is unclear until a device is known by it',
    async (result) => {
      const { outcome } = await session(answer({ result }));
      expect(outcome).toMatchObject({ kind: 'unknown', code: 'TERMINAL_RESULT_UNCLEAR' });
    },
  );

  it.each([
    ['7', 'refused', 'declined'],
    ['5', 'aborted', 'aborted'],
  ])('%s is a no where the device was seen to say it (%s)', async (result, meaning, kind) => {
    const { outcome } = await session(answer({ result }), { results: { [result]: meaning } });
    expect(outcome).toMatchObject({ kind, report: { responseCode: result } });
  });
});

describe('an answer in E+ that does not fit what was asked for', () => {
  it.each([
    ['another checkout', { checkout: '02' }],
    ['another currency', { currency: '840' }],
    ['less', { amount: '00001249' }],
    ['more', { amount: '00001251' }],
  ])('is unclear, whatever its result: %s', async (_, change) => {
    const { outcome } = await session(answer(change));
    expect(outcome).toMatchObject({ kind: 'unknown', lastReport: { verdict: 'unclear' } });
  });

  it('is not acknowledged when it carries no ticket: it may be the end of another payment', async () => {
    const { noted, outcome } = await session(answer({ amount: '00009999', given: '0000000000' }));
    expect(outcome.kind).toBe('unknown');
    expect(noted.slice(noted.indexOf('report'))).toEqual(['report']);
  });

  it('with the ticket of another payment is passed over and not acknowledged', async () => {
    const { noted, books, outcome } = await session(answer({ given: OTHER_TICKET }));
    expect([outcome.kind, books.reports]).toEqual(['unknown', []]);
    expect(noted.filter((one) => one === '<06>')).toHaveLength(1);
  });

  it('is believed without a ticket, where the terminal fills the private field itself', async () => {
    const { outcome } = await session(answer({ given: '0000000000' }));
    expect(outcome).toMatchObject({ kind: 'approved' });
    expect(outcome).not.toHaveProperty('report.reference');
  });

  it('is not believed without a ticket by a driver that got one back before', async () => {
    const replies = [answer(), answer({ given: '' })];
    let next: string | undefined;
    const scene = stage('serial', {
      options: EPLUS,
      answers: (heard, line) => {
        if (heard === '<05>') line.say('<06>');
        else if (heard.startsWith('<02>')) {
          next = replies.shift();
          line.say('<06><05>');
        } else if (heard === '<06>') {
          line.say(next === undefined ? '<04>' : framed(next));
          next = undefined;
        }
      },
    });
    const open = await scene.open();
    const kinds = [];
    for (let round = 0; round < 2; round += 1)
      kinds.push((await scene.clock.runUntil(open.execute(SALE, scene.books, signal), 600_000, 500)).kind);
    expect(kinds).toEqual(['approved', 'unknown']);
  });
});

describe('the check of a frame', () => {
  /** An answer whose private field makes the check of its frame this byte. */
  function answerWithCheck(check: number): string {
    const signs = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index));
    const fields = signs.flatMap((one) => signs.map((other) => `~~${one}${other}`));
    const given = fields.find((field) => raw(framed(answer({ given: field }))).at(-1) === check);
    return answer({ given: given ?? '' });
  }

  it.each([0x06, 0x15, 0x05, 0x04, 0x02, 0x03])('may look like the control byte %i', async (check) => {
    const written = answerWithCheck(check);
    expect(raw(framed(written)).at(-1)).toBe(check);
    expect((await session(written)).outcome).toMatchObject({ kind: 'approved' });
  });

  it('is made of seven bits where the line has parity in the eighth', async () => {
    const written = shown(
      raw(framed(answer())).map((byte) => (byte > 0x20 && isOdd(byte) ? byte + 0x80 : byte)),
    );
    const scene = stage('serial', {
      options: { ...EPLUS, seven_data_bits: true },
      answers: (heard, line) => {
        if (heard !== '<06>') terminal('')(heard, line);
        else line.say(scene.noted.includes('report') ? '<04>' : written);
      },
    });
    expect(written).toMatch(/<b1>/);
    expect(await scene.pay()).toMatchObject({ kind: 'approved' });
  });

  const isOdd = (byte: number) => [...byte.toString(2)].filter((bit) => bit === '1').length % 2 === 1;
});

describe('a card number in the report of an E+ answer', () => {
  it('is in no transcript and no report but for its ends', async () => {
    const report = `4111111111111111${'0'.repeat(39)}`;
    const full = answer().slice(0, 12) + report + answer().slice(12);
    const { outcome, transcript } = await session(full);
    expect(outcome.kind).toBe('approved');
    const written = JSON.stringify([outcome, transcript]);
    expect(written).not.toMatch(/4111111111/);
    expect(written).toContain('411111');
  });

  it('becomes the masked number of the card where it stands alone', async () => {
    const report = '4111111111111111'.padEnd(55);
    const { outcome } = await session(answer().slice(0, 12) + report + answer().slice(12));
    expect(JSON.parse(JSON.stringify(outcome))).toMatchObject({ report: { maskedPan: '411111******1111' } });
  });
});

describe('an opening in E+', () => {
  it('listens for three seconds before it says a word', async () => {
    const scene = stage('serial', { options: EPLUS, answers: terminal(answer()) });
    const opened = scene.open();
    await scene.clock.settle();
    expect(scene.noted).toEqual([]);
    await opened;
    expect([scene.clock.monotonic() >= 3000, scene.noted]).toEqual([true, ['<05>', '<04>']]);
  });

  it('that hears the terminal call says nothing at all: what it has to tell comes first', async () => {
    const scene = stage('serial', { options: EPLUS, answers: () => undefined });
    const opened = scene.open();
    scene.line.say('<05>');
    const open = await opened;
    expect(scene.noted).toEqual([]);
    expect(await scene.clock.runUntil(open.readiness(signal))).toMatchObject({
      kind: 'wait',
      code: 'TERMINAL_BUSY',
    });
  });
});

describe('an answer that comes late', () => {
  async function late(written: string, refuses?: string) {
    const scene = stage('serial', {
      options: EPLUS,
      answers: (heard, line) => {
        if (heard !== '<06>') return;
        line.say(scene.noted.includes('report') ? '<04>' : framed(written));
      },
    });
    const opened = scene.open();
    scene.line.say('<05>');
    const open = await opened;
    const books = new RecordingObserver(scene.noted);
    books.refuses = refuses;
    const outcome = await scene.clock.runUntil(open.lateEnd?.(SALE, books, signal) ?? Promise.reject());
    return { ...scene, outcome };
  }

  it('is taken by its ticket, stored, and then acknowledged', async () => {
    const { outcome, noted } = await late(answer());
    expect(outcome).toMatchObject({ kind: 'approved', report: { reference: TICKET } });
    expect(noted).toEqual(['<06>', 'report', '<06>', 'end']);
  });

  it.each([
    ['of another payment', OTHER_TICKET],
    ['without a ticket', '0000000000'],
  ])('%s is nobody’s here, and is not acknowledged', async (_, given) => {
    const { outcome, noted } = await late(answer({ given }));
    expect([outcome, noted]).toEqual([null, ['<06>']]);
  });

  it('that cannot be stored is not acknowledged', async () => {
    const { outcome, noted } = await late(answer(), 'report');
    expect(outcome).toMatchObject({ kind: 'unknown', code: 'NOT_STORED' });
    expect(noted).toEqual(['<06>', 'report']);
  });

  it('that does not come is null, after a few seconds and without a word', async () => {
    const scene = stage('serial', { options: EPLUS, answers: terminal(answer()) });
    const open = await scene.open();
    scene.noted.length = 0;
    expect(
      await scene.clock.runUntil(open.lateEnd?.(SALE, scene.books, signal) ?? Promise.reject()),
    ).toBeNull();
    expect(scene.noted).toEqual([]);
  });
});
