import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** A larger network is searched around our own address alone. */
const WIDEST_PREFIX = 24;

/** Every IPv4 address of the private networks that this machine is in. */
export function neighbours(interfaces = networkInterfaces()): readonly string[] {
  const own = Object.values(interfaces).flatMap((list) => list ?? []);
  return [...new Set(own.flatMap(addressesAround))];
}

function addressesAround({ family, internal, address, cidr }: NetworkInterfaceInfo): readonly string[] {
  if (family !== 'IPv4' || internal || cidr === null) return [];
  const own = ipaddr.IPv4.parse(address);
  if (own.range() !== 'private') return [];
  const prefix = Math.max(ipaddr.IPv4.parseCIDR(cidr)[1], WIDEST_PREFIX);
  const first = ipaddr.IPv4.networkAddressFromCIDR(`${address}/${prefix}`).octets;
  const size = 2 ** (32 - prefix);
  const hosts = size > 2 ? { from: 1, to: size - 2 } : { from: 0, to: size - 1 };
  return Array.from({ length: hosts.to - hosts.from + 1 }, (_, at) =>
    [...first.slice(0, 3), (first[3] ?? 0) + hosts.from + at].join('.'),
  );
}
