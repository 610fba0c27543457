import { AppError } from '../../base/errors.ts';
import { canonicalId } from '../../base/ids.ts';
import type { Devices, DeviceView } from '../../terminal/device.ts';

/**
 * The device that a path names, capitals or not.
 * @throws DEVICE_UNKNOWN
 */
export function deviceOf(devices: Devices, id: string): DeviceView {
  const view = devices.get(canonicalId(id));
  if (view) return view;
  throw new AppError('DEVICE_UNKNOWN', 'There is no such device here', { context: { param: 'id' } });
}
