import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from '../../../mutants/list.ts';
import type { Plant } from '../../../mutants/plant.ts';
import { environmentOf } from '../../../mutants/simulation-run.ts';
import { missingProgram } from '../spin.ts';

const MISSING = await missingProgram();
const WHY = MISSING === null ? '' : ` (skipped: ${MISSING})`;
const COMMAND = join(import.meta.dirname, 'replay.ts');
/** Real time; a trace takes a fraction of a second. */
const LIMIT_MS = 240_000;
const TRACES = 60;

interface Total {
  readonly traces: number;
  readonly compared: number;
  readonly divergences: readonly unknown[];
}

/** Runs the command, with a bug in the core or without. */
function replay(plant: Plant | null): Promise<{ readonly code: number | null; readonly total: Total }> {
  const child = spawn(process.execPath, [COMMAND, '--traces', String(TRACES)], {
    env: plant === null ? process.env : environmentOf(plant),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    output += piece;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code, total: JSON.parse(output.trim().split('\n').at(-1) ?? '') }),
    );
  });
}

function mutant(name: string): Plant {
  const found = MUTANTS.find((one) => one.name === name);
  if (!found) throw new Error(`no mutant is called ${name}`);
  return found;
}

describe.skipIf(MISSING !== null)(`random runs of the formal model, replayed against the core${WHY}`, () => {
  it('the core tells what the model tells', { timeout: LIMIT_MS }, async () => {
    const { code, total } = await replay(null);
    expect(total).toMatchObject({ traces: TRACES, divergences: [] });
    expect(total.compared).toBeGreaterThan(TRACES);
    expect(code).toBe(0);
  });

  it.each(['guard-blind-to-references', 'approval-and-lost-link-is-paid', 'silence-is-a-decline'])(
    'a core with a planted bug diverges: %s',
    { timeout: LIMIT_MS },
    async (name) => {
      const { code, total } = await replay(mutant(name));
      expect(total.divergences).not.toEqual([]);
      expect(code).toBe(1);
    },
  );
});
