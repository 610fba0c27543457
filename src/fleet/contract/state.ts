import { z } from 'zod';

const Flag = z.boolean().optional();
const Count = z.int().min(0).optional();
const Words = z.string().optional();

/**
 * What an agent shows its hub of its shop: part of what `GET /v2/status` says, `in_doubt` in place of a terminal's `in_doubt_attempt_id`. Words that name a state are
 * open sets. A field may be missing, because an older agent does not know it, and one that this release does not know is kept as it is.
 */
export const AgentState = z.looseObject({
  can_sell: Flag,
  can_report: Flag.describe('Whether its payments reach the service.'),
  is_fresh: Flag.describe('Whether it has what its providers have.'),
  environment: Words.describe('`live` or `sandbox`.'),
  reasons: z
    .array(z.looseObject({ code: z.string(), message: z.string() }))
    .optional()
    .describe('Why one of the three is false, and what a person must check.'),
  terminals: z
    .array(
      z.looseObject({
        id: Words,
        name: Words,
        driver: Words,
        status: Words.describe('`ready`, also while a payment runs, `recovering`, `offline` and others.'),
        needs: z.string().nullish().describe('What a person must do at it.'),
        in_doubt: Flag.describe('It has a payment whose outcome is not known yet.'),
      }),
    )
    .optional(),
  service: Words.describe('The connection to the service: `online`, `offline`, `off`.'),
  outbox: z
    .looseObject({
      pending: Count.describe('Payments that wait to be reported.'),
      parked: Count.describe('Those set aside after errors.'),
    })
    .optional(),
  integrations: z
    .array(
      z.looseObject({
        ...{ provider: Words, resource: Words },
        ...{ is_stale: Flag, is_held: Flag, paused: Flag, parked: Count },
      }),
    )
    .optional(),
  configuration: z
    .looseObject({
      running: z.int().nullish().describe('The revision that runs; null: the files of the shop alone.'),
      attempted: z
        .looseObject({
          revision: z.int(),
          state: z.string().describe('`waiting` for idle terminals and the window of the shop, or `judged`.'),
        })
        .nullish()
        .describe('The revision that is tried; null: none.'),
      failed: z
        .looseObject({ revision: z.int(), why: z.string(), at: z.int() })
        .nullish()
        .describe(
          'The newest revision that the shop gave up by itself, and why; null: none since the last good one.',
        ),
    })
    .optional()
    .describe('Settings that an operator gave to the shop.'),
  too_large: Flag.describe('The rest was larger than a hub takes, and was left out.'),
});
export type AgentState = z.infer<typeof AgentState>;
