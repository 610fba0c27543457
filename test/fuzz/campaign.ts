import { Worker } from 'node:worker_threads';
import type { Finding } from './fire.ts';
import type { Word } from './fuzz-worker.ts';
import { LastCase } from './last-case.ts';

/** A thread that tries one input for longer than this hangs; a busy machine may take a good part of it. */
const HANGS_AFTER_MS = 60_000;
/** Heap of one worker: an input that needs more is a finding. */
const MOST_HEAP_MB = 768;

export interface Campaign {
  /** Address of the module that exports `targets`. */
  readonly targets: string;
  /** The targets of that module, in its order. */
  readonly allNames: readonly string[];
  /** Those that are to be fired at. */
  readonly names: readonly string[];
  readonly seed: number;
  readonly forMs: number;
  readonly workers: number;
  readonly onFinding: (finding: Finding) => void;
  readonly hangsAfterMs?: number;
}

/** How many inputs each target was given, and what was found. */
export interface Report {
  readonly executions: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
}

/** Fires at all targets from several threads until the time is over. A target with a finding gets no more in that thread. */
export async function runCampaign(campaign: Campaign): Promise<Report> {
  const executions = new Map(campaign.names.map((name) => [name, 0]));
  const findings = new Map<string, Finding>();
  const found = (finding: Finding) => {
    const key = `${finding.target} ${finding.message.replace(/\d+/g, 'N')}`;
    if (findings.has(key)) return;
    findings.set(key, finding);
    campaign.onFinding(finding);
  };
  const count = (target: string, more: number) =>
    void executions.set(target, (executions.get(target) ?? 0) + more);
  const threads = Array.from({ length: campaign.workers }, (_, index) =>
    runThread({ ...campaign, seed: campaign.seed + index * 1_000_000 }, found, count),
  );
  await Promise.all(threads);
  return { executions, findings: [...findings.values()] };
}

/** Runs one thread after the other: each ends with the time, with a hang, or with its memory. */
async function runThread(
  campaign: Campaign,
  found: (finding: Finding) => void,
  count: (target: string, executions: number) => void,
): Promise<void> {
  let { names, seed } = campaign;
  const until = performance.now() + campaign.forMs;
  for (let left = campaign.forMs; names.length > 0 && left > 0; left = until - performance.now()) {
    const broken = await oneLife({ ...campaign, names, seed, forMs: left }, found, count);
    if (broken === null) return;
    names = names.filter((name) => name !== broken);
    seed += 10_000;
  }
}

/** The name of the target that took the thread's life; null when it ended by itself. */
function oneLife(
  campaign: Campaign,
  found: (finding: Finding) => void,
  count: (target: string, executions: number) => void,
): Promise<string | null> {
  const { targets, names, seed, forMs, hangsAfterMs = HANGS_AFTER_MS } = campaign;
  const last = new LastCase();
  const worker = new Worker(new URL('./fuzz-worker.ts', import.meta.url), {
    workerData: { targets, names, seed, forMs, memory: last.memory },
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
  });
  return new Promise((resolve) => {
    const fatal = (message: string) => {
      const target = campaign.allNames[last.target] ?? '?';
      found({ target, message, seed, path: '', bytes: last.bytes });
      clearInterval(watch);
      void worker.terminate().then(() => resolve(target));
    };
    let [seen, seenAt] = [-1, performance.now()];
    const watch = setInterval(() => {
      if (last.count !== seen) [seen, seenAt] = [last.count, performance.now()];
      else if (performance.now() - seenAt > hangsAfterMs && last.count > 0)
        fatal(`it does not come back within ${hangsAfterMs / 1000} s`);
    }, 250);
    worker.on('message', (word: Word) => {
      if (word.kind === 'fired') count(word.target, word.executions);
      if (word.kind === 'found') found(word.finding);
    });
    worker.on('error', (error: unknown) => fatal(`it ends the thread: ${String(error)}`));
    worker.on('exit', () => {
      clearInterval(watch);
      resolve(null);
    });
  });
}
