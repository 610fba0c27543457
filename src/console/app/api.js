/** @import { SessionKeeper } from './session.js' */

const ANSWER_WITHIN_MS = 15_000;

/** An error response, or no response (`unreachable`, `status` 0: it is not known whether the request arrived). */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} code the API's error code
   * @param {string} message text, English
   * @param {Record<string, unknown>} [details]
   */
  constructor(status, code, message, details = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }

  /** Whether repeating the same request may help: no response, the daemon stops, too many at once. */
  get isPassing() {
    return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503;
  }
}

/** The pages' API client: every request carries the page's half of the session, every error response becomes an ApiError. */
export class Api {
  #session;

  /** @param {Pick<SessionKeeper, 'proof' | 'ended'>} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * @param {string} path
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>} the JSON document; the caller knows its shape
   */
  get(path, signal) {
    return this.#json('GET', path, { signal });
  }

  /**
   * @param {string} path
   * @param {object} [body]
   * @param {{ key?: string, withinMs?: number }} [options] `key`: the idempotency key; the same request under the same key runs once; `withinMs`: how long the answer may take
   * @returns {Promise<any>}
   */
  post(path, body, { key, withinMs } = {}) {
    return this.#json('POST', path, { body, key, withinMs });
  }

  /**
   * @param {'PUT' | 'PATCH' | 'DELETE'} method
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<any>}
   */
  change(method, path, body) {
    return this.#json(method, path, { body });
  }

  /**
   * A streaming response.
   * @param {string} path
   * @param {Record<string, string>} headers
   * @param {AbortSignal} signal
   */
  async open(path, headers, signal) {
    const response = await this.#send(path, { headers, signal });
    if (!response.ok) throw await this.#refusal(response);
    return response;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{ body?: object | undefined, key?: string | undefined, signal?: AbortSignal | undefined, withinMs?: number | undefined }} options
   */
  async #json(method, path, { body, key, signal, withinMs = ANSWER_WITHIN_MS }) {
    const timeout = AbortSignal.timeout(withinMs);
    const response = await this.#send(path, {
      method,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw await this.#refusal(response);
    try {
      return await response.json();
    } catch {
      throw unreachable();
    }
  }

  /**
   * @param {string} path
   * @param {RequestInit & { headers: Record<string, string> }} init
   */
  async #send(path, init) {
    const proof = this.#session.proof;
    const headers = { ...init.headers, ...(proof === null ? {} : { 'x-tilld-page': proof }) };
    try {
      return await fetch(path, { ...init, headers, credentials: 'same-origin', cache: 'no-store' });
    } catch {
      throw unreachable();
    }
  }

  /** @param {Response} response */
  async #refusal(response) {
    const error = await refusalOf(response);
    if (error.status === 401 && error.code !== 'sign_in_code_invalid') this.#session.ended();
    return error;
  }
}

function unreachable() {
  return new ApiError(0, 'unreachable', 'tilld does not answer');
}

/** @param {Response} response */
async function refusalOf(response) {
  /** @type {any} */
  const document = await response.json().catch(() => ({}));
  const { error = {}, code = 'unreadable' } = document ?? {};
  if (typeof error === 'string') return new ApiError(response.status, String(code), error);
  const issues = issuesIn(error);
  if (issues !== '') return new ApiError(response.status, 'validation_error', issues);
  const message = String(error.message ?? `tilld answered ${response.status}`);
  return new ApiError(response.status, String(error.code ?? code), message, error.details ?? {});
}

/** What is wrong with which field, where the answer lists it. @param {{ issues?: readonly { path: readonly (string | number)[], message: string }[] }} error */
function issuesIn({ issues = [] }) {
  return issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; ');
}
