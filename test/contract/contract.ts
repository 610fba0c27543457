import { playGroup, type Verdict } from './play.ts';
import { SIDES, type SideName } from './sides/side.ts';
import { SUITE } from './suite.ts';
import { sumsOf, tableOf } from './table.ts';

// With words, only the groups whose name holds one of them.
// Prints the table of the contract, row by row and side by side, then one JSON line; exit 1 when a promise is not kept.
const words = process.argv.slice(2);
const began = performance.now();
const verdicts = new Map<SideName, Map<string, Verdict>>(SIDES.map((side) => [side, new Map()]));
const groups = SUITE.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
for (const group of groups)
  for (const side of SIDES)
    for (const [id, verdict] of await playGroup(group, side)) verdicts.get(side)?.set(id, verdict);
const sums = sumsOf(groups, verdicts);
process.stdout.write(`${tableOf(groups, verdicts)}\n\n`);
process.stdout.write(`${JSON.stringify({ ...sums, wall_ms: Math.round(performance.now() - began) })}\n`);
process.exitCode = sums.failed === 0 ? 0 : 1;
