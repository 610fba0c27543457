import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { isMapped } from '../contract/address-range.ts';

/**
 * Whether a key may be used from an address.
 * @param allow IP addresses and CIDR ranges, version 4 or 6; empty: any
 * @param address of the peer; one of version 4 may stand in its version 6 form (`::ffff:10.0.0.1`), and a zone is passed over
 */
export function addressAllowed(allow: readonly string[], address: string): boolean {
  if (allow.length === 0) return true;
  const plain = address.replace(/%.*$/, '');
  if (isIPv4(plain)) return listOf(allow.filter(isOfVersion4)).check(plain, 'ipv4');
  if (!isIPv6(plain)) return false;
  return listOf(isMapped(plain) ? allow.filter(isOfVersion4) : allow).check(plain, 'ipv6');
}

/** `::/8` is meant for version 6 and happens to contain every IPv4 address in its mapped form: it does not match them. */
function isOfVersion4(range: string): boolean {
  return !range.includes(':') || isMapped(range);
}

function listOf(allow: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of allow) {
    const [network = '', bits] = range.split('/');
    const family = isIPv4(network) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  return list;
}
