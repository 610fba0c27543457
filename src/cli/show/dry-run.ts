import type { DryRun } from '../../api/contract/sync.ts';
import { counted } from '../../base/counted.ts';
import { masked, maskedWords } from '../../sentences/masked.js';
import { plain } from './plain.ts';

const SIGN = { create: '+', update: '~', remove: '-', park: '!', ignore: '.' } as const;
const OPS = ['create', 'update', 'remove', 'park', 'ignore'] as const;
const LONGEST_BODY = 400;

export interface DryRunView {
  /** Each record, too. */
  readonly records: boolean;
  /** Imported invoices stay drafts at the service, which no till can charge. */
  readonly staysDraft: boolean;
}

/** What a run would write, and its cost: a summary, and the records where they are wanted. */
export function dryRunText(provider: string, run: DryRun, view: DryRunView): string {
  const rows = `${counted(run.read, 'row', 'rows')} read with ${counted(run.source_requests, 'request', 'requests')}, ${run.unchanged} unchanged`;
  const lines = [
    `${provider}/${run.resource}: ${rows}`,
    ...OPS.flatMap((op) => summaryOf(op, run, view)),
    ...(view.records ? recordsOf(run) : []),
    `  ${counted(run.writes_in_all, 'write', 'writes')} with ${counted(run.sink_requests, 'request', 'requests')}; nothing was written`,
    ...run.warnings.map((warning) => `  warning: ${warning}`),
  ];
  return lines.map((line) => `${plain(line).replaceAll('\n', ' ')}\n`).join('');
}

/** The run with its personal data masked; its shape is the same. */
export function maskedRun(run: DryRun): DryRun {
  const writes = run.writes.map(({ op, id, request, body }) => ({
    op,
    id: maskedWords(id),
    request: request && maskedWords(request),
    body: bodyOf(run.resource, op, body),
  }));
  const reasons = run.reasons.map((one) => ({ ...one, reason: maskedWords(one.reason) }));
  return { ...run, writes, reasons, warnings: run.warnings.map(maskedWords) };
}

/** The body of what is not written is the reason, in our words. */
function bodyOf(
  resource: string,
  op: DryRun['writes'][number]['op'],
  body: unknown,
): DryRun['writes'][number]['body'] {
  const isReason = (op === 'park' || op === 'ignore') && typeof body === 'string';
  return (isReason ? maskedWords(body) : masked(resource, body)) as DryRun['writes'][number]['body'];
}

function summaryOf(op: (typeof OPS)[number], run: DryRun, { staysDraft }: DryRunView): readonly string[] {
  const count = run.counts[op];
  if (count === 0) return [];
  const isSent = run.writes.some((write) => write.op === op && write.request !== null);
  const asDrafts =
    op === 'create' && run.resource === 'invoices' && staysDraft && isSent
      ? ', as drafts at the service, which no till can charge (auto-send is off)'
      : '';
  const reasons = run.reasons.filter((one) => one.op === op);
  return [
    `  ${SIGN[op]} ${count} ${op}${asDrafts}`,
    ...reasons.map(({ reason, records }) => `      ${records} × ${reason}`),
  ];
}

function recordsOf(run: DryRun): readonly string[] {
  const left = run.writes_in_all - run.writes.length;
  return [
    ...run.writes.map(({ op, id, request, body }) => {
      const where = request === null ? '' : `  ${request}`;
      return `  ${SIGN[op]} ${op} ${id}${where}  ${short(body)}`;
    }),
    ...(left > 0 ? [`  … and ${left} more`] : []),
  ];
}

function short(body: unknown): string {
  if (body === null) return '';
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)}…` : text;
}
