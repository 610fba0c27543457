import type { RecipeTrial } from '../../api/contract/sync.ts';
import { counted } from '../../base/counted.ts';
import { moment } from './moment.ts';
import { plain } from './plain.ts';

const LONGEST = 600;
const STAYS_HERE =
  'These records stay on this machine ("sink": "mirror", or no billing service is configured): whether the service would take them is not checked.';
type Tried = RecipeTrial['records'][number];

/** Each record as it came, as it is mapped, and as it would be written, with what is probably not meant. */
export function recipeTrialText(trial: RecipeTrial): string {
  const { provider, resource, request, received, has_more: hasMore, records, warnings } = trial;
  const count = `${counted(received, 'record', 'records')} came${hasMore ? ', a further page may follow' : ''}`;
  const lines = [
    `${request}`,
    `${provider}/${resource}: ${count}; ${records.length} shown, nothing was stored`,
    ...records.flatMap((record, index) => ['', ...recordLines(record, index + 1)]),
    ...(records.some(({ op, request: sent }) => op === 'write' && sent === null) ? ['', STAYS_HERE] : []),
    ...(warnings.length === 0 ? [] : ['', ...warnings.map((words) => `! ${words}`)]),
  ];
  return `${lines.map((line) => plain(line).replaceAll('\n', ' ')).join('\n')}\n`;
}

function recordLines({ raw, mapped, problem, op, request, written, warnings }: Tried, no: number): string[] {
  const changed = mapped?.updated_at ? `, changed ${moment(mapped.updated_at)}` : '';
  const deleted = mapped?.deleted ? ', deleted' : '';
  return [
    `${no}. raw     ${short(raw)}`,
    `   mapped  ${mapped === null ? `not at all: ${problem ?? ''}` : `id ${mapped.id}${changed}${deleted}  ${short(mapped.fields)}`}`,
    `   ${op.padEnd(7)} ${request === null ? '' : `${request}  `}${short(written)}`.trimEnd(),
    ...warnings.map((words) => `   ! ${words}`),
  ];
}

function short(value: unknown): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
