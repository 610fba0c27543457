import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { concert } from '../../drivers/terminals/concert/manifest.ts';
import { concertDialect } from '../../drivers/terminals/concert/virtual.ts';
import { ecr17 } from '../../drivers/terminals/ecr17/manifest.ts';
import { ecr17Dialect } from '../../drivers/terminals/ecr17/virtual.ts';
import { nexo } from '../../drivers/terminals/nexo/manifest.ts';
import { nexoDialect } from '../../drivers/terminals/nexo/virtual.ts';
import { transbank } from '../../drivers/terminals/transbank/manifest.ts';
import { transbankDialect } from '../../drivers/terminals/transbank/virtual.ts';
import { zvt } from '../../drivers/terminals/zvt/manifest.ts';
import { zvtDialect } from '../../drivers/terminals/zvt/virtual.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Currency } from '../../src/base/money.ts';
import type { TerminalManifest } from '../../src/driver-kit/define.ts';
import type { VirtualDialect } from '../../src/sandbox/terminal/dialect.ts';
import { VirtualTerminal } from '../../src/sandbox/terminal/virtual-terminal.ts';
import type { MoneyCommand, Outcome, TransactionReport } from '../../src/terminal/ports.ts';
import { memoryLinkPair } from '../support/memory-link.ts';
import { noDial } from '../support/no-dial.ts';
import { textMemory, VIRTUAL_TERMINAL } from '../support/shop.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

interface Family {
  readonly manifest: TerminalManifest;
  readonly dialect: () => VirtualDialect;
  readonly wire: 'serial' | 'tcp';
  readonly currency: Currency;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The columns of the table. */
const FAMILIES: Readonly<Record<string, Family>> = {
  ZVT: { manifest: zvt, dialect: zvtDialect, wire: 'tcp', currency: 'EUR', options: {} },
  'Concert E+': {
    manifest: concert,
    dialect: () => concertDialect({ dialect: 'eplus' }),
    wire: 'serial',
    currency: 'EUR',
    options: { dialect: 'eplus' },
  },
  'Concert V3': { manifest: concert, dialect: concertDialect, wire: 'tcp', currency: 'EUR', options: {} },
  ECR17: { manifest: ecr17, dialect: ecr17Dialect, wire: 'tcp', currency: 'EUR', options: {} },
  Transbank: {
    manifest: transbank,
    dialect: transbankDialect,
    wire: 'serial',
    currency: 'CLP',
    options: {},
  },
  nexo: {
    manifest: nexo,
    dialect: nexoDialect,
    wire: 'tcp',
    currency: 'EUR',
    options: { poi_id: '17FD1E3C' },
  },
};
const HEADING = "## Tips, receipts on the terminal's paper";
const MINOR = 1200;
/** What the customers of the virtual terminals add when they are asked for a tip: 10 %. */
const TIP = 120;
const OTHER = { attemptId: '0198c5a0-0000-7000-8000-00000000abcf', ticket: 'A1B2C5' };
const { signal } = new AbortController();

/** The cells below the heading: row → family → text. */
function cells(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const readme = readFileSync(new URL('../../drivers/README.md', import.meta.url), 'utf8');
  const [, below = ''] = readme.split(HEADING);
  const lines = below.split('\n').filter((line) => line.startsWith('|'));
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const named = rows.map(([row = '', ...texts]) => [
    row,
    Object.fromEntries(texts.map((text, index) => [head[index + 1] ?? '', text])),
  ]);
  return Object.fromEntries(named);
}

const TABLE = cells();
const row = (name: string) => Object.entries(TABLE[name] ?? {});

/** The driver of a family and its virtual terminal, whose customers pay. */
async function counter(name: string, more: Readonly<Record<string, unknown>> = {}) {
  const family = FAMILIES[name];
  if (!family) throw new Error(`no family ${name}`);
  const { manifest, wire, currency, options } = family;
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 9, 0, 0));
  const settings = { ...VIRTUAL_TERMINAL, protocol: manifest.id, currency, terminalId: '75001637' };
  const terminal = new VirtualTerminal(
    { ...settings, autopilot: 'approve', autopilotMs: 20, tipPercent: 10 },
    family.dialect(),
    {
      clock,
      log: silentLog,
      memory: textMemory(),
    },
  );
  terminal.start();
  const dial = async () => {
    const { ours, theirs } = memoryLinkPair({ kind: wire });
    terminal.attach(theirs);
    return ours;
  };
  const context = {
    deviceId: 'device',
    currency,
    clock,
    log: silentLog,
    transcript: { record: () => undefined },
    dial,
    openBeside: noDial,
    options: manifest.options.parse({ ...options, ...more }),
  };
  const driver = await manifest.load();
  const session = await clock.runUntil(driver.open(await dial(), context, signal), 900_000, 100);
  const observer = {
    accepted: () => true,
    progress: () => undefined,
    beforeAcknowledge: () => true,
    beforeEnd: () => true,
  };
  const charged = () =>
    terminal
      .snapshot()
      .ledger.filter(({ result, reversed }) => result === 'approved' && !reversed)
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return {
    terminal,
    session,
    charged,
    last: () => clock.runUntil(session.lastTransaction(signal), 900_000, 100),
    pay: (command: MoneyCommand) => clock.runUntil(session.execute(command, observer, signal), 900_000, 100),
    sale: (): MoneyCommand => ({
      kind: 'sale',
      attemptId: '0198c5a0-0000-7000-8000-00000000abcd',
      ticket: 'A1B2C3',
      amount: { minor: MINOR, currency },
    }),
  };
}

