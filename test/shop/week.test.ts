import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { judge } from '../judge/judge.ts';
import type { Agent } from './agent.ts';
import { FAULT_KINDS } from './fault-kinds.ts';
import { playSeed, type SeedResult, summaryOf, tooSmall } from './simulate-shop.ts';
import { ShopWeek, type WeekDeps } from './week.ts';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-shop-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The harms that the judge finds within so many weeks of a product that was broken on purpose. */
async function harmsOf(
  broken: Pick<WeekDeps, 'spoil' | 'read'>,
  weeks: number,
): Promise<ReadonlySet<string>> {
  const harms = new Set<string>();
  for (let seed = 1; seed <= weeks && harms.size === 0; seed += 1) {
    const { facts } = await new ShopWeek({ seed, folder: join(aFolder(), String(seed)), ...broken }).play();
    for (const { harm } of judge(facts).findings) harms.add(harm);
  }
  return harms;
}

/** A product that no witness tells of an older image: not the service, not the terminal, not the start of the machine. */
function blindToImages({ core, money }: Agent): void {
  core.requestGuard.unknownAttempt = () => undefined;
  money.payments.isFromEarlierBoot = () => false;
  const ask = core.writer.ask.bind(core.writer);
  core.writer.ask = (kind, subject, message) => {
    if (kind === 'memory_lost' && message?.startsWith('The terminal of')) return;
    ask(kind, subject, message);
  };
}

describe('a shop week', { timeout: 300_000 }, () => {
  it('does no harm, in none of the first seeds, whatever goes wrong', async () => {
    const results = [];
    for (const seed of [1, 2, 3, 4, 5, 6]) results.push(await playSeed(seed, join(aFolder(), String(seed))));
    const { failures, attempts, faults } = summaryOf(results);
    expect(failures).toEqual([]);
    expect(attempts).toBeGreaterThan(300);
    expect(FAULT_KINDS.filter((kind) => (faults[kind] ?? 0) === 0)).toEqual([]);
  });

  it('plays the same from the same seed', async () => {
    const [one, other] = [await playSeed(7, aFolder()), await playSeed(7, aFolder())];
    expect(other).toEqual(one);
  });

  it('of a shop that forgets what it has sold charges customers twice: the judge sees it', async () => {
    const spoil = ({ money }: Agent) => {
      money.payments.possibleDuplicates = () => [];
    };
    const harms = await harmsOf({ spoil }, 3);
    expect([...harms]).toContain('double_charge');
  });

  it('of a shop that says "not charged" of every doubt does what the judge sees', async () => {
    const spoil = ({ core: { writer } }: Agent) => {
      const applyAll = writer.applyAll.bind(writer);
      writer.applyAll = (id, steps) => {
        const next = applyAll(id, steps);
        return next.state.name === 'in_doubt'
          ? applyAll(id, [{ event: { type: 'evidence', of: 'not_charged' } }])
          : next;
      };
    };
    const harms = await harmsOf({ spoil }, 6);
    const seen = ['false_not_charged', 'lost_outcome', 'double_charge'];
    expect([...harms].some((harm) => seen.includes(harm))).toBe(true);
  });

  it('of a shop that does not notice an image of its disk charges customers twice, or loses a charge: the judge sees it', async () => {
    const harms = await harmsOf({ spoil: blindToImages }, 12);
    expect([...harms].some((harm) => harm === 'double_charge' || harm === 'lost_outcome')).toBe(true);
  });

  it('of a shop that asks no person after a restore charges customers twice: the judge sees it', async () => {
    const spoil = ({ money }: Agent) => {
      money.payments.insertTask = () => false;
    };
    expect([...(await harmsOf({ spoil }, 6))]).toContain('double_charge');
  });

  it('of a shop that takes an invoice in other letters for another one charges customers twice: the judge sees it', async () => {
    const read: WeekDeps['read'] = ({ invoice_id, reference }) => ({
      ...(invoice_id === undefined ? {} : { invoice_id: invoice_id.trim() }),
      ...(reference === undefined ? {} : { reference: reference.trim() }),
    });
    expect([...(await harmsOf({ read }, 6))]).toContain('double_charge');
  });

  it('with too few attempts or faults fails the run', () => {
    const week = { seed: 1, attempts: 60, faults: { crash: 10 } } as unknown as SeedResult;
    expect(tooSmall(week)).toEqual([]);
    expect(tooSmall({ ...week, attempts: 59 })).toHaveLength(1);
    expect(tooSmall({ ...week, faults: { crash: 9, slow_customer: 99 } })).toHaveLength(1);
  });
});
