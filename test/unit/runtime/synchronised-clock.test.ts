import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isClockSynchronised } from '../../../src/runtime/synchronised-clock.ts';
import { aFolder } from '../../support/money-database.ts';

/** A program that answers like timedatectl(1). */
function answering(script: string): string {
  const path = join(aFolder(), 'timedatectl');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe('whether the clock is synchronised', () => {
  it.each([
    ['yes', 'test "$*" = "show --property NTPSynchronized --value" && echo yes', true],
    ['no', 'echo no', false],
    ['an error, whatever it prints', 'echo yes; exit 1', false],
    ['nothing', ':', false],
  ])('the system answers: %s', async (_, script, is) => {
    expect(await isClockSynchronised(answering(script))).toBe(is);
  });

  it('is not known where there is no such program', async () => {
    expect(await isClockSynchronised(join(aFolder(), 'none'))).toBe(false);
  });
});
