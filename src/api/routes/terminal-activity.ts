import { z } from 'zod';
import type { RoutePlugin } from '../api.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { TerminalActivity } from '../contract/terminal-activity.ts';
import type { ApiDeps } from '../deps.ts';
import { renderTerminalActivity } from '../render/terminal-activity.ts';
import { deviceOf } from './device-of.ts';
import { VersionQuery } from './list-reply.ts';

const WEEK_MS = 7 * 86_400_000;

export type TerminalActivityDeps = Pick<ApiDeps, 'activity' | 'devices' | 'clock'>;

/** How well the terminal of a device works. */
export function terminalActivityRoutes({ activity, devices, clock }: TerminalActivityDeps): RoutePlugin {
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/v2/terminal-devices/:id/activity',
      schema: { params: z.strictObject({ id: Uuid }), querystring: VersionQuery },
      config: {
        operationId: 'getTerminalActivity',
        tag: 'Terminal devices',
        access: 'payments:read',
        role: 'lead',
        summary:
          'When the terminal was connected in the last seven days, and how many of its payments were declined and how long they took.',
        replies: [{ status: 200, description: 'The last seven days.', schema: dataOf(TerminalActivity) }],
        refusals: ['DEVICE_UNKNOWN', 'STORAGE_FAILED'],
      },
      handler: ({ params }) => {
        const deviceId = deviceOf(devices, params.id).device.id;
        const to = clock.now();
        const from = to - WEEK_MS;
        const [spans, figures] = [activity.spans(deviceId, from), activity.figures(deviceId, from)];
        return { data: renderTerminalActivity({ deviceId, from, to, spans, figures }) };
      },
    });
  };
}
