import { describe, expect, it } from 'vitest';
import { playAll } from './play-all.ts';
import type { Subject } from './subject.ts';
import { subjects } from './subjects/skeleton/lines.ts';
import { subjects as requestResponse } from './subjects/skeleton/request-response.ts';
import { suiteOf } from './suite.ts';

const [skeleton] = subjects;
const [other] = requestResponse;
const FAILED = 'the virtual terminal failed: TypeError: its author forgot a field';

type Firmware = ReturnType<ReturnType<Subject['dialect']>['powerUp']>;
type Device = Parameters<ReturnType<Subject['dialect']>['powerUp']>[0];

interface Broken {
  /** How its connections are served. */
  readonly serve?: Firmware['serve'];
  /** What its firmware calls at each point of a dialogue. */
  readonly reach?: Device['reach'];
}

/** What the suite prints of these rows for the skeleton's terminal, changed so. */
async function printed(rows: string, { serve, reach }: Broken, subject = skeleton): Promise<string> {
  if (!subject) throw new Error('there is no skeleton');
  const dialect: Subject['dialect'] = (habits) => {
    const own = subject.dialect(habits);
    return {
      ...own,
      powerUp: (device) => {
        const firmware = own.powerUp(reach ? { ...device, reach } : device);
        return serve ? { ...firmware, busy: false, serve } : firmware;
      },
    };
  };
  let text = '';
  const scenarios = suiteOf().filter(({ id }) => id.startsWith(rows));
  await playAll([{ ...subject, dialect }], scenarios, (part) => {
    text += part;
  });
  return text;
}

const silent: Broken = { serve: () => new Promise(() => undefined) };
const forgotten = async () => {
  throw new TypeError('its author forgot a field');
};

describe('what the suite prints of a broken row', () => {
  it('has the bytes of both sides, once', async () => {
    const text = await printed('opening/', silent);
    expect(text.match(/What both sides wrote in .*/g)).toEqual([
      `What both sides wrote in opening/free, ${skeleton?.id}`,
    ]);
    expect(text).toContain('till → terminal, question, 510D0A');
  });

  it('has one note for all rows that fail of the same', async () => {
    const text = await printed('opening/', silent);
    expect(text).toMatch(
      /✗ opening\/free, opening\/again-and-again\n.*: TERMINAL_NOT_HEARD .* \(at .*\) \(driver guide/,
    );
  });

  it('has the error of a virtual terminal that fails', async () => {
    expect(await printed('opening/free', { serve: forgotten })).toContain(FAILED);
  });

  it.each([skeleton, other])(
    'has the error behind which the terminal of a skeleton falls silent (%#)',
    async (subject) => {
      expect(await printed('opening/free', { reach: forgotten }, subject)).toContain(FAILED);
    },
  );

  it('has none where every row is green', async () => {
    expect(await printed('opening/free', {})).not.toContain('What both sides wrote');
  });
});
