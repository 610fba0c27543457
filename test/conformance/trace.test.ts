import { describe, expect, it } from 'vitest';
import { playAll } from './play-all.ts';
import type { Subject } from './subject.ts';
import { subjects } from './subjects/skeleton/lines.ts';
import { suiteOf } from './suite.ts';

const [skeleton] = subjects;

/** What the suite prints of these rows for a terminal whose connections are served so. */
async function printed(rows: string, serve: (() => Promise<void>) | null): Promise<string> {
  if (!skeleton) throw new Error('there is no skeleton');
  const dialect: Subject['dialect'] = (habits) => {
    const own = skeleton.dialect(habits);
    return {
      ...own,
      powerUp: (device) => {
        const firmware = own.powerUp(device);
        return serve ? { ...firmware, busy: false, serve } : firmware;
      },
    };
  };
  let text = '';
  const scenarios = suiteOf().filter(({ id }) => id.startsWith(rows));
  await playAll([{ ...skeleton, dialect }], scenarios, (part) => {
    text += part;
  });
  return text;
}

describe('what the suite prints of a broken row', () => {
  it('has the bytes of both sides, once', async () => {
    const text = await printed('opening/', () => new Promise(() => undefined));
    expect(text.match(/What both sides wrote in .*/g)).toEqual([
      `What both sides wrote in opening/free, ${skeleton?.id}`,
    ]);
    expect(text).toContain('till → terminal, question, 510D0A');
  });

  it('has one note for all rows that fail of the same', async () => {
    const text = await printed('opening/', () => new Promise(() => undefined));
    expect(text).toMatch(
      /✗ opening\/free, opening\/again-and-again\n.*: TERMINAL_NOT_HEARD .* \(at .*\) \(driver guide/,
    );
  });

  it('has the error of a virtual terminal that fails', async () => {
    const text = await printed('opening/free', async () => {
      throw new TypeError('its author forgot a field');
    });
    expect(text).toContain('the virtual terminal failed: TypeError: its author forgot a field');
  });

  it('has none where every row is green', async () => {
    expect(await printed('opening/free', null)).not.toContain('What both sides wrote');
  });
});
