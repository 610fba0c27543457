import type { DryRun } from '../../api/contract/sync.ts';
import { plain } from './plain.ts';

const SIGN = { create: '+', update: '~', remove: '-', park: '!', ignore: '.' } as const;
const LONGEST_BODY = 400;

/** What a run would write, line by line, and its cost. */
export function dryRunText(provider: string, run: DryRun): string {
  const lines = run.writes.map(({ op, id, request, body }) => {
    const where = request === null ? '' : `  ${request}`;
    return plain(`  ${SIGN[op]} ${op} ${id}${where}  ${short(body)}`).replaceAll('\n', ' ');
  });
  const warnings = run.warnings.map((warning) => plain(`  warning: ${warning}`));
  const left = run.writes_in_all - run.writes.length;
  return [
    plain(
      `${provider}/${run.resource}: ${run.read} rows read with ${run.source_requests} requests, ${run.unchanged} unchanged`,
    ),
    ...lines,
    ...(left > 0 ? [`  … and ${left} more`] : []),
    `  ${run.writes_in_all} writes with ${run.sink_requests} requests; nothing was written`,
    ...warnings,
    '',
  ].join('\n');
}

function short(body: unknown): string {
  if (body === null) return '';
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)}…` : text;
}
