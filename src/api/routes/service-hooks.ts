import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { RateLimiter } from '../door/rate-limiter.ts';
import { Throttled } from '../keys/throttled.ts';
import type { ServiceHooks } from '../ports.ts';
import { json } from '../reply/reply.ts';
import { NoParams, VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

/** Number of invalid hooks from one address that get an error text; signed hooks are never limited. */
const STRANGERS = { perMinute: 30, burst: 10 };

export interface ServiceHookDeps {
  /** null or absent: no signing secret is configured, and the route does not exist. */
  readonly serviceHooks?: ServiceHooks | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** The service's webhook for new data; the next poll fetches the data, not this handler. */
export function serviceHookRoutes({ serviceHooks, clock, log }: ServiceHookDeps): readonly Route[] {
  if (!serviceHooks) return [];
  const strangers = new RateLimiter(STRANGERS, clock);
  const throttled = new Throttled(clock);
  const note = (error: unknown, from: string) => {
    if (!(error instanceof AppError)) return;
    const times = throttled.due(`${error.code} ${from}`);
    if (times !== null) log.warn({ from, code: error.code, times }, 'webhook of the service refused');
    strangers.take(from);
  };
  return [
    defineRoute({
      method: 'POST',
      path: '/hooks/service',
      operationId: 'hearServiceHook',
      tag: 'Daemon',
      access: 'signed',
      summary: 'A webhook of the service: it makes the next poll happen at once.',
      params: NoParams,
      query: VersionQuery,
      body: null,
      replies: [{ status: 200, description: 'Heard, also when it came before.' }],
      refusals: [
        'HOOK_SECRET_MISSING',
        'HOOK_SIGNATURE_MISSING',
        'HOOK_SIGNATURE_INVALID',
        'HOOK_TIMESTAMP_INVALID',
        'HOOK_UNREADABLE',
        'RATE_LIMITED',
      ],
      handler: (_input, { caller, header, bytes }) => {
        try {
          serviceHooks.heard(header('x-service-signature'), bytes);
        } catch (error) {
          note(error, caller.id);
          throw error;
        }
        return json(200, { received: true });
      },
    }),
  ];
}
