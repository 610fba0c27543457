import { AppError } from '../../base/errors.ts';
import { canonicalId } from '../../base/ids.ts';
import type { Devices, DeviceView } from '../../terminal/device.ts';

/**
 * The device of a path, case-insensitive.
 * @throws DEVICE_UNKNOWN
 */
export function deviceOf(devices: Devices, id: string): DeviceView {
  const view = devices.get(canonicalId(id));
  if (view) return view;
  throw new AppError('DEVICE_UNKNOWN', 'There is no such device here', { context: { param: 'id' } });
}
