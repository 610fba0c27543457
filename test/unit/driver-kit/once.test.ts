import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { closeOnce, payOnce, type Sending } from '../../../src/driver-kit/once.ts';

/** How far the command had left when the error came. */
const MOMENTS = {
  'before its first byte': () => undefined,
  'while it is written': ({ begun }: Sending) => begun(),
  'behind its last byte': ({ begun, handed }: Sending) => {
    begun();
    handed();
  },
};
type Moment = keyof typeof MOMENTS;

const ROWS: readonly (readonly [code: string, Moment, Awaited<ReturnType<typeof payOnce>>['kind']])[] = [
  ['LINK_CLOSED', 'before its first byte', 'not_started'],
  ['LINK_CLOSED', 'while it is written', 'not_started'],
  ['LINK_CLOSED', 'behind its last byte', 'unknown'],
  ['LINK_REFUSED', 'before its first byte', 'not_started'],
  ['LINK_REFUSED', 'behind its last byte', 'unknown'],
  ['LINK_LOST', 'while it is written', 'unknown'],
  ['TERMINAL_NO_ANSWER', 'behind its last byte', 'unknown'],
];

describe('a command that is written once', () => {
  it.each(ROWS)('%s %s leaves a payment %s', async (code, moment, kind) => {
    const outcome = await payOnce({ accepted: () => true }, async (sending) => {
      MOMENTS[moment](sending);
      throw new AppError(code, 'it failed');
    });
    expect(outcome).toMatchObject({ kind, code });
  });

  it.each(ROWS)(
    '%s %s leaves an end of day refused or unknown in the same way',
    async (code, moment, kind) => {
      const outcome = await closeOnce(async (sending) => {
        MOMENTS[moment](sending);
        throw new AppError(code, 'it failed');
      });
      expect(outcome).toMatchObject({ kind: kind === 'unknown' ? 'unknown' : 'refused', code });
    },
  );

  it.each([true, false])(
    'the core hears once of a command that was handed over, and its answer is %s',
    async (answer) => {
      let calls = 0;
      const accepted = () => {
        calls += 1;
        return answer;
      };
      let isAccepted: boolean | undefined;
      await payOnce({ accepted }, async ({ begun, handed }) => {
        begun();
        isAccepted = handed();
        throw new AppError('NOT_STORED', 'it was not stored');
      });
      expect([calls, isAccepted]).toEqual([1, answer]);
    },
  );
});
