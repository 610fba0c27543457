import { realpath } from 'node:fs/promises';
import { AppError } from '../base/errors.ts';

/**
 * The ports that this process has open, by the device file at the end of every link.
 * Why: opening a tty changes its line settings before the system reports a lock, so tilld must not try to open a port that it already uses.
 */
export class OpenPorts {
  readonly #paths = new Set<string>();

  has(device: string): boolean {
    return this.#paths.has(device);
  }

  /**
   * Takes the port; the result releases it, once.
   * @throws LINK_REFUSED (retry safe) when it is in use.
   */
  async take(path: string): Promise<() => void> {
    const device = await realpath(path).catch(() => path);
    if (this.#paths.has(device)) {
      throw new AppError(
        'LINK_REFUSED',
        `cannot open ${path}: it is in use for another device, or still closing`,
        {
          retry: 'safe',
          moneyMoved: 'no',
        },
      );
    }
    this.#paths.add(device);
    return () => void this.#paths.delete(device);
  }
}
