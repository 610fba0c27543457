import { describe, expect, it } from 'vitest';
import { ptyForTests } from '../support/pty.ts';
import { FAMILIES } from './family.ts';
import { runPlug } from './run.ts';

const { pty, reason } = await ptyForTests();
await pty?.pipe.close();
const title = `cables that are pulled and plugged${pty ? '' : ` (skipped: ${reason})`}`;

describe.skipIf(!pty)(title, () => {
  // The warm-up plugs each kind once: idle, busy, renumbered, another terminal, silent. Timings are printed by `npm run plug`.
  it.each(Object.entries(FAMILIES))(
    'of %s are noticed, the terminal is found again under another number, another one never gets a payment, and nothing is left open',
    async (_, family) => {
      const result = await runPlug({ family, cycles: 2, counters: 2, seed: 7 });
      expect(result).toMatchObject({
        cycles: 2,
        failures: [],
        warnings: [],
        payments_on_strangers: 0,
        bytes_to_scales: 0,
        descriptors: { leaked: [] },
      });
      expect(result.descriptors.after).toBe(result.descriptors.before);
    },
    120_000,
  );
});
