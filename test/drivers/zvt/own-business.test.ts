import { describe, expect, it } from 'vitest';
import { openCounter, type Turn } from './scripted-terminal.ts';
import { sitting } from './sitting.ts';

function status(code: string): Turn[] {
  return [{ expect: '0501', send: ['800000', `060F01${code}`] }, { expect: '800000' }];
}

function registers(statusByte: string): Turn[] {
  return [
    { expect: '0600', send: ['800000', `060F0A19${statusByte}2952523535490978`] },
    { expect: '800000' },
  ];
}

/** A command that ends well at once. */
function does(command: string): Turn[] {
  return [{ expect: command, send: ['800000', '060F00'] }, { expect: '800000' }];
}

async function readiness(turns: readonly Turn[], options: unknown = {}, opening?: readonly Turn[]) {
  const counter = await openCounter(turns, { options, ...(opening ? { opening } : {}) });
  const readiness = await counter.clock.runUntil(counter.session.readiness(counter.signal));
  await counter.clock.settle();
  return { readiness, left: counter.terminal.left, surprises: counter.terminal.surprises };
}

const FINE = { left: 0, surprises: [] };

describe('what a terminal needs at its registration', () => {
  it('an initialisation (01) is made once it is idle', async () => {
    const turns = [...status('00'), ...does('0693'), ...status('00')];
    expect(await readiness(turns, {}, registers('01'))).toEqual({ readiness: { kind: 'ready' }, ...FINE });
  });

  it('a diagnosis (02), too, and both one after the other', async () => {
    const turns = [...status('00'), ...does('0693'), ...status('00'), ...does('0670'), ...status('00')];
    expect(await readiness(turns, {}, registers('03'))).toEqual({ readiness: { kind: 'ready' }, ...FINE });
  });

  it('is nothing when it is a filling station or a vending machine', async () => {
    expect(await readiness(status('00'), {}, registers('18'))).toEqual({
      readiness: { kind: 'ready' },
      ...FINE,
    });
  });
});

describe('a diagnosis that the terminal asks for (C2)', () => {
  it('is run once; what it prints comes to us, and 04 01 is answered though no terminal sets our clock', async () => {
    const turns = [
      ...status('C2'),
      { expect: '067000', send: ['800000', '0401' + '08' + 'AA2611220C013000'] },
      { expect: '800000', send: ['06D1024041'] },
      { expect: '800000', send: ['060F00'] },
      { expect: '800000' },
      ...status('00'),
    ];
    expect(await readiness(turns)).toEqual({ readiness: { kind: 'ready' }, ...FINE });
  });

  it('that does not help is a person’s business', async () => {
    expect(await readiness([...status('C2'), ...does('0670'), ...status('C2')])).toMatchObject({
      readiness: { kind: 'person', code: 'TERMINAL_DIAGNOSIS_NEEDED' },
      ...FINE,
    });
  });

  it.each([
    ['the terminal prints on its own paper', { receipts: false }],
    ['the device says so', { quirks: { diagnose: false } }],
  ])('is left to a person where %s', async (_name, options) => {
    expect(await readiness(status('C2'), options)).toMatchObject({ readiness: { kind: 'person' }, ...FINE });
  });
});

describe('a wrong clock (62)', () => {
  it('is set to the shop’s civil time where its time zone is known', async () => {
    const turns = [...status('62'), ...does('06910B000000AA'), ...status('00')];
    const options = { time_zone: 'Europe/Vienna' };
    expect(await readiness(turns, options)).toEqual({ readiness: { kind: 'ready' }, ...FINE });
  });

  it('is set in summer time, by the clock on the wall', async () => {
    const counter = await openCounter([...status('62'), { expect: '0691', send: ['800000', '060F00'] }], {
      options: { time_zone: 'Europe/Berlin' },
    });
    await counter.clock.runUntil(counter.session.readiness(counter.signal)).catch(() => undefined);
    const sent = counter.terminal.heard.find((packet) => packet.startsWith('0691')) ?? '';
    const local = new Intl.DateTimeFormat('sv', {
      timeZone: 'Europe/Berlin',
      dateStyle: 'short',
      timeStyle: 'medium',
    }).format(counter.clock.now());
    const digits = local.replace(/\D/g, '').slice(2);
    expect(sent.slice(14, 20)).toBe(digits.slice(0, 6));
    expect(sent.slice(22, 26)).toBe(digits.slice(6, 10));
  });

  it('is left to a diagnosis elsewhere, which asks the host', async () => {
    const turns = [...status('62'), ...does('0670'), ...status('00')];
    expect(await readiness(turns)).toEqual({ readiness: { kind: 'ready' }, ...FINE });
  });
});

describe('what nobody but a person does', () => {
  it.each(['B1', 'B2', 'F0', 'F6', 'BF', 'C0', 'C1', 'C4', 'E2', 'E3', 'DF'])(
    'a terminal that says %s is asked nothing else: its batch is never closed by us',
    async (code) => {
      const { readiness: ready, ...rest } = await readiness(status(code));
      expect(ready).toMatchObject({ kind: 'person', message: expect.stringMatching(/: /) });
      expect(rest).toEqual(FINE);
    },
  );

  it('an initialisation that the terminal does not know (51)', async () => {
    const options = { quirks: { initialise: false } };
    expect(await readiness(status('51'), options)).toMatchObject({
      readiness: { kind: 'person', code: 'TERMINAL_NOT_INITIALISED' },
      ...FINE,
    });
  });
});

describe('the driver and a virtual terminal that needs something after its power was gone', () => {
  it.each([
    ['initialisation', {}],
    ['diagnosis', {}],
    ['clock', {}],
    ['clock', { time_zone: 'Europe/Berlin' }],
  ] as const)('(%s, %j) make it ready, and then it sells', async (needs, device) => {
    const shop = await sitting({ options: { needs }, device });
    expect(await shop.pay(SALE)).toMatchObject({ kind: 'not_started' });
    expect(await shop.readiness()).toMatchObject({ kind: 'ready' });
    expect(await shop.pay(SALE)).toMatchObject({ kind: 'approved' });
    expect(shop.standing()).toHaveLength(1);
  });
});

const SALE = {
  kind: 'sale',
  attemptId: 'a',
  ticket: 'A00001',
  amount: { minor: 1234, currency: 'EUR' },
} as const;
