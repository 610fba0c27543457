import { randomUUID } from 'node:crypto';
import type { Notice } from './message.ts';
import { type Destination, type SendDeps, send } from './send.ts';

/**
 * Sends one message that says it is a test. It is not tried again.
 * @param now epoch ms
 * @returns why it was not taken; null: it was
 */
export async function tryDestination(
  deps: SendDeps,
  destination: Destination & { readonly name: string },
  now: number,
): Promise<string | null> {
  const at = new Date(now);
  const notice: Notice = {
    ...{ id: randomUUID(), alertId: randomUUID(), event: 'raised', kind: 'test', severity: 'info' },
    ...{ rule: 'test', shop: null, agentId: null, details: '{}', since: at, raisedAt: at, endedAt: null },
  };
  const [error = null] = await send(deps, destination, [notice], new AbortController().signal);
  return error;
}
