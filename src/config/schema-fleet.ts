import { z } from 'zod';
import { TimeZone, WallTime } from './schema-integrations.ts';

/** What this shop lets its fleet do, and when. */
export const FleetSection = z
  .strictObject({
    window: z
      .strictObject({
        from: WallTime.describe('When it begins, like `02:00`.'),
        to: WallTime.describe('When it ends; earlier than `from`: on the next day.'),
      })
      .refine(({ from, to }) => from !== to, 'begins and ends at the same time')
      .optional()
      .describe(
        'Times of day within which tilld restarts for a configuration of the fleet, once every terminal is idle. Default: at any time.',
      ),
    time_zone: TimeZone.describe('Zone of `window`, like `Europe/Berlin`; default: that of the machine.'),
  })
  .prefault({})
  .describe('The fleet that this shop may belong to (`tillctl fleet join`).');
