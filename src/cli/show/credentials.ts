import type { ResourceTest, StoredCredentials } from '../../api/contract/sync.ts';
import { plain } from './plain.ts';
import { facts, table } from './table.ts';

const HEADINGS = ['resource', 'readable', 'first page', 'why not'];

/** What is stored of a credential; never the key. */
export function credentialText(stored: StoredCredentials): string {
  const { provider, key_stored: hasKey, missing } = stored;
  return facts([
    ['provider', provider],
    ['key', hasKey ? 'stored, and never shown' : 'not stored'],
    ['address', stored.base_url],
    ['our name', stored.app_name],
    ['our mail', stored.app_email],
    ['missing', missing.length === 0 ? null : missing.join(', ')],
  ]);
}

/** A stored address outlives the recipe that it was given for. */
export function addressText(address: string): string {
  return `Its key goes to ${plain(address)}, the stored address; --base-url ADDRESS beside --api-key-file FILE stores another\n`;
}

/** @param renewal the command that replaces what is stored */
export function unreadableText(renewal: string): string {
  return `What is stored cannot be opened with the sealing key of this machine. Next: ${renewal}\n`;
}

/** Whether each resource can be read, a line each. */
export function resourceTestTable(tests: readonly ResourceTest[]): string {
  const rows = tests.map(({ resource, readable, received, bad, has_more: hasMore, error }) => [
    resource,
    readable ? 'yes' : 'NO',
    readable ? `${received}${hasMore ? '+' : ''}${bad > 0 ? `, ${bad} unreadable` : ''}` : '-',
    error ?? '',
  ]);
  return tests.length === 0 ? '' : table(HEADINGS, rows);
}
