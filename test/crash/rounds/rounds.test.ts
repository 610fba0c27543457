import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from '../../mutants/list.ts';
import { fastFolder } from '../../simulation/fast-folder.ts';
import { commitName } from './commit-names.ts';
import type { CommitKill } from './kill-order.ts';
import type { Kill, Plan } from './plan.ts';
import { playRound, type RoundDeps, type RoundResult } from './round.ts';
import { playRounds } from './run.ts';
import { KINDS, partsOf, seedOf } from './seed.ts';
import type { Traits } from './world.ts';

const HOOK = import.meta.resolve('../../mutants/hook.ts');
/** Short on both sides; the terminal prints its receipts. */
const ZVT_TIMES = {
  terminal: { hostMs: 120, customerTimeoutMs: 2500, t2Ms: 600, t3Ms: 1200 },
  options: { t2_ms: 600, t3_ms: 1200, receipts: false },
};
/** Terminals over TCP that cannot say what became of their last payment. */
const REPORT_NOTHING = {
  zvt: { ...ZVT_TIMES, terminal: { ...ZVT_TIMES.terminal, repeatReceipt: 'empty' } },
  concert: { terminal: { hostMs: 120, customerTimeoutMs: 2500 }, options: {} },
  ecr17: {
    terminal: { hostMs: 120, customerTimeoutMs: 2500, lastResult: 'refused' },
    options: { answer_ms: 2000 },
  },
};
/** Real processes on a machine that may be busy with all the other tests. */
const LIMIT_MS = 300_000;

describe('the real daemon, killed with SIGKILL', { timeout: LIMIT_MS, concurrent: true }, () => {
  it('charges once, loses nothing and says what is so, wherever it was killed', async ({ expect }) => {
    const summary = await playRounds(
      { rounds: 3, workers: 3, protocols: ['zvt'] },
      new AbortController().signal,
    );
    expect(summary).toMatchObject({ mode: 'rounds', rounds: 3, failures: [], corrections: 0 });
    expect(summary.crashes).toBeGreaterThanOrEqual(3);
    expect(summary.kills_at_commits).toBeGreaterThanOrEqual(1);
    expect(summary.charges).toBeGreaterThan(0);
  });

  it('is killed right before its approval is on disk, and again while it finds that out: nothing was acknowledged', async ({
    expect,
    onTestFinished,
  }) => {
    const kills = [at('before', 'sale reported approved'), at('before', 'sale evidence reversed')];
    const { accusations, lives, charges, inDoubt, inDoubtResolved } = await played(onTestFinished, { kills });
    expect(accusations).toEqual([]);
    expect(lives.map(({ atCommit }) => atCommit)).toEqual([
      { when: 'before', name: 'sale reported approved' },
      { when: 'before', name: 'sale evidence reversed' },
    ]);
    // The sale that the terminal took back was made anew, once; and the shop sells on.
    expect({ charges, inDoubt, inDoubtResolved }).toEqual({ charges: 2, inDoubt: 1, inDoubtResolved: 1 });
  });
});

describe('the judge of the crash test', { timeout: LIMIT_MS, concurrent: true }, () => {
  it('finds a restart that takes a running sale for one that never started; the terminal that went on stops a second charge', async ({
    expect,
    onTestFinished,
  }) => {
    const traits = { missingAcknowledgement: 'keep' } as const;
    const kills = [at('before', 'sale accepted')];
    const { accusations } = await played(onTestFinished, { kills, traits }, 'restart-says-not-started');
    const crimes = accusations.map(({ crime }) => crime);
    expect(crimes).toContain('lost_outcomes');
    // The terminal shows what the database does not know, which asks a person before the basket is charged again.
    expect(crimes).toContain('broken_promises');
    expect(crimes).not.toContain('double_charges');
  });

  it.for(Object.entries(REPORT_NOTHING))(
    'counts a basket that is charged twice: the same restart, %s, on a terminal that cannot say what it has done',
    async ([protocol, habits], { expect, onTestFinished }) => {
      const traits = { protocol, missingAcknowledgement: 'keep', ...habits } as const;
      const kills = [at('before', 'sale accepted')];
      const { accusations } = await played(onTestFinished, { kills, traits }, 'restart-says-not-started');
      const doubles = accusations.filter(({ crime }) => crime === 'double_charges');
      expect(doubles).toEqual([
        { crime: 'double_charges', text: expect.stringMatching(/^basket \d+ was charged 2 times$/) },
      ]);
    },
  );

  it('finds an approval that was acknowledged before it was on disk', async ({ expect, onTestFinished }) => {
    const kills = [at('before', 'sale reported approved')];
    const { accusations } = await played(onTestFinished, { kills }, 'acknowledged-before-the-commit');
    expect(accusations).toContainEqual({
      crime: 'broken_promises',
      text: expect.stringMatching(/acknowledged 1 times, 0 approvals are on disk/),
    });
  });
});

