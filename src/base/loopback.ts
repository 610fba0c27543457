/** True for `localhost` and every address that never leaves this machine, IPv6 in brackets or mapped to IPv4 too. */
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
