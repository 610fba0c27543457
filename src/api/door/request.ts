/** The listener that received a request. */
export type Peer = { readonly kind: 'socket' } | { readonly kind: 'tcp'; readonly address: string };

/** A request before its body, free of HTTP: header names in lower case. */
export interface RequestHead {
  readonly method: string;
  /** Path and query as received: `/v2/events?limit=5`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly peer: Peer;
}

export interface Request extends RequestHead {
  readonly body?: Uint8Array;
}

/** Path and query of a target; a name that occurs twice becomes a list, which every schema rejects. */
export function splitTarget(target: string) {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1))) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return { path, query };
}
