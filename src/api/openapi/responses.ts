/** Statuses whose response is the same for nearly every route, under their component names. */
const SHARED: Readonly<Record<number, string>> = {
  401: 'Unauthenticated',
  403: 'Forbidden',
  408: 'RequestTooSlow',
  413: 'BodyTooLarge',
  415: 'ContentTypeUnsupported',
  421: 'HostForeign',
  429: 'RateLimited',
  431: 'HeadersTooLarge',
  500: 'InternalError',
};

/** Collects the responses that routes share under `components.responses`; one that differs stays with its operation. */
export class ResponseRegistry {
  readonly #components = new Map<string, object>();

  /** A reference to the shared response of this status, or the response itself where it differs. */
  of(status: number, answer: object): object {
    const name = SHARED[status];
    if (name === undefined) return answer;
    const shared = this.#components.get(name) ?? answer;
    this.#components.set(name, shared);
    if (JSON.stringify(shared) !== JSON.stringify(answer)) return answer;
    return { $ref: `#/components/responses/${name}` };
  }

  get components(): Readonly<Record<string, object>> {
    return Object.fromEntries(this.#components);
  }
}
