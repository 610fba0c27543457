import { networkInterfaces } from 'node:os';
import type { RunningApi } from '../api/server.ts';
import type { Clock, Timer } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { type AuthorityPlace, ShopCertificate, type ShopTls } from '../certificates/shop-certificate.ts';
import type { Config } from '../config/schema.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';

type LanSection = NonNullable<Config['listen']['lan']>;

/** Pause between two looks at the certificate, the addresses and the clock. */
const LOOK_MS = 60_000;
/** Pause before it is tried again to listen. */
const AGAIN_MS = 10_000;
/** The log repeats why it does not listen after so many tries. */
const SAY_AGAIN = 60;

export interface LanServiceDeps {
  readonly lan: LanSection;
  readonly place: AuthorityPlace;
  readonly api: Pick<RunningApi, 'listenLan'>;
  readonly addresses?: () => readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Pick<Lifecycle, 'started'>;
}

/**
 * Serves the network of the shop, and keeps its certificate right without a restart. What is in the way (a port that is taken, a clock that is
 * wrong, an authority that cannot be read) is logged and tried again: the tills of this machine sell on.
 */
export function serveLan(deps: LanServiceDeps): void {
  const { lan, place, api, clock, log } = deps;
  const addresses = deps.addresses ?? (() => (lan.host === undefined ? ownAddresses() : [lan.host]));
  const certificate = new ShopCertificate({ name: lan.name, place, addresses, clock, log });
  const state: { timer?: Timer; shop?: ShopTls; running?: Awaited<ReturnType<RunningApi['listenLan']>> } = {};
  let isStopped = false;
  let failures = 0;
  const look = async () => {
    const next = await certificate.renewed();
    if (next) state.shop = next;
    if (state.running && next) state.running.renew(next);
    if (state.running || !state.shop) return;
    state.running = await api.listenLan({ host: lan.host ?? null, port: lan.port, shop: state.shop });
    const { url } = state.running;
    log.info({ url, fingerprint: state.shop.fingerprint }, 'listening in the network of the shop');
  };
  const step = async () => {
    try {
      await look();
      failures = 0;
    } catch (error) {
      if (failures % SAY_AGAIN === 0)
        log.error(
          { port: lan.port, error: messageOf(error), mend: 'tillctl doctor' },
          'devices of the shop are not served as configured',
        );
      failures += 1;
    }
    if (!isStopped) state.timer = clock.timer('lan', state.running ? LOOK_MS : AGAIN_MS, () => void step());
  };
  deps.lifecycle.started('lan', () => {
    isStopped = true;
    state.timer?.stop();
  });
  void step();
}

/** Addresses of this machine that are not its loopback ones. */
export function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((some = []) =>
    some.filter(({ internal }) => !internal).map(({ address }) => address),
  );
}
