import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { RoutePlugin } from '../api.ts';
import { Throttled } from '../keys/throttled.ts';
import { RateLimiter } from '../plugins/rate-limiter.ts';
import type { ServiceHooks } from '../ports.ts';
import { VersionQuery } from './list-reply.ts';

const NO_BYTES = new Uint8Array();
/** Number of invalid hooks from one address that get an error text; signed hooks are never limited. */
const STRANGERS = { perMinute: 30, burst: 10 };

export interface ServiceHookDeps {
  /** null or absent: no signing secret is configured, and the route does not exist. */
  readonly serviceHooks?: ServiceHooks | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** The service's webhook for new data; the next poll fetches the data, not this handler. */
export function serviceHookRoutes({ serviceHooks, clock, log }: ServiceHookDeps): RoutePlugin {
  if (!serviceHooks) return async () => undefined;
  const strangers = new RateLimiter(STRANGERS, clock);
  const throttled = new Throttled(clock);
  const note = (error: unknown, from: string) => {
    if (!(error instanceof AppError)) return;
    const times = throttled.due(`${error.code} ${from}`);
    if (times !== null) log.warn({ from, code: error.code, times }, 'webhook of the service refused');
    strangers.take(from);
  };
  return async (api) => {
    api.route({
      method: 'POST',
      url: '/hooks/service',
      schema: { querystring: VersionQuery },
      config: {
        operationId: 'hearServiceHook',
        tag: 'Daemon',
        hidden: true,
        access: 'signed',
        summary: 'A webhook of the service: it makes the next poll happen at once.',
        replies: [{ status: 200, description: 'Heard, also when it came before.' }],
        refusals: [
          'HOOK_SECRET_MISSING',
          'HOOK_SIGNATURE_MISSING',
          'HOOK_SIGNATURE_INVALID',
          'HOOK_TIMESTAMP_INVALID',
          'HOOK_UNREADABLE',
          'RATE_LIMITED',
        ],
      },
      handler: ({ caller, header, body }) => {
        try {
          serviceHooks.heard(header('x-service-signature'), body instanceof Uint8Array ? body : NO_BYTES);
        } catch (error) {
          note(error, caller.id);
          throw error;
        }
        return { received: true };
      },
    });
  };
}
