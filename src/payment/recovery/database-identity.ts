/** The note outside the state folder about the database in it. */
export type OutsideWitness =
  /** There is no usable place for it; `why` in words. It proves nothing. */
  | { readonly kind: 'none'; readonly why: string }
  /** The place exists and holds no readable note about this folder. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'note'; readonly instance: string };

/** Facts that a copy of the state folder does not carry, as read at a start; null: not readable here, it proves nothing. */
export interface Witnesses {
  /** The identity of the installed operating system. */
  readonly machine: string | null;
  /** The identity of the hardware, or of the virtual machine. */
  readonly hardware: string | null;
  readonly outside: OutsideWitness;
}

/** Where the database was used last, according to the database. */
export interface StoredIdentity {
  /** Random; one machine and one folder. Each claim sends it to the service. */
  readonly instance: string;
  readonly machine: string | null;
  readonly hardware: string | null;
  /** Whether a note outside the folder was written. */
  readonly hasOutside: boolean;
}

/**
 * Why the database may be a copy of one that is used elsewhere. `other_machine`, `other_hardware`: the machine is another one;
 * `no_note_outside`, `other_note_outside`: the note outside the folder is gone, or is about another instance; `unknown_attempt`: the service
 * knows a payment of this agent that is not in the database.
 */
export const COPY_REASONS = [
  'other_machine',
  'other_hardware',
  'no_note_outside',
  'other_note_outside',
  'unknown_attempt',
] as const;
export type CopyReason = (typeof COPY_REASONS)[number];

/** `first`: no identity was stored yet, by this release or an older one. */
export type IdentityFinding =
  | { readonly kind: 'first' }
  | { readonly kind: 'same' }
  | { readonly kind: 'copied'; readonly reason: CopyReason };

/**
 * Whether the database is used where it was used last; pure. A witness that was not readable then or is not readable now says nothing; one
 * that differs is enough: a false alarm costs a comparison, a missed copy costs a customer the same payment twice.
 */
export function compareIdentity(stored: StoredIdentity | null, found: Witnesses): IdentityFinding {
  if (stored === null) return { kind: 'first' };
  const reason = copyReason(stored, found);
  return reason === null ? { kind: 'same' } : { kind: 'copied', reason };
}

function copyReason(stored: StoredIdentity, { machine, hardware, outside }: Witnesses): CopyReason | null {
  if (differ(stored.hardware, hardware)) return 'other_hardware';
  if (differ(stored.machine, machine)) return 'other_machine';
  if (!stored.hasOutside || outside.kind === 'none') return null;
  if (outside.kind === 'missing') return 'no_note_outside';
  return outside.instance === stored.instance ? null : 'other_note_outside';
}

function differ(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b;
}

/** The finding in words for staff: one clause. */
export const COPY_WORDS: Readonly<Record<CopyReason, string>> = {
  other_machine: 'the identity of this machine (machine-id) is not the one that the database was used on',
  other_hardware: 'the hardware of this machine is not the one that the database was used on',
  no_note_outside: 'the note about it that is kept outside the state folder is not there',
  other_note_outside: 'the note that is kept outside the state folder is about another database',
  unknown_attempt: 'the service knows a payment of this agent that is not in the database',
};

/** The message for staff while the comparison is open. */
export function copyMessage(reason: CopyReason): string {
  return (
    `The database may be a copy or an older state: ${COPY_WORDS[reason]}. No payment is taken from the service here; nothing was charged by this. ` +
    'Make sure that no other machine runs tilld with it, compare the last payment of each terminal (tillctl tasks) and finish the tasks.'
  );
}
