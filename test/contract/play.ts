import { Breach } from './breach.ts';
import type { Group, Row } from './row.ts';
import { openLocal } from './sides/local.ts';
import { openSandbox } from './sides/sandbox.ts';
import type { Setting, Side, SideName } from './sides/side.ts';

/** What became of a row on one side. */
export type Verdict =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'exempt'; readonly why: string };

/** What the sandbox's bucket regains between two rows, so that no row meets a limit that it does not ask for. */
const BREATHER_MS = 2000;

export function openSide(name: SideName, setting: Setting = {}): Promise<Side> {
  return name === 'local' ? openLocal(setting) : openSandbox(setting);
}

/** Holds one row against a side that is open. */
export async function play(row: Row, side: Side): Promise<Verdict> {
  const why = row.exempt?.[side.name];
  if (why !== undefined) return { kind: 'exempt', why };
  try {
    await row.run(side);
    await side.pass(BREATHER_MS);
    return { kind: 'passed' };
  } catch (error) {
    if (error instanceof Breach) return { kind: 'failed', why: error.message };
    return { kind: 'failed', why: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Holds the rows of a group against a side of its own, in their order. */
export async function playGroup(
  { rows, setting }: Group,
  name: SideName,
): Promise<ReadonlyMap<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  if (rows.every((row) => row.exempt?.[name] !== undefined)) {
    for (const row of rows) verdicts.set(row.id, { kind: 'exempt', why: row.exempt?.[name] ?? '' });
    return verdicts;
  }
  const side = await openSide(name, setting);
  try {
    for (const row of rows) verdicts.set(row.id, await play(row, side));
  } finally {
    await side.close();
  }
  return verdicts;
}
