import { AppError } from '../../base/errors.ts';
import { guardText } from '../../base/text-guard.ts';
import type { Caller } from '../api.ts';
import type { AuditAct } from '../ports.ts';

/**
 * The name under which a decision about money is recorded. A named person decides under that name, whatever the request says; a till answers for
 * its own users and names one; before the first person is added, the request names one.
 * @param by what the request says
 * @throws PERSON_MISSING
 */
export function deciderOf(caller: Caller, by: string): string {
  if (caller.person) return caller.person.name;
  const isTill = caller.id !== 'pages' && caller.id !== 'socket';
  if (isTill || !caller.hasPeople()) return guardText(by);
  throw new AppError('PERSON_MISSING', missingWords(caller));
}

/**
 * Once there are people, a session of a shared code adds none and makes no code of theirs: it could decide under their names.
 * @throws PERSON_MISSING
 */
export function requireNamed(caller: Caller): void {
  if (caller.id === 'pages' && !caller.person && caller.hasPeople())
    throw new AppError('PERSON_MISSING', missingWords(caller));
}

/** Who does something, for the audit trail: the person, else the user of this machine, else the caller's kind. */
export function actOf({ person, user, id, from }: Caller): AuditAct {
  return { who: person?.name ?? (user === null ? id : `user ${user}`), from };
}

function missingWords({ id, user }: Caller): string {
  if (id === 'pages')
    return 'This needs a named person: sign in with a code of your own (tillctl sign-in --person NAME)';
  const who = user === null ? 'this user' : `the user ${user}`;
  return `This decision needs a named person, and ${who} of this machine is none: tillctl people add NAME --role ROLE --user ${user ?? 'USER'}`;
}
