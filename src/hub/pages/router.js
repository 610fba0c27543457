/**
 * The address of a view: `#/shops/Berlin%201?…`.
 * @param {readonly string[]} parts
 * @param {URLSearchParams} [query]
 */
export function addressOf(parts, query = new URLSearchParams()) {
  const search = query.size === 0 ? '' : `?${query}`;
  return `#/${parts.map(encodeURIComponent).join('/')}${search}`;
}

/**
 * What an address names; nothing where it is none of ours.
 * @param {string} hash
 * @returns {{ readonly parts: readonly string[], readonly query: URLSearchParams }}
 */
export function viewAt(hash) {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  try {
    return {
      parts: path.split('/').filter(Boolean).map(decodeURIComponent),
      query: new URLSearchParams(search),
    };
  } catch {
    return { parts: [], query: new URLSearchParams() };
  }
}
