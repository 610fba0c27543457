import { describe, expect, it } from 'vitest';
import {
  COPY_REASONS,
  compareIdentity,
  copyMessage,
  type StoredIdentity,
  type Witnesses,
} from '../../../src/payment/recovery/database-identity.ts';

const STORED: StoredIdentity = { instance: 'i', machine: 'm', hardware: 'h', hasOutside: true };
const HERE: Witnesses = { machine: 'm', hardware: 'h', outside: { kind: 'note', instance: 'i' } };
const NONE = { kind: 'none', why: 'w' } as const;

describe('the identity of a database', () => {
  it('is taken over where none is stored, whatever the witnesses say', () => {
    expect(compareIdentity(null, HERE)).toEqual({ kind: 'first' });
    expect(compareIdentity(null, { ...HERE, outside: { kind: 'missing' } })).toEqual({ kind: 'first' });
  });

  it.each<[string, Partial<StoredIdentity>, Partial<Witnesses>]>([
    ['every witness agrees', {}, {}],
    ['the machine has no identity that can be read now', {}, { machine: null }],
    ['the machine had none that could be read then', { machine: null }, {}],
    ['the hardware is readable for root alone', {}, { hardware: null }],
    ['there is no place outside now', {}, { outside: NONE }],
    ['there was no place outside then', { hasOutside: false }, { outside: { kind: 'missing' } }],
    ['nothing can be read', {}, { machine: null, hardware: null, outside: NONE }],
  ])('is the same when %s', (_, stored, found) => {
    expect(compareIdentity({ ...STORED, ...stored }, { ...HERE, ...found })).toEqual({ kind: 'same' });
  });

  it.each<[string, Partial<Witnesses>]>([
    ['other_machine', { machine: 'another' }],
    ['other_hardware', { hardware: 'another' }],
    ['no_note_outside', { outside: { kind: 'missing' } }],
    ['other_note_outside', { outside: { kind: 'note', instance: 'another' } }],
    ['other_machine', { machine: 'another', outside: NONE, hardware: null }],
  ])('is that of a copy (%s) when one witness differs, whatever the others say', (reason, found) => {
    expect(compareIdentity(STORED, { ...HERE, ...found })).toEqual({ kind: 'copied', reason });
  });

  it.each(COPY_REASONS)(
    'says of %s what is not done, that nothing was charged, and what to do now',
    (reason) => {
      expect(copyMessage(reason)).toMatch(
        /No payment is taken .* nothing was charged .* finish the tasks\.$/,
      );
    },
  );
});
