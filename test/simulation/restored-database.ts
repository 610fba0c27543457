import { z } from 'zod';
import type { LocalReply } from './agent.ts';

const Refused = z.object({
  error: z.object({ code: z.literal('memory_lost'), details: z.object({ task_id: z.string().nullable() }) }),
});

/** The agent asks whether a basket was paid already, because it cannot remember. */
export function asksForComparison(reply: LocalReply): boolean {
  return Refused.safeParse(reply?.body).success;
}

/** What is to be done first; null while the agent has not read the terminal yet. */
export function taskIn(reply: LocalReply): string | null {
  const refused = Refused.safeParse(reply?.body);
  return refused.success ? refused.data.error.details.task_id : null;
}
