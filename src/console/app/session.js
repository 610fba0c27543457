import { signal } from '@preact/signals-core';
import { ApiError } from './api.js';

/** @import { Api } from './api.js' */
/** @import { Role, Session } from './contract.js' */
/** @import { Signal } from '@preact/signals-core' */

const PROOF = 'tilld.proof';
/** @type {readonly Role[]} */
const ROLES = ['staff', 'lead', 'ops'];

/**
 * The session of this browser. The browser holds the cookie; its other half is stored where every tab of this origin can read it.
 * `current`: undefined until it is known.
 */
export class SessionKeeper {
  /** @type {Signal<Session | null | undefined>} */
  current = signal(undefined);
  #storage;

  /** @param {Storage} storage */
  constructor(storage) {
    this.#storage = storage;
    if (this.proof === null) this.current.value = null;
  }

  get proof() {
    return this.#storage.getItem(PROOF);
  }

  /**
   * Whether the signed-in user has at least the role `least`.
   * @param {Role} least
   */
  isAtLeast(least) {
    const role = this.current.value?.role;
    return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(least);
  }

  /**
   * Reads the session; without a response it stays unknown.
   * @param {Api} api
   */
  async look(api) {
    const { data } = await api.get('/v2/sessions/current');
    this.current.value = data;
  }

  /**
   * @param {Api} api
   * @param {object} credentials a code, a passkey's answer, or a person and a PIN
   */
  async signIn(api, credentials) {
    const { data } = await api.post('/v2/sessions', credentials);
    const { proof, ...session } = data;
    this.#storage.setItem(PROOF, proof);
    this.current.value = session;
  }

  /**
   * Ends the session; where tilld does not respond, the proof is deleted all the same, and nothing opens the session any more.
   * @param {Api} api
   */
  async signOut(api) {
    try {
      await api.change('DELETE', '/v2/sessions/current');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    this.ended();
  }

  /** The session is over: signed out, expired, or unknown to this agent. */
  ended() {
    this.#storage.removeItem(PROOF);
    this.current.value = null;
  }
}
