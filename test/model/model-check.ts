import { type Holes, type Machine, START, stepsFrom, violation, type World } from './model.ts';

/** What a search found: how many different worlds, and the shortest way into a bad one. */
export interface Checked {
  readonly states: number;
  readonly steps: number;
  readonly depth: number;
  readonly found: { readonly what: string; readonly way: readonly string[] } | null;
}

interface Node {
  readonly world: World;
  readonly name: string;
  readonly from: Node | null;
}

/** Goes through every interleaving, breadth first, down to `depth` steps; stops at the first violation. */
export function checkModel(machine: Machine, depth: number, holes: Holes = {}): Checked {
  const seen = new Set([JSON.stringify(START)]);
  let level: Node[] = [{ world: START, name: 'start', from: null }];
  let steps = 0;
  for (let at = 1; at <= depth; at += 1) {
    const next: Node[] = [];
    for (const node of level) {
      for (const { name, world } of stepsFrom(node.world, machine, holes)) {
        steps += 1;
        const key = JSON.stringify(world);
        if (seen.has(key)) continue;
        seen.add(key);
        const child = { world, name, from: node };
        const what = violation(world);
        if (what !== null) return { states: seen.size, steps, depth: at, found: { what, way: wayTo(child) } };
        next.push(child);
      }
    }
    level = next;
  }
  return { states: seen.size, steps, depth, found: null };
}

function wayTo(node: Node): readonly string[] {
  return node.from === null ? [] : [...wayTo(node.from), node.name];
}
