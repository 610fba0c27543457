import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Clock } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { AuditEntry, Passkey, Person, SignInStore } from '../ports.ts';
import { Challenges } from './challenges.ts';
import type { People } from './people.ts';

/** Maximum of one person. */
const MOST_PASSKEYS = 16;

/** ES256, EdDSA, RS256. */
const ALGORITHMS = [-7, -8, -257] as const;

/** Where a page was loaded from: the origin that signs, and its host name. */
export interface Site {
  readonly origin: string;
  readonly host: string;
}

export interface PasskeyDeps {
  readonly store: SignInStore;
  readonly people: People;
  readonly clock: Clock;
}

/** Loaded when it is first needed: a tenth of a second that no start waits for. */
const webauthn = async () => {
  // Its library of certificates wants it first, which the order of the modules in a bundle does not promise.
  await import('reflect-metadata');
  return import('@simplewebauthn/server');
};

/**
 * Passkeys (WebAuthn): a person signs in with the lock of their own device; no secret of it ever comes here.
 *
 * INVARIANTS:
 * - a challenge is of this process, good for one answer within five minutes;
 * - a counter that goes back is refused: the key was copied;
 * - the authenticator has checked the person (user verification), or nothing opens.
 */
export class Passkeys {
  readonly #deps: PasskeyDeps;
  readonly #challenges: Challenges;

  constructor(deps: PasskeyDeps) {
    this.#deps = deps;
    this.#challenges = new Challenges(deps.clock);
  }

  /** What the browser needs to make a passkey. @throws PASSKEYS_EXHAUSTED */
  async registration(person: Person, { host }: Site): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const known = this.#withRoom(person);
    const { generateRegistrationOptions } = await webauthn();
    return generateRegistrationOptions({
      rpName: 'tilld',
      rpID: host,
      userName: person.name,
      userDisplayName: person.name,
      userID: new Uint8Array(Buffer.from(person.id)),
      challenge: this.#challenges.make(),
      excludeCredentials: known.map(({ id }) => ({ id })),
      supportedAlgorithmIDs: [...ALGORITHMS],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /** @throws PASSKEY_REFUSED, PASSKEYS_EXHAUSTED, STORAGE_FULL, STORAGE_FAILED */
  async register(
    person: Person,
    response: RegistrationResponseJSON,
    site: Site,
    from: string,
  ): Promise<Passkey> {
    const { verifyRegistrationResponse } = await webauthn();
    const verified = await judged(refused, () =>
      verifyRegistrationResponse({
        response,
        ...this.#expected(site),
        supportedAlgorithmIDs: [...ALGORITHMS],
        requireUserVerification: true,
      }),
    );
    if (!verified.verified) throw refused('the browser did not prove the new passkey');
    const { credential } = verified.registrationInfo;
    if (this.#deps.store.passkey(credential.id)) throw refused('this passkey is known already');
    this.#withRoom(person);
    const at = this.#deps.clock.now();
    const passkey = {
      id: credential.id,
      personId: person.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      createdAt: at,
      lastUsedAt: null,
    };
    this.#deps.store.addPasskey(passkey, entryOf('passkey_added', person, from, at));
    return passkey;
  }

  /** What the browser needs to sign in; the person chooses the passkey there. */
  async authentication({ host }: Site): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await webauthn();
    return generateAuthenticationOptions({
      rpID: host,
      challenge: this.#challenges.make(),
      userVerification: 'required',
    });
  }

  /** The person that the answer signs in. @throws SIGN_IN_REFUSED, STORAGE_FULL, STORAGE_FAILED */
  async check(response: AuthenticationResponseJSON, site: Site): Promise<Person> {
    const { store, people, clock } = this.#deps;
    const passkey = store.passkey(response.id);
    const person = passkey && people.active(passkey.personId);
    if (!passkey || !person) throw notOpened('this passkey is not known here');
    const { verifyAuthenticationResponse } = await webauthn();
    const { id, counter } = passkey;
    const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, 'base64url'));
    const verified = await judged(notOpened, () =>
      verifyAuthenticationResponse({
        response,
        ...this.#expected(site),
        credential: { id, publicKey, counter },
        requireUserVerification: true,
      }),
    );
    if (!verified.verified) throw notOpened('the passkey did not prove who it is');
    // Either may have ended while the answer was verified.
    if (!store.passkey(id) || !people.active(person.id)) throw notOpened('it opens nothing any more');
    store.usedPasskey(id, verified.authenticationInfo.newCounter, clock.now());
    return person;
  }

  of(personId: string): readonly Passkey[] {
    return this.#deps.store.passkeys(personId);
  }

  /** @throws PASSKEY_UNKNOWN when it is not theirs, STORAGE_FULL, STORAGE_FAILED */
  remove(person: Person, id: string, from: string): void {
    if (this.#deps.store.passkey(id)?.personId !== person.id)
      throw new AppError('PASSKEY_UNKNOWN', 'You have no passkey with this id');
    this.#deps.store.removePasskey(id, entryOf('passkey_removed', person, from, this.#deps.clock.now()));
  }

  /** Their passkeys. @throws PASSKEYS_EXHAUSTED when they may have no more */
  #withRoom({ id, name }: Person): readonly Passkey[] {
    const known = this.of(id);
    if (known.length < MOST_PASSKEYS) return known;
    throw new AppError('PASSKEYS_EXHAUSTED', `${name} has ${MOST_PASSKEYS} passkeys already: remove one`);
  }

  #expected({ origin, host }: Site) {
    return {
      expectedOrigin: origin,
      expectedRPID: host,
      expectedChallenge: (challenge: string) => this.#challenges.use(challenge),
    };
  }
}

/** The library throws where an answer is not what it must be. */
async function judged<T>(refusal: (why: string) => AppError, verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    throw refusal(messageOf(error));
  }
}

function entryOf(
  event: 'passkey_added' | 'passkey_removed',
  { id, name }: Person,
  from: string,
  at: number,
): AuditEntry {
  return { at, event, subject: id, who: name, from, details: { name } };
}

function refused(why: string): AppError {
  return new AppError('PASSKEY_REFUSED', `The passkey was not added: ${why}`);
}

function notOpened(why: string): AppError {
  return new AppError('SIGN_IN_REFUSED', `This passkey opens nothing: ${why}`);
}
