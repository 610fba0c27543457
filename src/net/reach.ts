import ipaddr from 'ipaddr.js';

/** What IANA has given out of version 6; the rest (`::192.168.1.1`, `fec0::1`) is not of the internet. */
const ASSIGNED = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address may receive what tilld sends to places that others name: one of the internet, or one of the ranges.
 * @param ranges IP addresses and CIDR ranges, version 4 or 6
 */
export function reachOf(ranges: readonly string[]): (address: string) => boolean {
  const allowed = ranges.map((range) =>
    range.includes('/')
      ? ipaddr.parseCIDR(range)
      : ipaddr.parseCIDR(`${range}/${range.includes(':') ? 128 : 32}`),
  );
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    // A version 4 address in its version 6 form is that of version 4.
    const address = ipaddr.process(text);
    if (address.range() === 'unicast' && isAssigned(address)) return true;
    return allowed.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  };
}

function isAssigned(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address instanceof ipaddr.IPv4 || address.match(ASSIGNED);
}
