import { z } from 'zod';
import { cronProblem, isKnownZone } from './cron.ts';

const MINUTE_S = 60;
const DAY_S = 86_400;

const Interval = z.int().min(MINUTE_S).max(DAY_S);
export const TimeZone = z
  .string()
  .max(100)
  .refine(isKnownZone, 'is no time zone that is known, as in "Europe/Berlin"')
  .optional();
export const WallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day like "22:00"');
const QuietHours = z
  .strictObject({
    from: WallTime.describe('When they begin, like `22:00`.'),
    to: WallTime.describe('When they end; earlier than `from`: on the next day.'),
  })
  .refine(({ from, to }) => from !== to, 'begin and end at the same time: no run would ever begin, or any');

/** What one resource does differently. */
const ResourceSchedule = z.strictObject({
  cron: z
    .string()
    .max(200)
    .superRefine((text, context) => {
      const problem = cronProblem(text);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    })
    .optional()
    .describe(
      'Minute, hour, day of the month, month and day of the week at which it runs, like `0 6 * * 1-5`; default: at its interval.',
    ),
  interval_s: Interval.optional().describe(
    'Pause between two runs, in s; with `cron` the one before a failed run is repeated.',
  ),
  jitter_s: z
    .int()
    .min(0)
    .max(3_600)
    .optional()
    .describe(
      'Longest random delay that is added to a time, in s; default: a tenth of the interval, with `cron` 60.',
    ),
  quiet_hours: z
    .union([QuietHours, z.literal('none')])
    .optional()
    .describe('Its own quiet hours.'),
  time_zone: TimeZone.describe('Its own zone.'),
});

const Integration = z
  .strictObject({
    connector: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be the id of a connector, like "rest"')
      .describe(
        'What serves the integration: `rest`, `files`, `service`, `terminal`; see drivers/providers.',
      ),
    settings: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('What the connector needs to know; its README says what. Never a credential.'),
    folder: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe('Folder that a connector of files reads; needed by those, refused by others.'),
    sink: z
      .enum(['service', 'mirror'])
      .default('service')
      .describe('Where its records go: to the billing service, or into the local mirror only.'),
    customer_prefix: z
      .string()
      .regex(/^[A-Za-z0-9._:-]{0,32}$/, 'must be at most 32 letters, digits, ".", "_", ":" or "-"')
      .default('')
      .describe(
        'Put before the ids of its customers at the service, which knows customers by that id alone; two integrations that bring customers need different ones.',
      ),
    managed_by: z
      .enum(['agent', 'service'])
      .default('agent')
      .describe('`service`: its settings and mappings follow those of the billing service.'),
    interval_s: Interval.default(900).describe('Pause between two runs of a resource, in s.'),
    quiet_hours: QuietHours.optional().describe(
      'Times of day within which no run begins by itself; what falls into them runs once at their end. What a person asks for runs at any time. Default: none.',
    ),
    time_zone: TimeZone.describe(
      'Zone of `quiet_hours` and `cron`, like `Europe/Berlin`; default: that of the machine.',
    ),
    schedules: z
      .record(z.string(), ResourceSchedule)
      .default({})
      .describe('Resources that run at times of their own, by their names.'),
    sweep_interval_s: z
      .int()
      .min(3600)
      .max(31 * DAY_S)
      .default(DAY_S)
      .describe('How often everything is read to see what is gone, in s, where the source does not show it.'),
    max_errors: z.int().min(1).max(1000).default(10).describe('Failed runs in a row that pause it.'),
    allow_plain_http: z
      .boolean()
      .default(false)
      .describe("Lets its credential travel unencrypted to a machine of the shop's own network."),
  })
  .optional();

/** The provider integrations, and the connector of each. */
export const IntegrationsSection = z
  .strictObject({
    provider_a: Integration.describe('First provider.'),
    provider_b: Integration.describe('Second provider.'),
    terminal: Integration.describe("The terminals' own journals."),
    provider_d: Integration.describe('Provider of memberships; zero-money only.'),
  })
  .prefault({})
  .describe(
    'Provider integrations; an integration that is absent has no connector. They begin when they are activated.',
  );

const LISTS = [
  'invoices',
  'customers',
  'products',
  'prices',
  'subscriptions',
  'orders',
  'payments',
  'disputes',
  'payouts',
  'mandates',
  'entitlements',
  'transactions',
] as const;

/** The service's lists that tilld mirrors, so that staff can look things up while the shop is offline. */
export const MirrorSection = z
  .strictObject({
    lists: z
      .array(z.enum(LISTS))
      .max(LISTS.length)
      .default(['invoices', 'customers', 'products', 'entitlements'])
      .describe(
        'Lists of the service that are mirrored, and read at its own paths also offline (`payments`: its payment intents); empty: none.',
      ),
    interval_s: Interval.default(900).describe('Pause between two readings of a list, in s.'),
  })
  .prefault({})
  .describe('The local mirror of the billing service; it costs requests of the shared budget.');
