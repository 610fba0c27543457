import { describe, expect, it } from 'vitest';
import { driver } from '../../../drivers/terminals/zvt/driver.ts';
import {
  openCounter,
  prepare,
  REFUND,
  REGISTERS,
  result,
  SALE,
  saleTurns,
  type Turn,
} from './scripted-terminal.ts';

const DEVICE_DATA =
  '060F89F0F4F04745522D4150502D76322E302E393B635330322E30312E30312D31302E31302D322D323B4343323600065B1F440452523535E4431F400A6356454E4420706C75671F41284745522D4150502D76322E302E393B635330322E30312E30312D31302E31302D322D323B434332361F420417FD1E3C1F430100340D1F0E04202304051F0F03225655';

function status(code: string): Turn[] {
  return [{ expect: '0501', send: ['800000', `060F01${code}`] }, { expect: '800000' }];
}

describe('opening', () => {
  it('registers with progress texts wanted and the list of commands', async () => {
    const { clock, pair, terminal, context } = prepare(REGISTERS, {
      options: { password: '123456', config_byte: 'B6' },
    });
    const session = await clock.runUntil(driver.open(pair.ours, context, new AbortController().signal));
    expect(terminal.heard[0]).toBe(
      '060022123456BE0978061A26180A02040F0A02060F0A02061E0A0204FF0A0206D10A0206D3',
    );
    expect(session.capabilities.recover).toBe('by_number');
    await session.close();
    await session.close();
  });

  it.each([
    ['tcp', 'raw:150369', /ECR17/],
    ['tcp', 'raw:0000003E5645527C415050', /Yomani/],
    ['serial', 'raw:150369', /ECR17/],
  ] as const)('names a foreign protocol over %s (%s)', async (kind, answer, words) => {
    const { clock, pair, terminal, context } = prepare([], { kind });
    terminal.signs.push('', '', '');
    pair.ours.beforeWrite = () => void terminal.send(answer);
    const opening = clock.runUntil(driver.open(pair.ours, context, new AbortController().signal));
    await expect(opening).rejects.toMatchObject({
      code: 'TERMINAL_WRONG_PROTOCOL',
      message: expect.stringMatching(words),
    });
    expect((await pair.ours.closed).reason).toBe('closed_by_us');
  });

  it.each([
    ['849C00', 'TERMINAL_BUSY'],
    ['848300', 'TERMINAL_REGISTRATION_REFUSED'],
    ['841E036F0978', 'TERMINAL_REGISTRATION_REFUSED'],
  ])('says why a registration was refused with %s', async (answer, code) => {
    const { clock, pair, context } = prepare([{ expect: '0600', send: [answer] }]);
    const opening = clock.runUntil(driver.open(pair.ours, context, new AbortController().signal));
    await expect(opening).rejects.toMatchObject({ code });
  });

  it('gives up a silent terminal', async () => {
    const { clock, pair, context } = prepare([]);
    const opening = clock.runUntil(driver.open(pair.ours, context, new AbortController().signal));
    await expect(opening).rejects.toMatchObject({ code: 'TERMINAL_NO_ANSWER' });
  });

  it('needs the password that the schema allows', async () => {
    const { pair, context } = prepare([], { options: { password: '12' } });
    await expect(driver.open(pair.ours, context, new AbortController().signal)).rejects.toThrow();
  });
});

describe('identify', () => {
  it('reads serial number, terminal id, model and firmware', async () => {
    const counter = await openCounter([{ expect: '0501050000000304', send: ['800000', DEVICE_DATA] }]);
    expect(await counter.clock.runUntil(counter.session.identify(counter.signal))).toEqual({
      grade: 'serial',
      serial: '17FD1E3C',
      terminalId: '52523535',
      model: 'cVEND plug',
      firmware: 'GER-APP-v2.0.9;cS02.01.01-10.10-2-2;CC26',
    });
  });

  it('falls back to the terminal id of the registration', async () => {
    const counter = await openCounter(status('00'));
    const identity = await counter.clock.runUntil(counter.session.identify(counter.signal));
    expect(identity).toEqual({ grade: 'tid', terminalId: '52523535' });
    expect(counter.session.capabilities.identity).toBe('tid');
  });

  it('rejects when nobody answers, and the next question is not confused by the late answer', async () => {
    const counter = await openCounter([{ expect: '0501' }, ...status('9C')]);
    const asking = counter.clock.runUntil(counter.session.identify(counter.signal));
    await expect(asking).rejects.toMatchObject({ code: 'TERMINAL_NO_ANSWER' });
    await counter.terminal.send('800000');
    await counter.terminal.send('060F0100');
    await counter.clock.settle();
    expect(await counter.clock.runUntil(counter.session.readiness(counter.signal))).toMatchObject({
      kind: 'wait',
    });
  });
});

