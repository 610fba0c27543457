import { BlockList, isIP, isIPv4 } from 'node:net';

/** True for an IP address or a CIDR range: `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** True when the list is empty or holds this address; an unknown address is in no list. */
export function isAllowedFrom(allow: readonly string[], address: string | undefined): boolean {
  if (allow.length === 0) return true;
  if (address === undefined || isIP(address) === 0) return false;
  const list = new BlockList();
  for (const entry of allow.filter(isAddressOrRange)) add(list, entry);
  return list.check(address, familyOf(address));
}

function add(list: BlockList, entry: string): void {
  const [address = '', bits] = entry.split('/');
  if (bits === undefined) list.addAddress(address, familyOf(address));
  else list.addSubnet(address, Number(bits), familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}
