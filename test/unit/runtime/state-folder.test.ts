import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT, exitCodeOf, mendOf } from '../../../src/agent/exit-code.ts';
import { holdStateFolder } from '../../../src/runtime/state-folder.ts';
import { aFolder } from '../../support/money-database.ts';

const NOBODY = '999999999 1\n';

function refusal(folder: string): unknown {
  try {
    holdStateFolder(folder).release();
    return null;
  } catch (error) {
    return error;
  }
}

describe('a state folder', () => {
  it('tells whether the last daemon came to its end', () => {
    const folder = aFolder();
    const first = holdStateFolder(folder);
    expect(first.cutShort).toBe(false);
    first.release();
    const second = holdStateFolder(folder);
    expect(second.cutShort).toBe(false);
    writeFileSync(join(folder, 'tilld.pid'), NOBODY);
    const third = holdStateFolder(folder);
    expect(third.cutShort).toBe(true);
    third.release();
    expect(existsSync(join(folder, 'tilld.pid'))).toBe(false);
  });

  it('that cannot be written is for a person: the exit code makes systemd wait, and the words say what mends it', () => {
    const folder = aFolder();
    const occupied = join(folder, 'occupied');
    writeFileSync(occupied, '');
    chmodSync(occupied, 0o400);
    const error = refusal(occupied);
    expect(error).toMatchObject({ code: 'STATE_FOLDER_UNUSABLE' });
    expect([exitCodeOf(error), mendOf(error, 'tilld')]).toEqual([
      EXIT.usage,
      expect.stringContaining('--state-dir'),
    ]);
  });
});