describe('a wrong password', () => {
  const WORDS = /wrong password: set options\.password/;
  const REFUND_TURN = { expect: '0631', send: ['843700'] };

  it('is a question to a person, who is told which setting', async () => {
    const counter = await openCounter([{ expect: '0501', send: ['843700'] }]);
    expect(await counter.clock.runUntil(counter.session.readiness(counter.signal))).toMatchObject({
      kind: 'person',
      code: 'TERMINAL_NOT_REGISTERED',
      message: expect.stringMatching(/refuses our password: set options\.password/),
    });
  });

  it('starts no refund, and is not called a wrong PIN', async () => {
    const counter = await openCounter([REFUND_TURN]);
    expect(await counter.pay(REFUND)).toMatchObject({
      kind: 'not_started',
      message: expect.stringMatching(WORDS),
    });
  });

  it('is no device to know, and says so', async () => {
    const counter = await openCounter([{ expect: '0501', send: ['843700'] }]);
    await expect(counter.clock.runUntil(counter.session.identify(counter.signal))).rejects.toMatchObject({
      code: 'TERMINAL_REFUSED',
      message: expect.stringMatching(WORDS),
    });
  });

  it.each([
    ['at once', [{ expect: '0650', send: ['843700'] }]],
    ['at its end', saleTurns([], '061E0137', [], '0650')],
  ] as const)('closes no day, said %s', async (_when, turns) => {
    const counter = await openCounter(turns);
    const closing = counter.session.endOfDay(() => undefined, counter.signal);
    expect(await counter.clock.runUntil(closing)).toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(WORDS),
    });
  });

  it('says of the last transaction that it cannot be read, with the same words', async () => {
    const counter = await openCounter([{ expect: '0620', send: ['843700'] }]);
    expect(await counter.clock.runUntil(counter.session.lastTransaction(counter.signal))).toMatchObject({
      kind: 'unreadable',
      detail: expect.stringMatching(WORDS),
    });
  });

  it('is a wrong PIN inside a payment', async () => {
    const counter = await openCounter(saleTurns([], '061E0137'));
    expect(await counter.pay(SALE)).toMatchObject({ kind: 'declined', report: { responseCode: '37' } });
  });
});

describe('readiness', () => {
  it.each([
    ['00', 'ready'],
    ['9C', 'wait'],
    ['DC', 'wait'],
    ['E1', 'person'],
    ['F0', 'person'],
    ['C0', 'person'],
    ['77', 'person'],
  ])('of status %s is %s', async (code, kind) => {
    const counter = await openCounter(status(code));
    expect(await counter.clock.runUntil(counter.session.readiness(counter.signal))).toMatchObject({ kind });
    expect(counter.terminal.surprises).toEqual([]);
  });

  it('is not ready when the terminal says nothing of it', async () => {
    const counter = await openCounter([{ expect: '0501', send: ['800000', '060F00'] }, { expect: '800000' }]);
    expect(await counter.clock.runUntil(counter.session.readiness(counter.signal))).toMatchObject({
      kind: 'person',
    });
  });

  it('initialises once by itself, takes what is printed, and asks again', async () => {
    const turns = [
      ...status('51'),
      { expect: '0693', send: ['800000', '06D1024041'] },
      { expect: '800000', send: ['060F00'] },
      { expect: '800000' },
      ...status('00'),
    ];
    const counter = await openCounter(turns);
    expect(await counter.clock.runUntil(counter.session.readiness(counter.signal))).toEqual({
      kind: 'ready',
    });
    expect(counter.terminal.left).toBe(0);
  });

  it('registers once by itself, and then it is a person’s turn', async () => {
    const counter = await openCounter([...status('6B'), ...REGISTERS, ...status('6B')]);
    expect(await counter.clock.runUntil(counter.session.readiness(counter.signal))).toMatchObject({
      kind: 'person',
      code: 'TERMINAL_NOT_REGISTERED',
    });
    expect(counter.terminal.left).toBe(0);
  });

  it('reads a refusal like a status', async () => {
    const counter = await openCounter([{ expect: '0501', send: ['849C00'] }]);
    expect(await counter.clock.runUntil(counter.session.readiness(counter.signal))).toMatchObject({
      kind: 'wait',
    });
  });
});

