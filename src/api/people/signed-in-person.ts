import { AppError } from '../../base/errors.ts';
import type { Caller } from '../api.ts';
import { deciderOf } from './person.ts';

/**
 * A named person who is signed in at this shop: at its pages, or as a user of its machine. What an operator of the fleet asks for is done for nothing else.
 * There is no other way to one than a request of theirs.
 */
export class SignedInPerson {
  readonly name: string;
  /** Keeps an object with a name from being taken for a person. */
  readonly #isSignedIn = true;

  private constructor(name: string) {
    this.name = name;
  }

  /**
   * @param by what the request says, where the shop has no people
   * @throws PERSON_MISSING
   */
  static of(caller: Caller, by: string): SignedInPerson {
    if (caller.id === 'pages' || caller.id === 'socket') return new SignedInPerson(deciderOf(caller, by));
    throw new AppError('PERSON_MISSING', 'This needs a person who is signed in at this shop: a key is none');
  }

  get isSignedIn(): true {
    return this.#isSignedIn;
  }
}
