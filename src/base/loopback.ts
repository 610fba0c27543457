/** True for `localhost` and every loopback address, also for IPv6 in brackets and IPv4 mapped to IPv6. */
export function isLoopback(host: string): boolean {
  const bare = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^::ffff:(?=\d)/, '');
  return bare === 'localhost' || bare === '::1' || isLoopbackV4(bare);
}

function isLoopbackV4(text: string): boolean {
  const parts = text.split('.');
  return (
    parts.length === 4 &&
    parts[0] === '127' &&
    parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)
  );
}
