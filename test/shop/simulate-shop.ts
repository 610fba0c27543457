import { parseArgs } from 'node:util';
import { type Finding, judge } from '../judge/judge.ts';
import { fastFolder } from '../simulation/fast-folder.ts';
import { crewOf } from './crew.ts';
import { FAULT_KINDS, type FaultKind } from './fault-kinds.ts';
import { ShopWeek } from './week.ts';

/** A week below these proves little: it fails the run. Customers who take their time are no trouble of their own. */
const LEAST = { attempts: 60, faults: 10 } as const;
const NO_TROUBLE: readonly FaultKind[] = ['slow_customer'];

/** What one seed came to. */
export interface SeedResult {
  readonly seed: number;
  readonly agents: number;
  readonly attempts: number;
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  readonly findings: readonly Finding[];
  readonly personTasks: number;
  readonly contained: number;
  readonly uncontained: number;
  readonly offlineTwice: number;
}

/** Plays one week and judges it. */
export async function playSeed(
  seed: number,
  folder: string,
  say?: (line: string) => void,
): Promise<SeedResult> {
  const week = new ShopWeek({ seed, folder, ...(say ? { say } : {}) });
  const { facts, faults, agents, attempts } = await week.play();
  const { findings, containedAnswers, uncontainedAnswers, offlineTwice } = judge(facts);
  return {
    seed,
    agents,
    attempts,
    faults,
    findings,
    personTasks: facts.end.personTasks,
    contained: containedAnswers,
    uncontained: uncontainedAnswers,
    offlineTwice,
  };
}

/** Why a week is no proof; none: it is one. */
export function tooSmall({ seed, attempts, faults }: SeedResult) {
  const troubles = FAULT_KINDS.filter((kind) => !NO_TROUBLE.includes(kind));
  const count = troubles.reduce((total, kind) => total + (faults[kind] ?? 0), 0);
  if (attempts >= LEAST.attempts && count >= LEAST.faults) return [];
  return [{ seed, harm: 'too_small', basket: null, what: `${attempts} attempts and ${count} faults` }];
}

/** The last line of the command, as it is described in test/shop/README.md. */
export function summaryOf(results: readonly SeedResult[]) {
  const sum = (of: (one: SeedResult) => number) => results.reduce((total, one) => total + of(one), 0);
  const harm = (kind: Finding['harm']) =>
    sum(({ findings }) => findings.filter((finding) => finding.harm === kind).length);
  return {
    seeds: results.length,
    agents: sum(({ agents }) => agents),
    attempts: sum(({ attempts }) => attempts),
    faults: Object.fromEntries(FAULT_KINDS.map((kind) => [kind, sum(({ faults }) => faults[kind] ?? 0)])),
    double_charges: harm('double_charge'),
    false_not_charged: harm('false_not_charged'),
    lost_outcomes: harm('lost_outcome'),
    orphan_doubts: harm('orphan_doubt'),
    person_tasks: sum(({ personTasks }) => personTasks),
    wrong_person_answers_contained: sum(({ contained }) => contained),
    wrong_person_answers_standing: sum(({ uncontained }) => uncontained),
    offline_twice: sum(({ offlineTwice }) => offlineTwice),
    failures: results.flatMap((one) => [
      ...one.findings.map((finding) => ({ seed: one.seed, ...finding })),
      ...tooSmall(one),
    ]),
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '20' },
      from: { type: 'string', default: '1' },
      workers: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const [count, from] = [Number(values.seeds), Number(values.from)];
  const folder = fastFolder();
  try {
    const results = values.verbose
      ? [await playSeed(from, folder.path, (line) => process.stderr.write(`${line}\n`))]
      : await crewOf({
          from,
          count,
          folder: folder.path,
          ...(values.workers ? { workers: Number(values.workers) } : {}),
        });
    const summary = summaryOf(results);
    process.stdout.write(`${JSON.stringify(summary)}\n`);
    process.exitCode = summary.failures.length > 0 ? 1 : 0;
  } finally {
    folder.remove();
  }
}

if (import.meta.main) await main();
