import { X509Certificate } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import {
  fingerprintOf,
  hostOf,
  issueServerCertificate,
  makeAuthority,
  type PemPair,
  type ServerNames,
} from './authority.ts';
import { certifiable } from './name-constraints.ts';

/** A server certificate is replaced so long before its end. */
const AHEAD_MS = 30 * 86_400_000;

/** Where the authority is kept. */
export interface AuthorityPlace {
  /** null: there is none. @throws when it cannot be read */
  read(): PemPair | null;
  keep(authority: PemPair): void;
}

export interface ShopCertificateDeps {
  /** Without `.local`. */
  readonly name: string;
  readonly place: AuthorityPlace;
  /** IP addresses at which devices of the shop reach this machine now. */
  readonly addresses: () => readonly string[];
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** What a listener of the shop's network serves, and what its devices have to trust. */
export interface ShopTls {
  /** `shop.local` */
  readonly host: string;
  /** IP addresses in the server certificate. */
  readonly addresses: readonly string[];
  readonly server: PemPair;
  /** Certificate of the authority, PEM. */
  readonly authority: string;
  /** SHA-256 of it, 32 pairs of hex digits with colons. */
  readonly fingerprint: string;
}

/**
 * The certificates of one shop. The authority is made once and kept; the certificate of the server lives in this process alone and is issued
 * anew at each start, 30 days before its end, when the addresses change, and when the clock was set to where it is not valid.
 */
export class ShopCertificate {
  readonly #deps: ShopCertificateDeps;
  #issued: ShopTls | null = null;

  constructor(deps: ShopCertificateDeps) {
    this.#deps = deps;
  }

  /** @returns what is to be served from now on; null: what was served is still right. @throws CLOCK_WRONG, STORAGE_FULL, and what the place throws */
  async renewed(): Promise<ShopTls | null> {
    const { name, clock, log } = this.#deps;
    const addresses = this.#deps.addresses().filter(certifiable).toSorted();
    const now = clock.now();
    if (this.#issued && isGood(this.#issued, addresses, now)) return null;
    const authority = await this.#authority(now);
    const names: ServerNames = { name, addresses };
    const server = await issueServerCertificate(authority, names, now);
    const fingerprint = fingerprintOf(authority.cert);
    this.#issued = { host: hostOf(name), addresses, server, authority: authority.cert, fingerprint };
    const { validTo: until } = new X509Certificate(server.cert);
    log.info({ host: hostOf(name), addresses, until }, 'certificate of the shop issued');
    return this.#issued;
  }

  async #authority(now: number): Promise<PemPair> {
    const { name, place, log } = this.#deps;
    const kept = place.read();
    if (kept) return kept;
    const authority = await makeAuthority(name, now);
    place.keep(authority);
    log.info(
      { fingerprint: fingerprintOf(authority.cert) },
      'authority of the shop made: devices trust it once',
    );
    return authority;
  }
}

function isGood(issued: ShopTls, addresses: readonly string[], now: number): boolean {
  if (issued.addresses.join() !== addresses.join()) return false;
  const server = new X509Certificate(issued.server.cert);
  if (now < server.validFromDate.getTime()) return false;
  // One that ends with its authority cannot be made longer.
  const { validToDate: authorityEnd } = new X509Certificate(issued.authority);
  const isLast = server.validToDate.getTime() === authorityEnd.getTime();
  return now < server.validToDate.getTime() - (isLast ? 0 : AHEAD_MS);
}
