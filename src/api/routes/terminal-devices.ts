import { z } from 'zod';
import type { Devices } from '../../terminal/device.ts';
import type { Api, RoutePlugin } from '../api.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { ListTerminalDevices, TerminalDevice } from '../contract/terminal-device.ts';
import { renderTerminalDevice } from '../render/terminal-device.ts';
import { deviceOf } from './device-of.ts';
import { listReply, listShape, VersionQuery } from './list-reply.ts';

const TAG = 'Terminal devices';

/** The devices: places where cards are taken. */
export function terminalDeviceRoutes(devices: Devices): RoutePlugin {
  return async (api) => {
    listRoute(api, devices);
    getRoute(api, devices);
  };
}

function listRoute(api: Api, devices: Devices): void {
  api.route({
    method: 'GET',
    url: '/v2/terminal-devices',
    schema: { querystring: ListTerminalDevices },
    config: {
      operationId: 'listTerminalDevices',
      tag: TAG,
      access: 'payments:read',
      summary: 'List devices, in the order of the configuration.',
      replies: [listShape(TerminalDevice, 'One page of devices.')],
      refusals: [],
    },
    handler: ({ query: { limit, offset }, serviceVersion }) => {
      const all = devices.list();
      const items = all.slice(offset, offset + limit).map(renderTerminalDevice);
      const hasMore = offset + limit < all.length;
      return listReply(serviceVersion, {
        items,
        hasMore,
        url: '/v2/terminal-devices',
        limit,
        offset,
        total: all.length,
      });
    },
  });
}

function getRoute(api: Api, devices: Devices): void {
  api.route({
    method: 'GET',
    url: '/v2/terminal-devices/:id',
    schema: { params: z.strictObject({ id: Uuid }), querystring: VersionQuery },
    config: {
      operationId: 'getTerminalDevice',
      tag: TAG,
      access: 'payments:read',
      summary: 'Retrieve a device.',
      replies: [
        { status: 200, description: 'The device as it is right now.', schema: dataOf(TerminalDevice) },
      ],
      refusals: ['DEVICE_UNKNOWN'],
    },
    handler: ({ params }) => ({ data: renderTerminalDevice(deviceOf(devices, params.id)) }),
  });
}
