import { z } from 'zod';
import type { Devices } from '../../terminal/device.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import { ListTerminalDevices, TerminalDevice } from '../contract/terminal-device.ts';
import { renderTerminalDevice } from '../render/terminal-device.ts';
import { json } from '../reply/reply.ts';
import { deviceOf } from './device-of.ts';
import { listReply, listShape, NoParams, VersionQuery } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

const TAG = 'Terminal devices';

/** The devices: places where cards are taken. */
export function terminalDeviceRoutes(devices: Devices): readonly Route[] {
  return [listRoute(devices), getRoute(devices)];
}

function listRoute(devices: Devices): Route {
  return defineRoute({
    method: 'GET',
    path: '/v2/terminal-devices',
    operationId: 'listTerminalDevices',
    tag: TAG,
    access: 'payments:read',
    summary: 'List devices, in the order of the configuration.',
    params: NoParams,
    query: ListTerminalDevices,
    body: null,
    replies: [listShape(TerminalDevice, 'One page of devices.')],
    refusals: [],
    handler: ({ query: { limit, offset } }, { version }) => {
      const all = devices.list();
      const items = all.slice(offset, offset + limit).map(renderTerminalDevice);
      const hasMore = offset + limit < all.length;
      return listReply(version, {
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

function getRoute(devices: Devices): Route {
  return defineRoute({
    method: 'GET',
    path: '/v2/terminal-devices/{id}',
    operationId: 'getTerminalDevice',
    tag: TAG,
    access: 'payments:read',
    summary: 'Retrieve a device.',
    params: z.strictObject({ id: Uuid }),
    query: VersionQuery,
    body: null,
    replies: [{ status: 200, description: 'The device as it is right now.', schema: dataOf(TerminalDevice) }],
    refusals: ['DEVICE_UNKNOWN'],
    handler: ({ params }) => json(200, { data: renderTerminalDevice(deviceOf(devices, params.id)) }),
  });
}
