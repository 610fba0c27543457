import { useReading } from '../parts/reading.js';

/** @import { OutboxReport } from '../app/contract.js' */

/**
 * The reports that the service does not have, oldest first: the refused ones, and the oldest of the others; at most 100 of each.
 * @param {number} everyMs
 * @returns {{ reports: readonly OutboxReport[] | null, hasMore: boolean, problem: string, again: () => void }} `reports` null: not read yet
 */
export function useOpenReports(everyMs) {
  const refused = useReading('/v2/outbox?limit=100&status=parked', everyMs);
  const open = useReading('/v2/outbox?limit=100', everyMs);
  const isRead = refused.document !== null && open.document !== null;
  return {
    reports: isRead ? merged(refused.document.data, open.document.data) : null,
    hasMore: refused.document?.has_more === true || open.document?.has_more === true,
    problem: refused.problem || open.problem,
    again: () => {
      refused.again();
      open.again();
    },
  };
}

/**
 * @param {readonly OutboxReport[]} refused
 * @param {readonly OutboxReport[]} open
 */
function merged(refused, open) {
  const all = new Map([...refused, ...open].map((report) => [report.id, report]));
  return [...all.values()].sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));
}
