import { BlockList } from 'node:net';
import { z } from 'zod';

/** Where addresses of version 4 live in version 6, and the bits of its prefix: `::ffff:0:0/96`. */
const MAPPED = { network: '::ffff:0:0', bits: 96 } as const;

/** One IP address or a CIDR range, version 4 or 6. `::ffff:10.0.0.0/8` is refused: it looks like 10.0.0.0/8 and holds every address of version 4. */
export const AddressRange = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
  .refine(
    (range) => !isMapped(range) || Number(range.split('/')[1] ?? 128) >= MAPPED.bits,
    `must have a prefix of ${MAPPED.bits} or more behind ::ffff:`,
  );

/** Whether an address or the network of a range is one of version 4 in its version 6 form, however it is spelt. */
export function isMapped(range: string): boolean {
  const [network = ''] = range.split('/');
  if (!network.includes(':')) return false;
  const list = new BlockList();
  list.addSubnet(MAPPED.network, MAPPED.bits, 'ipv6');
  return list.check(network, 'ipv6');
}
