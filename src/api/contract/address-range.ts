import { BlockList } from 'node:net';
import { z } from 'zod';

/** The IPv6 block that contains the IPv4-mapped addresses, and the length of its prefix: `::ffff:0:0/96`. */
const MAPPED = { network: '::ffff:0:0', bits: 96 } as const;

/** One IP address or a CIDR range, version 4 or 6. `::ffff:10.0.0.0/8` is rejected: it looks like 10.0.0.0/8 and contains every IPv4 address. */
export const AddressRange = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
  .refine(
    (range) => !isMapped(range) || Number(range.split('/')[1] ?? 128) >= MAPPED.bits,
    `must have a prefix of ${MAPPED.bits} or more behind ::ffff:`,
  );

/** Whether an address or the network of a range is IPv4-mapped (version 4 in its version 6 form), in any spelling. */
export function isMapped(range: string): boolean {
  const [network = ''] = range.split('/');
  if (!network.includes(':')) return false;
  const list = new BlockList();
  list.addSubnet(MAPPED.network, MAPPED.bits, 'ipv6');
  return list.check(network, 'ipv6');
}
