import { describe, expect, it } from 'vitest';
import { toHex } from '../../../src/driver-kit/hex.ts';
import { openCounter, result } from './scripted-terminal.ts';
import { sitting } from './sitting.ts';

/**
 * Everything that a question may say to a terminal: no command that moves money, none that closes a batch, none that starts the
 * terminal anew.
 */
const HARMLESS = [
  /^060[0-9A-F]{3}123456BE0978/,
  /^0501051234560304$/,
  /^06200512345603(?:03|01)$/,
  /^061003123456$/,
  /^069303123456$/,
  /^067000$/,
  /^06910B123456AA[0-9]{6}0C[0-9]{6}$/,
  /^800000$/,
  /^848300$/,
];

const QUESTIONS = ['identify', 'readiness', 'lastTransaction', 'totals', 'journal'] as const;

const OPTIONS = { password: '123456', time_zone: 'Europe/Berlin' };

/** What a terminal may answer to anything, the wildest included. */
const ANSWERS: readonly (readonly string[])[] = [
  [],
  ['800000'],
  ['848300'],
  ['846B00'],
  ['849C00'],
  ['800000', '060F00'],
  ['800000', '061E016B'],
  ['800000', '061E0164'],
  ['800000', '061E04B887FFFF'],
  ['800000', result('00')],
  ['800000', '04FF010A', '06D1024041', '060F00'],
  ...['00', '51', '62', '6B', '9C', 'B1', 'C2', 'DC', 'E0', 'F0', 'F6', 'FF'].map((code) => [
    '800000',
    `060F01${code}`,
  ]),
];

describe.each(QUESTIONS)('%s', (question) => {
  it.each(ANSWERS.map((answer) => [answer.join(' '), answer] as const))(
    'sends nothing that moves money, whatever the terminal answers: %s',
    async (_name, answer) => {
      const registers = [
        { expect: '0600', send: ['800000', '060F0A19032952523535490978'] },
        { expect: '800000' },
      ];
      const counter = await openCounter([], { options: OPTIONS, opening: registers });
      const replies = Array.from({ length: 40 }, () => ({ expect: '0', send: answer }));
      const answers = { expect: '8' } as const;
      counter.terminal.add(...replies.flatMap((reply) => [reply, ...answer.slice(1).map(() => answers)]));
      const asked =
        counter.session[question]?.(counter.signal) ?? Promise.reject(new Error('no such question'));
      await counter.clock.runUntil(asked.then(() => undefined).catch(() => undefined));
      expect(counter.terminal.heard.length).toBeGreaterThan(0);
      const strange = counter.terminal.heard.filter(
        (packet) => !HARMLESS.some((frame) => frame.test(packet)),
      );
      expect(strange).toEqual([]);
    },
  );

  it('leaves the ledger of a virtual terminal as it was', async () => {
    const shop = await sitting();
    await shop.pay({
      kind: 'sale',
      attemptId: 'a',
      ticket: 'A00001',
      amount: { minor: 100, currency: 'EUR' },
    });
    const before = shop.terminal.snapshot().ledger;
    const asked = shop.session[question]?.(shop.signal) ?? Promise.reject(new Error('no such question'));
    await shop.clock.runUntil(asked.then(() => undefined));
    expect(shop.terminal.snapshot().ledger).toEqual(before);
  });
});

it('opening a session sends the registration and the answer to its end, and nothing else', async () => {
  const { pair } = await openCounter([]);
  expect(pair.ours.written.map(toHex)).toEqual([expect.stringMatching(/^0600/), '800000']);
});
