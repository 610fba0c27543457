import { z } from 'zod';
import type { LocalReply } from './agent.ts';

const Refused = z.object({
  error: z.object({
    code: z.literal('memory_lost'),
    details: z.object({ task_id: z.string().nullable(), device_id: z.string() }),
  }),
});

/** The agent asks whether a basket was paid already, because it cannot remember. */
export function asksForComparison(reply: LocalReply): boolean {
  return Refused.safeParse(reply?.body).success;
}

/** What is to be done first, and at which device: a basket may have been paid at any terminal. Null while the agent has not read that one yet. */
export function comparisonIn(
  reply: LocalReply,
): { readonly taskId: string; readonly deviceId: string } | null {
  const refused = Refused.safeParse(reply?.body);
  if (!refused.success) return null;
  const { task_id: taskId, device_id: deviceId } = refused.data.error.details;
  return taskId === null ? null : { taskId, deviceId };
}
