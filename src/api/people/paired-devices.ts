import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import { guardText } from '../../base/text-guard.ts';
import type { AuditAct, AuditEntry, PairedDevice, SignInStore } from '../ports.ts';

const SECRET_BYTES = 32;
/** Maximum of devices that are not withdrawn. */
const MOST_DEVICES = 64;

export interface PairedDeviceDeps {
  readonly store: SignInStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Browsers of the shop on which people may sign in with a PIN. Each holds a secret that no script can read.
 *
 * INVARIANTS:
 * - the store holds a hash of the secret;
 * - a device that is withdrawn stays so; every session on it ends at once, however it was opened.
 */
export class PairedDevices {
  readonly #deps: PairedDeviceDeps;

  constructor(deps: PairedDeviceDeps) {
    this.#deps = deps;
  }

  /** @returns the device, and its secret for the cookie. @throws DEVICES_EXHAUSTED, STORAGE_FULL, STORAGE_FAILED */
  pair(name: string, act: AuditAct): { readonly device: PairedDevice; readonly secret: string } {
    const { store, clock, ids } = this.#deps;
    if (this.list().filter(({ withdrawnAt }) => withdrawnAt === null).length >= MOST_DEVICES)
      throw new AppError(
        'DEVICES_EXHAUSTED',
        `There are ${MOST_DEVICES} paired devices already: withdraw one`,
      );
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const at = clock.now();
    const device = {
      id: ids.uuid(),
      name: guardText(name),
      hash: hashOf(secret),
      pairedAt: at,
      withdrawnAt: null,
    };
    store.pair(device, entryOf('device_paired', device, act, at));
    return { device, secret };
  }

  /** The device of a secret; null: none, or it was withdrawn. */
  ofSecret(secret: string): PairedDevice | null {
    const hash = hashOf(secret);
    return this.list().find((device) => device.hash === hash && device.withdrawnAt === null) ?? null;
  }

  /** Newest first. */
  list(): readonly PairedDevice[] {
    return this.#deps.store.devices();
  }

  /** A second call does nothing. @throws PAIRED_DEVICE_UNKNOWN, STORAGE_FULL, STORAGE_FAILED */
  withdraw(id: string, act: AuditAct): PairedDevice {
    const device = this.list().find((one) => one.id === id);
    if (!device) throw new AppError('PAIRED_DEVICE_UNKNOWN', 'There is no paired device with this id');
    if (device.withdrawnAt !== null) return device;
    const withdrawn = { ...device, withdrawnAt: this.#deps.clock.now() };
    this.#deps.store.withdraw(withdrawn, entryOf('device_withdrawn', device, act, withdrawn.withdrawnAt));
    return withdrawn;
  }
}

function entryOf(
  event: 'device_paired' | 'device_withdrawn',
  { id, name }: PairedDevice,
  { who, from }: AuditAct,
  at: number,
): AuditEntry {
  return { at, event, subject: id, who, from, details: { name } };
}

/** 256 bits of randomness: a plain hash is enough. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
