import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import { guardText } from '../../base/text-guard.ts';
import type { Caller } from '../api.ts';
import type { AddPerson } from '../contract/person.ts';
import type { AuditAct, AuditEntry, PeopleStore, Person } from '../ports.ts';
import { deciderOf } from './person.ts';

/** Maximum of people who may sign in. */
const MOST_PEOPLE = 256;

export interface PeopleDeps {
  readonly store: PeopleStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * The named people of a shop. Refusals are thrown as AppError and have written nothing.
 *
 * INVARIANTS:
 * - no two people who may sign in have the same name (letter case, kinds of blanks and compatible letters make no other name) or the same user of this machine;
 * - a disabled person stays disabled, and keeps the name in what they did; their sessions ended with them;
 * - each change and its entry in the audit trail are one commit.
 */
export class People {
  readonly #store: PeopleStore;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor({ store, clock, ids }: PeopleDeps) {
    this.#store = store;
    this.#clock = clock;
    this.#ids = ids;
  }

  /** @throws PERSON_NAME_TAKEN, SYSTEM_USER_TAKEN, PEOPLE_EXHAUSTED, STORAGE_FULL, STORAGE_FAILED */
  add({ name, role, system_user }: AddPerson, act: AuditAct): Person {
    const systemUser = system_user ?? null;
    const active = this.#active();
    const shown = guardText(name.normalize('NFC'));
    if (active.some((person) => sameName(person.name) === sameName(shown)))
      throw new AppError('PERSON_NAME_TAKEN', `There is a person named ${shown} already`);
    const other = systemUser === null ? null : this.ofUser(systemUser);
    if (other)
      throw new AppError(
        'SYSTEM_USER_TAKEN',
        `The user ${systemUser} of this machine is ${other.name} already`,
      );
    if (active.length >= MOST_PEOPLE)
      throw new AppError('PEOPLE_EXHAUSTED', `There are ${MOST_PEOPLE} people already: disable one who left`);
    const at = this.#clock.now();
    const person = { id: this.#ids.uuid(), name: shown, role, systemUser, createdAt: at, disabledAt: null };
    this.#store.insert(person, entryOf('person_added', person, act, at, { role, system_user: systemUser }));
    return person;
  }

  /** Everyone, those who may sign in first, by name. */
  list(): readonly Person[] {
    return this.#store.list();
  }

  /** Ends every session of theirs, at once and for good; a second call does nothing. @throws PERSON_UNKNOWN */
  disable(id: string, act: AuditAct): Person {
    const person = this.#store.list().find((one) => one.id === id);
    if (!person) throw new AppError('PERSON_UNKNOWN', 'There is no person with this id');
    if (person.disabledAt !== null) return person;
    const disabled = { ...person, disabledAt: this.#clock.now() };
    this.#store.disable(disabled, entryOf('person_disabled', person, act, disabled.disabledAt, {}));
    return disabled;
  }

  /** Who may sign in under this name. @throws PERSON_UNKNOWN */
  named(name: string): Person {
    const person = this.#active().find((one) => sameName(one.name) === sameName(name.normalize('NFC')));
    if (person) return person;
    throw new AppError('PERSON_UNKNOWN', `There is no person named ${guardText(name)} who may sign in`);
  }

  /** Who may sign in and has this id; null: no one any more. */
  active(id: string): Person | null {
    return this.#active().find((person) => person.id === id) ?? null;
  }

  /** Whose user on this machine this is. */
  ofUser(systemUser: string): Person | null {
    return this.#active().find((person) => person.systemUser === systemUser) ?? null;
  }

  /** Whether there ever was a person: from then on decisions carry one. */
  isInUse(): boolean {
    return this.#store.list().length > 0;
  }

  /**
   * A refund or void is requested: who requests it is in the audit trail before it begins. A till answers for its own users.
   * @throws PERSON_MISSING, STORAGE_FULL, STORAGE_FAILED
   */
  noteRefundOrVoid(
    caller: Caller,
    event: 'refund_requested' | 'void_requested',
    saleId: string,
    details: AuditEntry['details'],
  ): void {
    const who = deciderOf(caller, caller.id);
    if (!caller.person) return;
    this.#store.note({ at: this.#clock.now(), event, subject: saleId, who, from: caller.from, details });
  }

  /** An entry of the audit trail alone. */
  note(audit: AuditEntry): void {
    this.#store.note(audit);
  }

  /** The audit trail, newest first. */
  trail(offset: number, limit: number): ReturnType<PeopleStore['trail']> {
    return this.#store.trail(offset, limit);
  }

  #active(): readonly Person[] {
    return this.#store.list().filter(({ disabledAt }) => disabledAt === null);
  }
}

function entryOf(
  event: AuditEntry['event'],
  { id, name }: Person,
  { who, from }: AuditAct,
  at: number,
  details: AuditEntry['details'],
): AuditEntry {
  return { at, event, subject: id, who, from, details: { name, ...details } };
}

function sameName(name: string): string {
  return name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLocaleLowerCase('en');
}
