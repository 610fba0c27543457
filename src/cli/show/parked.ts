import type { ParkedCause, ParkedRecord } from '../../api/contract/sync.ts';
import { counted } from '../../base/counted.ts';
import { moment } from './moment.ts';
import { facts } from './table.ts';

export function parkedText(record: ParkedRecord): string {
  return facts([
    ['record', record.record_id ?? record.id],
    ['of', `${record.provider}/${record.resource}`],
    ['cause', record.cause],
    ['because', `${record.reason} (${record.why})`],
    ['needs', record.needs && `a mapping of ${record.needs}: tillctl mappings ${record.provider}`],
    ['since', record.parked_at],
    [
      'tried',
      `${counted(record.tries, 'time', 'times')}${record.next_try_at === null ? '' : `, again ${moment(record.next_try_at)}`}`,
    ],
    ['excerpt', record.excerpt === '' ? null : record.excerpt.slice(0, 200)],
  ]);
}

/** What some records wait for, and what ends their wait. */
export function causeText(cause: ParkedCause): string {
  const { provider, records, examples, needs, id } = cause;
  const shown = examples.length < records ? `${examples.join(', ')}, …` : examples.join(', ');
  return facts([
    ['cause', id],
    ['records', `${records} of ${cause.resources.map((name) => `${provider}/${name}`).join(', ')}: ${shown}`],
    ['because', `${cause.reason} (${cause.why})`],
    ['since', cause.since],
    ['again', cause.next_try_at ?? (needs === null ? 'when it changes at the provider' : null)],
    ['to do', doneBy(cause)],
    ['all of it', `tillctl parked ${provider} --cause ${quoted(id)}`],
  ]);
}

function doneBy({ provider, needs, why, id }: ParkedCause): string {
  if (needs !== null) return `map or ignore the package ${needs}: tillctl mappings ${provider} show`;
  const retried = `tillctl retry-parked ${provider} --cause ${quoted(id)}`;
  if (why === 'rejected') return `correct at the provider what the service refuses, then: ${retried}`;
  return `correct the recipe, or the records at the provider, then: ${retried}`;
}

/** As one word of a shell. */
function quoted(text: string): string {
  return /^[\w:.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
