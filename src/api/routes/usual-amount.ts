import { z } from 'zod';
import type { RoutePlugin } from '../api.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { UsualAmount } from '../contract/terminal-activity.ts';
import type { ApiDeps } from '../deps.ts';
import { renderUsualAmount } from '../render/usual-amount.ts';
import { deviceOf } from './device-of.ts';
import { VersionQuery } from './list-reply.ts';

export type UsualAmountDeps = Pick<ApiDeps, 'activity' | 'devices'>;

/** What the sales of a device usually come to: a till shows it when it asks about a large amount. */
export function usualAmountRoutes({ activity, devices }: UsualAmountDeps): RoutePlugin {
  return async (api) => {
    api.route({
      method: 'GET',
      url: '/v2/terminal-devices/:id/usual-amount',
      schema: { params: z.strictObject({ id: Uuid }), querystring: VersionQuery },
      config: {
        operationId: 'getUsualAmount',
        tag: 'Terminal devices',
        access: 'payments:read',
        summary: 'The amount that 19 of 20 of the newest sales of a device do not exceed.',
        replies: [{ status: 200, description: 'As of now.', schema: dataOf(UsualAmount) }],
        refusals: ['DEVICE_UNKNOWN', 'STORAGE_FAILED'],
      },
      handler: ({ params }) => {
        const { device } = deviceOf(devices, params.id);
        return { data: renderUsualAmount(device, activity.saleAmounts(device.id, device.currency)) };
      },
    });
  };
}