function reportOf(outcome: Outcome): TransactionReport | undefined {
  if (outcome.kind === 'unknown') return outcome.lastReport;
  return outcome.kind === 'not_started' ? undefined : outcome.report;
}

it('the table has a column for every family of terminals, and no row that is not proved here', () => {
  expect(Object.keys(TABLE)).toEqual(['tip on the terminal', "receipts on the terminal's paper"]);
  for (const cellsOfRow of Object.values(TABLE))
    expect(Object.keys(cellsOfRow)).toEqual(Object.keys(FAMILIES));
});

describe('a tip that the customer adds', () => {
  it.each(row('tip on the terminal'))('%s: %s', async (name, cell) => {
    const { terminal, pay, sale, charged } = await counter(name);
    terminal.nextAmount(MINOR + 100, { tipMinor: 100 });
    const outcome = await pay(sale());
    expect(charged()).toBe(MINOR + 100);
    if (cell.startsWith('supported')) {
      expect(outcome).toMatchObject({
        kind: 'approved',
        report: { amountMinor: MINOR + 100, tipMinor: 100 },
      });
      return;
    }
    expect(cell).toMatch(/^none: an approval of more is (?:unclear|charged)/);
    expect(outcome.kind).toBe(cell.includes('unclear') ? 'unknown' : 'approved');
    expect(reportOf(outcome)?.tipMinor).toBeUndefined();
  });

  it.each(row('tip on the terminal'))('%s is asked for with a sale that says so: %s', async (name, cell) => {
    const { session, pay, sale, charged, last } = await counter(name);
    const isAskedFor = cell.includes('asked for with');
    expect(session.capabilities.tip).toBe(isAskedFor);
    expect(await pay(sale())).toMatchObject({ report: { amountMinor: MINOR } });
    expect(charged()).toBe(MINOR);
    const outcome = await pay({ ...sale(), kind: 'sale', ...OTHER, tip: 'ask' });
    const added = isAskedFor ? { amountMinor: MINOR + TIP, tipMinor: TIP } : { amountMinor: MINOR };
    expect(outcome).toMatchObject({ kind: 'approved', report: added });
    expect(charged()).toBe(2 * MINOR + (isAskedFor ? TIP : 0));
    if (isAskedFor) expect(await last()).toMatchObject({ report: added });
  });
});

describe("a receipt on the terminal's paper", () => {
  it.each(row("receipts on the terminal's paper"))('%s: %s', async (name, cell) => {
    if (cell === 'none: the till has them') {
      const { pay, sale } = await counter(name);
      expect(await pay(sale())).toMatchObject({ receipts: { customer: expect.any(String) } });
      return;
    }
    expect(cell).toMatch(/^supported: (?:always|`[a-z]+: (?:false|"[a-z]+")`)$/);
    const option = /`([a-z]+): (.+)`/.exec(cell);
    const { pay, sale } = await counter(
      name,
      option ? { [option[1] ?? '']: JSON.parse(option[2] ?? '') } : {},
    );
    expect(await pay(sale())).toMatchObject({ kind: 'approved', receipts: {} });
    expect(await pay(sale())).toHaveProperty('receipts', {});
  });

  it.each(['ZVT', 'ECR17'])('comes to the till without that option: %s', async (name) => {
    const { pay, sale } = await counter(name);
    expect(await pay(sale())).toMatchObject({ receipts: { customer: expect.any(String) } });
  });
});
