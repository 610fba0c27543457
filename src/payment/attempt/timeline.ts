import type { TimelineEntry } from '../payments.ts';
import type { JournalEntry, ReportState } from '../ports.ts';
import type { Attempt } from './attempt.ts';

/**
 * The timeline of one attempt, in the order of events: its states and why, the masked frames, the evidence, the reports.
 * @param gap the part of the journal that cannot be read, in words
 */
export function timelineOf(
  attempt: Attempt,
  journal: readonly JournalEntry[],
  reports: readonly ReportState[],
  gap: string | null,
): readonly TimelineEntry[] {
  const lines = [
    ...gapLine(attempt, gap),
    ...journal.flatMap(linesOf),
    ...baselineLine(attempt),
    ...unaskedLine(attempt),
    ...reports.map(reportLine),
  ];
  return lines
    .map((line, index) => ({ line, index }))
    .sort(byTime)
    .map(({ line }) => line);
}

function byTime(
  a: { line: TimelineEntry; index: number },
  b: { line: TimelineEntry; index: number },
): number {
  return a.line.at - b.line.at || a.index - b.index;
}

function linesOf(entry: JournalEntry): readonly TimelineEntry[] {
  const { frames, rule, ...details } = entry.details;
  const text = entry.from === entry.to ? entry.event : `${entry.from} → ${entry.to} (${entry.event})`;
  const lines: TimelineEntry[] = framesOf(frames);
  if (typeof rule === 'string') lines.push({ at: entry.at, kind: 'decision', text: rule, details });
  lines.push({ at: entry.at, kind: 'state', text, details: typeof rule === 'string' ? {} : details });
  return lines;
}

function framesOf(frames: unknown): TimelineEntry[] {
  if (!Array.isArray(frames)) return [];
  return frames.flatMap((frame: unknown) => {
    if (typeof frame !== 'object' || frame === null) return [];
    if (!('at' in frame && 'direction' in frame && 'summary' in frame) || typeof frame.at !== 'number')
      return [];
    const arrow = frame.direction === 'sent' ? '→' : '←';
    return [
      {
        at: frame.at,
        kind: 'frame',
        text: `${arrow} ${String(frame.summary)}`,
        details: {},
      } satisfies TimelineEntry,
    ];
  });
}

function gapLine({ createdAt: at }: Attempt, gap: string | null): readonly TimelineEntry[] {
  return gap === null ? [] : [{ at, kind: 'decision', text: gap, details: {} }];
}

function baselineLine(attempt: Attempt): readonly TimelineEntry[] {
  if (!attempt.baseline || attempt.dispatchedAt === null) return [];
  const { last, terminal } = attempt.baseline;
  return [
    {
      at: attempt.dispatchedAt,
      kind: 'evidence',
      text: "the terminal's last transaction before this one",
      details: { last, terminal },
    },
  ];
}

/** Why a sale is listed until the service has confirmed its invoice. */
function unaskedLine({ baseline, dispatchedAt }: Attempt): readonly TimelineEntry[] {
  if (!baseline?.invoiceUnasked || dispatchedAt === null) return [];
  return [{ at: dispatchedAt, kind: 'decision', text: UNASKED, details: {} }];
}

const UNASKED =
  'the service could not be asked who else had paid the invoice, and nothing stood of it here: sent, and asked afterwards';

function reportLine(report: ReportState): TimelineEntry {
  const { kind, state, tries, lastError } = report;
  return {
    at: report.doneAt ?? report.createdAt,
    kind: 'report',
    text: `${kind} ${state === 'done' ? 'taken by the service' : state}`,
    details: { tries, last_error: lastError },
  };
}
