import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** True for `localhost` and every address that never leaves this machine. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  const plain = host.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv4(plain) && !isIPv6(plain)) return false;
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  loopback.addAddress('::1', 'ipv6');
  return loopback.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}
