import { BlockList, isIP, isIPv4 } from 'node:net';

/** Addresses of local networks (RFC 1918, RFC 3927, RFC 4193): the network, and the length of its prefix. */
const PRIVATE = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['fc00::', 7],
] as const;

/** Whether the authority may certify an address. */
export function certifiable(address: string): boolean {
  if (isIP(address) === 0) return false;
  const list = new BlockList();
  for (const [network, bits] of PRIVATE) list.addSubnet(network, bits, isIPv4(network) ? 'ipv4' : 'ipv6');
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

const SEQUENCE = 0x30;
const PERMITTED = 0xa0;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

/**
 * The bytes of the extension `nameConstraints` (RFC 5280, 4.2.1.10): one host name and the private networks.
 *
 *     SEQUENCE { [0] permittedSubtrees { SEQUENCE { [2] "shop.local" }, SEQUENCE { [7] network, mask }, … } }
 */
export function nameConstraints(host: string): Buffer<ArrayBuffer> {
  const names = [element(DNS_NAME, Buffer.from(host, 'ascii'))];
  const networks = PRIVATE.map(([network, bits]) =>
    element(IP_ADDRESS, Buffer.concat([bytesOf(network), maskOf(isIPv4(network) ? 4 : 16, bits)])),
  );
  const trees = [...names, ...networks].map((name) => element(SEQUENCE, name));
  return element(SEQUENCE, element(PERMITTED, Buffer.concat(trees)));
}

/** Tag, length, content; the length in one byte, or behind 0x81 in the next. */
function element(tag: number, content: Buffer): Buffer<ArrayBuffer> {
  const { length } = content;
  return Buffer.concat([Buffer.from(length < 0x80 ? [tag, length] : [tag, 0x81, length]), content]);
}

/** Of IPv6 only `XXXX::` stands in the table. */
function bytesOf(network: string): Buffer {
  if (isIPv4(network)) return Buffer.from(network.split('.').map(Number));
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16BE(Number.parseInt(network, 16));
  return bytes;
}

function maskOf(length: number, bits: number): Buffer {
  return Buffer.from(
    Array.from({ length }, (_, index) => 256 - 2 ** (8 - Math.min(8, Math.max(0, bits - index * 8)))),
  );
}
