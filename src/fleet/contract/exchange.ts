import { z } from 'zod';
import { CommandOutcome, MOST_COMMANDS, SignedCommand } from './command.ts';
import { AgentState } from './state.ts';
import { text } from './text.ts';

/** The largest state that an agent reports, in bytes of its JSON. */
export const MOST_STATE_BYTES = 32_768;

/**
 * `POST /v1/exchange`: what the agent is, and what the hub wants of it. `run_id` names the process, `exchange` counts its requests: a later one
 * replaces an earlier one, whatever the clocks say. `now` is epoch ms by the agent's clock.
 */
export const Exchange = z.object({
  epoch: text(100),
  run_id: text(100),
  exchange: z.int().min(1),
  now: z.int(),
  version: text(40),
  /** Absent where it has not changed since the last answer. */
  state: AgentState.optional(),
  /** What became of commands, until an exchange with them is answered. */
  outcomes: z.array(CommandOutcome).max(MOST_COMMANDS).optional(),
});
export type Exchange = z.infer<typeof Exchange>;

/** `journal` is null where the hub has nothing of this epoch yet: the agent begins with its oldest entry. */
export const Exchanged = z.object({
  journal: z.object({ next_seq: z.int().min(1) }).nullable(),
  /** Whether this hub knows the agent's state: `false` asks for it whole. */
  has_state: z.boolean(),
  /** Epoch ms by the hub's clock. */
  now: z.int(),
  /** Why this agent gets no commands; null where it gets them. */
  quarantined: z.string().nullable(),
  /** Commands whose outcome this hub does not have. */
  commands: z.array(SignedCommand).max(MOST_COMMANDS).default([]),
});
export type Exchanged = z.infer<typeof Exchanged>;
