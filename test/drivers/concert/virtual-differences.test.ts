import { describe, expect, it } from 'vitest';
import { driver } from '../../../drivers/terminals/concert/driver.ts';
import { concertDialect } from '../../../drivers/terminals/concert/virtual.ts';
import type { ConcertVirtualOptions } from '../../../drivers/terminals/concert/virtual-options.ts';
import { virtualTerminals } from '../../../drivers/virtual.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Key } from '../../../src/sandbox/controllable-terminal.ts';
import { VirtualTerminal } from '../../../src/sandbox/terminal/virtual-terminal.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { noDial } from '../../support/no-dial.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { memory, money, RecordingObserver, SALE, signal, virtualSettings } from './rig.ts';

interface Table {
  readonly wire: 'serial' | 'tcp';
  readonly terminal: Partial<ConcertVirtualOptions>;
  readonly device?: Readonly<Record<string, unknown>>;
}

/** The driver and a virtual terminal at one table, in virtual time. */
function table({ wire, terminal: options, device = {} }: Table) {
  const clock = new VirtualClock();
  const transcript: string[] = [];
  const terminal = new VirtualTerminal(virtualSettings({ autopilotMs: 300 }), concertDialect(options), {
    clock,
    log: silentLog,
    memory: memory(),
  });
  terminal.start();
  const dial = async () => {
    const { ours, theirs } = memoryLinkPair({ kind: wire });
    terminal.attach(theirs);
    return ours;
  };
  const context = {
    deviceId: 'device',
    currency: 'EUR',
    clock,
    log: silentLog,
    transcript: { record: (_: string, summary: string) => transcript.push(summary) },
    dial,
    openBeside: noDial,
    options: { dialect: options.dialect ?? 'v3', ...device },
  } as const;
  const open = async () => driver.open(await dial(), context, signal);
  return {
    clock,
    terminal,
    transcript,
    open: () => clock.runUntil(open(), 60_000),
    pay: async (key: Key = 'approve', command = SALE) => {
      const session = await clock.runUntil(open(), 60_000);
      terminal.press(key);
      const outcome = await clock.runUntil(
        session.execute(command, new RecordingObserver(), signal),
        600_000,
        500,
      );
      await clock.runUntil(session.close());
      return outcome;
    },
    standing: () =>
      terminal.snapshot().ledger.filter(({ result, reversed }) => result === 'approved' && !reversed),
  };
}

const DIFFERENCES: readonly (readonly [string, Table])[] = [
  ['a short answer', { wire: 'serial', terminal: { dialect: 'eplus', answer: 'short' } }],
  [
    'a report with a whole card number',
    { wire: 'serial', terminal: { dialect: 'eplus', report: 'whole_card' } },
  ],
  ['a private field of its own', { wire: 'serial', terminal: { dialect: 'eplus', private: 'zeros' } }],
  [
    'parity in bit 7',
    { wire: 'serial', terminal: { dialect: 'eplus', parity: true }, device: { seven_data_bits: true } },
  ],
  ['zeros in front of amounts', { wire: 'tcp', terminal: { paddedAmount: true } }],
  ['a reference of its own', { wire: 'tcp', terminal: { reference: 'own' } }],
  ['no reference', { wire: 'tcp', terminal: { reference: 'none' } }],
  ['answers in two pieces', { wire: 'tcp', terminal: { splitMs: 290 } }],
  ['a connection that it keeps', { wire: 'tcp', terminal: { afterAnswer: 'stays' } }],
  ['no identification', { wire: 'tcp', terminal: { identifies: false } }],
  ['a line end of CR LF', { wire: 'tcp', terminal: { wantsLineEnd: true }, device: { line_end: true } }],
  ['another version', { wire: 'tcp', terminal: { version: '0320' } }],
];

describe('a terminal with', () => {
  it.each(DIFFERENCES)('%s sells once', async (_, it) => {
    const shop = table(it);
    expect(await shop.pay()).toMatchObject({ kind: 'approved', report: { amountMinor: 1250 } });
    expect(shop.standing()).toHaveLength(1);
    expect(shop.transcript.join()).not.toContain('4111111111111111');
  });
});

describe('a customer', () => {
  it.each([
    ['V3 over TCP', { wire: 'tcp', terminal: {} }, 'declined', 'aborted', 'aborted'],
    ['V3 on a cable', { wire: 'serial', terminal: {} }, 'declined', 'aborted', 'aborted'],
    [
      'V3 with all echoes',
      { wire: 'tcp', terminal: { stopWithoutEchoes: false } },
      'declined',
      'aborted',
      'aborted',
    ],
    ['E+', { wire: 'serial', terminal: { dialect: 'eplus' } }, 'unknown', 'unknown', 'unknown'],
    [
      'E+ whose digits are known',
      {
        wire: 'serial',
        terminal: { dialect: 'eplus', tellsWhy: true },
        device: { results: { 3: 'refused', 5: 'aborted' } },
      },
      'declined',
      'aborted',
      'aborted',
    ],
  ] satisfies readonly (readonly [string, Table, string, string, string])[])(
    'who does not pay is told as the terminal tells it: %s',
    async (_, it, declined, stopped, walked) => {
      const shop = table(it);
      const kinds = [];
      for (const key of ['decline', 'abort', 'walk_away'] as const) kinds.push((await shop.pay(key)).kind);
      expect(kinds).toEqual([declined, stopped, walked]);
      expect(shop.standing()).toEqual([]);
    },
  );
});

describe('a terminal that cannot', () => {
  it('read our message says so, and nobody is charged', async () => {
    const shop = table({ wire: 'tcp', terminal: { formatError: true } });
    expect(await shop.pay()).toMatchObject({ kind: 'declined', report: { responseCode: '09' } });
    expect(shop.standing()).toEqual([]);
  });

  it('do without CR LF says nothing, and the outcome is unknown', async () => {
    const shop = table({ wire: 'tcp', terminal: { wantsLineEnd: true } });
    await expect(shop.open()).rejects.toMatchObject({ code: 'TERMINAL_NO_ANSWER' });
  });
});

describe('the options of the virtual terminal', () => {
  it('are those that the sandbox takes', async () => {
    const family = virtualTerminals.find(({ protocol }) => protocol === 'concert');
    const { defaultOptions } = await import('../../../drivers/terminals/concert/virtual-options.ts');
    expect(Object.keys(family?.options.shape ?? {}).sort()).toEqual(Object.keys(defaultOptions).sort());
    expect((await family?.load({ dialect: 'eplus' }))?.protocol).toBe('concert');
  });
});

it('a refund gives back', async () => {
  const shop = table({ wire: 'tcp', terminal: {} });
  expect(await shop.pay('approve', money('refund'))).toMatchObject({
    kind: 'approved',
    report: { kind: 'refund' },
  });
  expect(shop.standing()).toMatchObject([{ kind: 'refund', amountMinor: 1250 }]);
});
