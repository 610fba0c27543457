import { useConsole } from '../app/console.js';
import { useReading } from '../parts/reading.js';

/** @import { Api } from '../app/api.js' */
/** @import { OutboxCause, OutboxReport } from '../app/contract.js' */

const PAGE = 100;
/** Together with the polls of the page fewer requests than may come at once. */
const MOST_REFUSED_PAGES = 20;
const MOST_WAITING_PAGES = 10;

/**
 * Open reports as far as they were read.
 * @typedef {object} OpenReports
 * @property {readonly OutboxReport[]} reports oldest first
 * @property {boolean} isCut whether there are more of them
 * @property {number} pages how many pages of 100 were read
 * @property {readonly OutboxCause[]} causes why reports were refused, those that were not read, too; empty: all of them were read
 */

/**
 * The reports that the service does not have, oldest first: at most 2,000 refused ones, 1,000 that wait while one is refused, else 100, and 100 that are
 * kept back. However many there are, the daemon is asked for one page per status in `everyMs` on average: after a long list the next look is later.
 * @param {number} everyMs
 * @returns {{ reports: readonly OutboxReport[] | null, more: number, causes: readonly OutboxCause[], problem: string, again: () => void }} `reports` null: not read yet;
 * `more`: how many others there are; `causes`: of all refused ones, where some were not read
 */
export function useOpenReports(everyMs) {
  const { api, shop } = useConsole();
  const read = useReading(
    '/v2/outbox',
    ({ pages = 1 } = {}) => everyMs * Math.ceil(pages / 3),
    (path) => readOpenReports(api, path),
  );
  /** @type {OpenReports | null} */
  const found = read.document;
  const outbox = shop.status.value?.outbox;
  const more = found?.isCut && outbox ? outbox.pending + outbox.parked - found.reports.length : 0;
  return {
    reports: found?.reports ?? null,
    more: Math.max(0, more),
    causes: found?.causes ?? [],
    problem: read.problem,
    again: read.again,
  };
}

/**
 * @param {Pick<Api, 'get'>} api
 * @param {string} path of the outbox
 * @returns {Promise<OpenReports>}
 */
export async function readOpenReports(api, path) {
  const refused = await readPages(api, `${path}?limit=${PAGE}&status=parked`, MOST_REFUSED_PAGES);
  const most = refused.reports.length === 0 ? 1 : MOST_WAITING_PAGES;
  const pending = await readPages(api, `${path}?limit=${PAGE}&status=pending`, most);
  const held = await readPages(api, `${path}?limit=${PAGE}&status=held`, 1);
  const lists = [refused, pending, held];
  const causes = refused.isCut ? (await api.get(`${path}/causes`)).data : [];
  const all = new Map(lists.flatMap(({ reports }) => reports.map((report) => [report.id, report])));
  return {
    reports: [...all.values()].sort(
      (one, other) => Date.parse(one.created_at) - Date.parse(other.created_at),
    ),
    isCut: lists.some(({ isCut }) => isCut),
    pages: lists.reduce((sum, { pages }) => sum + pages, 0),
    causes,
  };
}

/**
 * @param {Pick<Api, 'get'>} api
 * @param {string} path with a query
 * @param {number} most pages
 * @returns {Promise<Omit<OpenReports, 'causes'>>}
 */
async function readPages(api, path, most) {
  /** @type {OutboxReport[]} */
  const reports = [];
  for (let pages = 1; ; pages += 1) {
    const last = reports.at(-1);
    const page = await api.get(last === undefined ? path : `${path}&starting_after=${last.id}`);
    reports.push(...page.data);
    if (!page.has_more || pages === most) return { reports, isCut: page.has_more, pages };
  }
}
