import type { AgentService } from '../../src/agent/create-agent.ts';
import type { Clock } from '../../src/base/clock.ts';
import { AppError } from '../../src/base/errors.ts';
import { silentLog } from '../../src/base/log.ts';
import { createServiceConnection } from '../../src/service/service-connection.ts';

/** A configured service that no request reaches: reports are written, and wait as long as the link is not started. */
export function unreachableService(clock: Clock): AgentService {
  const connection = createServiceConnection({
    connect: () => ({ request: async () => Promise.reject(unreachable()), close: async () => undefined }),
    credential: () => 'sk_sandbox_key',
    clock,
    log: silentLog,
  });
  return { connection, createLocal: false };
}

function unreachable(): AppError {
  return new AppError('NET_UNREACHABLE', 'nothing listens', { retry: 'safe', context: { reached: 'no' } });
}