describe('the last transaction', () => {
  const ask = async (turns: readonly Turn[]) => {
    const counter = await openCounter(turns);
    const last = counter.clock.runUntil(counter.session.lastTransaction(counter.signal));
    return { counter, last };
  };

  it('is read without printing', async () => {
    const full = result('00', '0C2255580D0405');
    const { last, counter } = await ask([
      { expect: '0620050000000303', send: ['800000', full] },
      { expect: '800000', send: ['060F00'] },
      { expect: '800000' },
    ]);
    expect(await last).toMatchObject({
      kind: 'found',
      report: {
        kind: 'unknown',
        verdict: 'approved',
        number: '0231',
        amountMinor: 1234,
        terminalClock: '0405225558',
      },
    });
    await counter.clock.settle();
    expect(counter.terminal.left).toBe(0);
  });

  it('is a void when it names an original', async () => {
    const { last } = await ask([
      { expect: '0620', send: ['800000', result('00', '37000606')] },
      { expect: '800000', send: ['060F00'] },
    ]);
    expect(await last).toMatchObject({ report: { kind: 'void', originalTrace: '000606' } });
  });

  it('is asked for again with service byte 01, and then unreadable', async () => {
    const { last, counter } = await ask([
      { expect: '0620050000000303', send: ['800000', '060F00'] },
      { expect: '800000' },
      { expect: '0620050000000301', send: ['800000', '060F00'] },
      { expect: '800000' },
    ]);
    expect(await last).toMatchObject({ kind: 'unreadable' });
    expect(counter.session.capabilities.recover).toBe('none');
  });

  it('is not asked for again where the terminal would print it', async () => {
    const counter = await openCounter(
      [{ expect: '0620050000000303', send: ['800000', '060F00'] }, { expect: '800000' }],
      { options: { receipts: false } },
    );
    const last = counter.clock.runUntil(counter.session.lastTransaction(counter.signal));
    expect(await last).toMatchObject({ kind: 'unreadable' });
    expect(counter.session.capabilities.recover).toBe('none');
    expect(counter.terminal.surprises).toEqual([]);
  });

  it.each([
    ['061E0164', 'empty'],
    ['061E0183', 'unreadable'],
    ['061E00', 'unreadable'],
  ])('with the end %s is %s', async (end, kind) => {
    const { last } = await ask([{ expect: '0620', send: ['800000', end] }]);
    expect(await last).toMatchObject({ kind });
  });

  it('is asked for later when the terminal is busy', async () => {
    const { last } = await ask([{ expect: '0620', send: ['849C00'] }]);
    await expect(last).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
  });
});

it('a terminal that forgot its registration is registered again before its last transaction is read', async () => {
  const counter = await openCounter([
    { expect: '0620', send: ['800000', '061E016B'] },
    { expect: '800000' },
    ...REGISTERS,
    { expect: '0620', send: ['800000', '061E0164'] },
    { expect: '800000' },
  ]);
  const last = await counter.clock.runUntil(counter.session.lastTransaction(counter.signal));
  expect(last).toEqual({ kind: 'empty' });
  expect(counter.terminal.surprises).toEqual([]);
});

it.each(['identify', 'readiness'] as const)(
  'a result of an older payment that comes into %s is not acknowledged',
  async (ask) => {
    const counter = await openCounter([{ expect: '0501', send: ['800000', result('00')] }]);
    const asked = counter.clock.runUntil<unknown>(counter.session[ask](counter.signal));
    await expect(asked).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
    expect(counter.terminal.count('80')).toBe(0);
  },
);

describe('a line that is out of step', () => {
  it.each(['identify', 'readiness'] as const)(
    'is noticed when the terminal does not know the Status-Enquiry (%s): the link must be made anew',
    async (question) => {
      const counter = await openCounter([{ expect: '0501', send: ['848300'] }]);
      const asked = counter.clock.runUntil(counter.session[question](counter.signal).then(() => undefined));
      await expect(asked).rejects.toMatchObject({
        code: 'TERMINAL_GARBLED',
        message: expect.stringMatching(/out of step/),
      });
      await counter.session.close();
      const again = await openCounter(status('00'));
      expect(await again.clock.runUntil(again.session.readiness(again.signal))).toEqual({ kind: 'ready' });
    },
  );
});