describe('a seed', () => {
  it('says everything that it was made of', () => {
    for (const kind of KINDS) {
      const parts = {
        protocol: 'ecr17',
        kind,
        link: 'serial',
        when: 'after',
        scenario: 7,
        index: 93,
        variant: 12,
      } as const;
      expect(partsOf(seedOf(parts))).toEqual(parts);
    }
  });
});

describe('the name of a commit', () => {
  const look = { typeOf: () => 'refund', reportKindOf: () => 'result' };

  it('is what the journal says happened, and what else was written with it', () => {
    const journal = {
      sql: 'INSERT INTO journal (seq, …)',
      values: [7, 'id', 0, 'ended', 'a', 'b', '{"as":"declined"}'],
    };
    const task = { sql: 'INSERT OR IGNORE INTO tasks (id, kind)', values: ['id', 'cancel_too_late'] };
    const silent = { sql: 'UPDATE attempts SET state = ?', values: [] };
    expect(commitName([silent, journal, task, task], look)).toBe(
      'refund ended declined + task cancel_too_late',
    );
  });

  it('is the statement itself where nobody has thought of a name', () => {
    expect(commitName([{ sql: 'DELETE FROM aliases WHERE …', values: [] }], look)).toBe(
      'DELETE FROM aliases',
    );
  });
});

function at(when: CommitKill['when'], name: string): Kill {
  return { at: 'commit', order: { name, when, occurrence: 1 } };
}

/** Plays a scenario of sales over TCP on a terminal that takes back what was not acknowledged, and prints by itself; with a planted bug, if named. */
async function played(
  onTestFinished: (clean: () => void) => void,
  { kills, traits }: { readonly kills: readonly Kill[]; readonly traits?: Partial<Traits> },
  mutant?: string,
): Promise<RoundResult> {
  const folder = fastFolder();
  onTestFinished(() => folder.remove());
  const plan: Plan = {
    seed: 1,
    chance: 1,
    scenario: 'sales',
    traits: {
      protocol: 'zvt',
      link: 'tcp',
      missingAcknowledgement: 'reverse',
      terminal: ZVT_TIMES.terminal,
      options: ZVT_TIMES.options,
      service: {},
      partialApproval: 'void',
      ...traits,
    },
    kills,
    darkMs: [],
    isImpatient: false,
    typesByHand: false,
  };
  const deps: RoundDeps = { root: folder.path, compileCache: join(folder.path, 'compiled') };
  if (mutant === undefined) return playRound(plan, deps);
  const sign = join(folder.path, 'planted');
  const result = await playRound(plan, { ...deps, env: planted(mutant, sign) });
  expect(existsSync(sign)).toBe(true);
  return result;
}

/** Plants a bug of the mutants' list in every life of a round; `sign` appears once that was done. */
function planted(name: string, sign: string): Record<string, string> {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (!mutant) throw new Error(`no mutant is called ${name}`);
  return {
    NODE_OPTIONS: `--import ${HOOK}`,
    TILLD_MUTANT: JSON.stringify(mutant),
    TILLD_MUTANT_SIGN: sign,
  };
}
