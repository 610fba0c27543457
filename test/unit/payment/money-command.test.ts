import { expect, it } from 'vitest';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { commandOf } from '../../../src/payment/attempt/money-command.ts';
import type { TerminalIdentity } from '../../../src/terminal/ports.ts';
import { aNewAttempt, anAttempt, aReport } from '../../support/attempts.ts';

const SALE_ID = aNewAttempt().id;
const TERMINAL: TerminalIdentity = { grade: 'serial', serial: '17F00001' };

function seen(terminal: TerminalIdentity): Pick<Attempt, 'baseline'> {
  return { baseline: { terminal, last: { kind: 'empty' }, batch: 1, day: 1 } };
}

function refundOf(sale: Partial<Attempt>, changes: Partial<Attempt> = {}) {
  const known = anAttempt({ report: aReport(), ...seen(TERMINAL), ...sale });
  const refund = anAttempt({
    id: '0199c0de-0000-7000-8000-00000000000b',
    type: 'refund',
    parentId: SALE_ID,
    ticket: 'A00001',
    ...seen(TERMINAL),
    ...changes,
  });
  return commandOf(refund, { findAttempt: (id) => (id === SALE_ID ? known : null) });
}

it('a refund names its sale where the same terminal took it', () => {
  expect(refundOf({})).toMatchObject({ kind: 'refund', original: { number: '0042', amountMinor: 1234 } });
});

it.each([
  ['another terminal answers', {}, seen({ grade: 'serial', serial: '17F00077' })],
  ['its terminal is known by its port alone', seen({ grade: 'port' }), seen({ grade: 'port' })],
  ['it was paid at another device', { deviceId: '0199c0de-0000-7000-8000-0000000000d2' }, {}],
  ['the terminal has reported nothing of it', { report: null }, {}],
  ['it is not known on which terminal it was paid', { baseline: null }, {}],
  ['it is not in this database', {}, { parentId: '0199c0de-0000-7000-8000-00000000000c' }],
  ['there is none', {}, { parentId: null }],
] satisfies [string, Partial<Attempt>, Partial<Attempt>][])(
  'a refund names no sale where %s',
  (_why, sale, refund) => {
    const command = refundOf(sale, refund);
    expect(command.kind).toBe('refund');
    expect(command).not.toHaveProperty('original');
  },
);
