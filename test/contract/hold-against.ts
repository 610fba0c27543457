import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSide, play } from './play.ts';
import type { Side, SideName } from './sides/side.ts';
import { SUITE } from './suite.ts';

/** Days pass in some rows; on a machine that does much else they take a while. */
const LIMIT_MS = 120_000;

/** Every row that a side must keep as a test of its own; what is exempt there is in the table of `npm run contract`. */
export function holdAgainst(name: SideName): void {
  for (const { name: title, rows, setting } of SUITE) {
    const mine = rows.filter(({ exempt }) => exempt?.[name] === undefined);
    if (mine.length === 0) continue;
    describe(title, () => {
      const open: { side?: Side } = {};
      beforeAll(async () => {
        open.side = await openSide(name, setting);
      }, LIMIT_MS);
      afterAll(() => open.side?.close(), LIMIT_MS);
      it.each(mine.map((row) => [`${row.id}: ${row.what}`, row] as const))(
        '%s',
        async (_title, row) => {
          if (!open.side) throw new Error('the side is not open');
          expect(await play(row, open.side)).toEqual({ kind: 'passed' });
        },
        LIMIT_MS,
      );
    });
  }
}
