import { isUuid } from '../../base/ids.ts';
import { guardText } from '../../base/text-guard.ts';

/** So much of a text is looked at: the till waits meanwhile. */
const MOST_READ = 8_000;
const URL = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>]{1,2000}/gi;
const MAIL = /[^\s/<>"'(),;:@[\]]{1,64}(?:@|%40)[^\s/<>"'(),;:[\]]{1,255}/g;
/** A UUID, a long run of letters, digits, hyphens and underscores, or a shorter one without the latter. */
const RUN = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{8,}/gi;

/**
 * Words of this shop that leave it: card numbers, API keys, passwords, mail addresses and opaque ids of other systems are cut, and so is what is longer than a hub
 * takes. UUIDs stay: they are tilld's own, and the hub has those of payments in the journal.
 * @returns null where nothing is left
 */
export function maskedWords(words: string, most: number): string | null {
  const read = words.length > MOST_READ ? words.slice(0, MOST_READ).replace(/\S{1,2000}$/, '') : words;
  const masked = guardText(read.replaceAll('\u0000', '').toWellFormed())
    .replace(URL, (url) => url.replace(/\/\/[^/@]*@/, '//[cut]@').replace(/\?.*$/, '?[cut]'))
    .replace(MAIL, '[cut]')
    .replace(RUN, (run) => (isUuid(run) || !isOpaque(run) ? run : '[cut]'));
  const cut = masked.slice(0, most).toWellFormed();
  return cut === '' ? null : cut;
}

/** A part of it mixes letters and digits: `cus_NffrFeUfNV2Hib`, not `damaged-2026-11-27`. */
function isOpaque(run: string): boolean {
  return run.split(/[-_]/).some((part) => /[a-z]/i.test(part) && /\d/.test(part));
}
