import { AppError } from '../base/errors.ts';
import { answeringContext, nameOf } from './identity.ts';
import type { TerminalIdentity } from './ports.ts';

/**
 * Which physical terminal serves which device right now.
 * Why: two devices of the config can lead to one terminal over different cables, and it must have one queue.
 */
export class TerminalRegistry {
  readonly #devices = new Map<string, string>();

  /**
   * Records that this terminal serves `deviceId`. A terminal known by its port only cannot be distinguished from others.
   * @throws WRONG_TERMINAL when it serves another device already.
   */
  take(deviceId: string, identity: TerminalIdentity): void {
    const name = identity.serial ?? identity.terminalId;
    this.leave(deviceId);
    if (name === undefined) return;
    const other = this.#devices.get(name);
    if (other !== undefined) {
      throw new AppError('WRONG_TERMINAL', `${nameOf(identity)} serves another device already`, {
        context: { device: deviceId, other, ...answeringContext(identity) },
      });
    }
    this.#devices.set(name, deviceId);
  }

  /** The device's terminal is gone, or another one comes. */
  leave(deviceId: string): void {
    for (const [name, device] of this.#devices) if (device === deviceId) this.#devices.delete(name);
  }
}
