import type { Observer, TerminalSession } from '../terminal/ports.ts';
import type { SessionState } from './messages.ts';
import type { Method, ResultOf } from './terminal-values.ts';

interface Callbacks {
  readonly observer?: Observer;
  readonly progress?: (text: string) => void;
}

/** The calls of one session, as they pass the channel. */
export interface Calls {
  call<Name extends Method>(
    method: Name,
    argument: unknown,
    signal: AbortSignal | null,
    callbacks?: Callbacks,
  ): Promise<ResultOf<Name>>;
  abort(): void;
}

/** A session that lives in the process of a package. Methods that it does not have there stay absent. */
export function remoteSession(
  state: () => SessionState,
  opened: { readonly state: SessionState; readonly optional: readonly string[] },
  { call, abort }: Calls,
): TerminalSession {
  const has = (method: string) => opened.optional.includes(method);
  const hasReferences = typeof opened.state.references === 'object' && opened.state.references !== null;
  return {
    get capabilities() {
      return state().capabilities;
    },
    identify: (signal) => call('identify', null, signal),
    readiness: (signal) => call('readiness', null, signal),
    lastTransaction: (signal) => call('lastTransaction', null, signal),
    execute: (command, observer, signal) => call('execute', command, signal, { observer }),
    abort,
    endOfDay: (progress, signal) => call('endOfDay', null, signal, { progress }),
    totals: (signal) => call('totals', null, signal),
    journal: (signal) => call('journal', null, signal),
    close: async () => void (await call('close', null, null)),
    ...(hasReferences && { references: () => new Set(state().references ?? []) }),
    ...(has('ownTransaction') && {
      ownTransaction: (reference, signal) => call('ownTransaction', reference, signal),
    }),
    ...(has('lateEnd') && {
      lateEnd: (command, observer, signal) => call('lateEnd', command, signal, { observer }),
    }),
    ...(has('reprint') && { reprint: (signal) => call('reprint', null, signal) }),
  };
}
