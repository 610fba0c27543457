import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { judge } from '../judge/judge.ts';
import type { Agent } from './agent.ts';
import { FAULT_KINDS } from './fault-kinds.ts';
import { playSeed, summaryOf } from './simulate-shop.ts';
import { ShopWeek } from './week.ts';

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-shop-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The harms that the judge finds within so many weeks of a product that was broken on purpose. */
async function harmsOf(spoil: (agent: Agent) => void, weeks: number): Promise<ReadonlySet<string>> {
  const harms = new Set<string>();
  for (let seed = 1; seed <= weeks && harms.size === 0; seed += 1) {
    const { facts } = await new ShopWeek({ seed, folder: join(aFolder(), String(seed)), spoil }).play();
    for (const { harm } of judge(facts).findings) harms.add(harm);
  }
  return harms;
}

describe('a shop week', { timeout: 120_000 }, () => {
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
    const harms = await harmsOf(({ money }) => {
      money.payments.rivalSales = () => [];
    }, 3);
    expect([...harms]).toContain('double_charge');
  });

  it('of a shop that says "not charged" of every doubt does what the judge sees', async () => {
    const harms = await harmsOf(({ core: { service } }) => {
      const applyAll = service.applyAll.bind(service);
      service.applyAll = (id, steps) => {
        const next = applyAll(id, steps);
        return next.state.name === 'in_doubt'
          ? applyAll(id, [{ event: { type: 'evidence', of: 'not_charged' } }])
          : next;
      };
    }, 6);
    expect([...harms].some((harm) => harm === 'false_not_charged' || harm === 'lost_outcome')).toBe(true);
  });
});
