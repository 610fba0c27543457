import { Server as TlsServer } from 'node:tls';
import type { ShopTls } from '../../certificates/shop-certificate.ts';
import type { Api } from '../api.ts';
import type { ApiContext } from '../context.ts';
import { createApi, type ServerLimits } from '../create-api.ts';
import type { LanAddress } from './lan-address.ts';
import { createTrustSite, plain } from './trust-site.ts';

export interface LanOptions {
  /** Address to listen on; null: every one of this machine. */
  readonly host: string | null;
  /** 0: any free port. */
  readonly port: number;
  readonly shop: ShopTls;
}

export interface RunningLan {
  /** `https://shop.local:8443` */
  readonly url: string;
  /** Serves another certificate to new connections, under its names. */
  renew(shop: ShopTls): void;
}

/**
 * Serves the local interface and its pages in the network of the shop, under the certificate of the shop's own authority, at `NAME.local` and
 * the addresses of the certificate; over plain HTTP the page by which a device comes to trust it.
 * @param opened is given the server that listens, to stop it
 * @throws what `listen` throws; nothing listens afterwards
 */
export async function listenLan(
  context: ApiContext,
  { host, port, shop: first }: LanOptions,
  limits: ServerLimits,
  opened: (api: Api) => void,
): Promise<RunningLan> {
  let shop = first;
  let url = '';
  const site = createTrustSite({
    shop: () => shop,
    address: () => url,
    files: context.deps.pages?.files ?? [],
    withinMs: limits.requestTimeoutMs,
  });
  const isHost = (name: string) =>
    name === shop.host || shop.addresses.some((address) => hostHeaderOf(address) === name);
  const api = createApi(context, { via: 'tcp', limits, tls: shop.server, lan: { isHost, plain: site } });
  try {
    await listenAt(api, host, port);
  } catch (error) {
    await api.close();
    throw error;
  }
  opened(api);
  const bound = api.server.address();
  url = `https://${shop.host}:${bound !== null && typeof bound === 'object' ? bound.port : port}`;
  const address = (): LanAddress => ({
    url,
    trustUrl: `${plain(url)}/trust`,
    fingerprint: shop.fingerprint,
  });
  context.listeningInLan(address());
  return {
    url,
    renew: (next) => {
      shop = next;
      if (api.server instanceof TlsServer) api.server.setSecureContext({ ...next.server });
      context.listeningInLan(address());
    },
  };
}

/** Without an address: at every one of both versions, or of version 4 where the machine has no other. */
async function listenAt(api: Api, host: string | null, port: number): Promise<void> {
  try {
    await api.listen({ host: host ?? '::', port });
  } catch (error) {
    const isWithout6 = error instanceof Error && 'code' in error && error.code === 'EAFNOSUPPORT';
    if (host !== null || !isWithout6) throw error;
    await api.listen({ host: '0.0.0.0', port });
  }
}

/** An address in a client's Host header. */
function hostHeaderOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
