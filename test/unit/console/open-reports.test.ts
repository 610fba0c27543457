import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/console/app/api.js';
import { readOpenReports } from '../../../src/console/repairs/open-reports.js';
import { refusedByCause, retryAll } from '../../../src/console/repairs/refused-reports.js';

const aReport = (no: number, status: string, error: string | null) => ({
  id: `${status}-${no}`,
  status,
  kind: 'create',
  payment_id: `p${no}`,
  parent_id: null,
  amount_minor: 100,
  currency: 'EUR',
  last_error: error,
  created_at: new Date(1_000_000 + no * 1_000).toISOString(),
});

/** As the daemon groups them. */
const CAUSES = [{ id: 'not_at_service: 404', reports: 4_850 }];

/** The outbox of an API that gives 100 reports at most in one answer. */
function anApi(reports: readonly ReturnType<typeof aReport>[]) {
  const asked: string[] = [];
  const get = async (path: string) => {
    asked.push(path);
    if (path.endsWith('/causes')) return { data: CAUSES, has_more: false };
    const query = new URL(path, 'http://till').searchParams;
    const all = reports.filter(({ status }) => status === query.get('status'));
    const from = all.findIndex(({ id }) => id === query.get('starting_after')) + 1;
    return { data: all.slice(from, from + 100), has_more: all.length > from + 100 };
  };
  return { asked, get };
}

const refused = (count: number) =>
  Array.from({ length: count }, (_, no) =>
    aReport(
      no,
      'parked',
      no < 150 ? `${no % 2 ? 'plain_body: ' : ''}refused: 402 no plan` : 'not_at_service: 404 gone',
    ),
  );

describe('the open reports', () => {
  it('are read as far as they go: a cause that only later ones have is found, with its number', async () => {
    const api = anApi([...refused(250), aReport(0, 'held', null), aReport(3, 'pending', null)]);
    const { reports, isCut, pages, causes } = await readOpenReports(api, '/v2/outbox');
    expect(reports).toHaveLength(252);
    expect({ isCut, pages, causes }).toEqual({ isCut: false, pages: 5, causes: [] });
    expect(refusedByCause(reports).map(({ kind, reports: { length } }) => [kind, length])).toEqual([
      ['refused', 150],
      ['not_at_service', 100],
    ]);
  });

  it('what waits behind refused ones is counted behind the first hundred, too', async () => {
    const waiting = Array.from({ length: 250 }, (_, no) => aReport(no, 'pending', null));
    const { reports } = await readOpenReports(anApi([...refused(250), ...waiting]), '/v2/outbox');
    expect(refusedByCause(reports).map(({ waiting: behind }) => behind)).toEqual([150, 100]);
  });

  it('are read up to a limit; the causes of all are asked for then, those behind the limit, too', async () => {
    const api = anApi(refused(5_000));
    const { reports, isCut, pages, causes } = await readOpenReports(api, '/v2/outbox');
    expect({ read: reports.length, isCut, pages }).toEqual({ read: 2_000, isCut: true, pages: 22 });
    expect(causes).toEqual(CAUSES);
    expect(api.asked.length).toBe(23);
  });

  it('a month offline is one page while nothing is refused', async () => {
    const waiting = Array.from({ length: 5_000 }, (_, no) => aReport(no, 'pending', null));
    expect(await readOpenReports(anApi(waiting), '/v2/outbox')).toMatchObject({ isCut: true, pages: 3 });
  });
});

it('all reports of a cause are tried again, also where the daemon has had too many requests', async () => {
  const retried: string[] = [];
  let left = 50;
  const post = async (path: string) => {
    if (left === 0) throw new ApiError(429, 'rate_limited', 'too many');
    left -= 1;
    retried.push(path);
  };
  const wait = async () => {
    left += 10;
  };
  await retryAll({ post } as never, refused(120) as never, wait);
  expect(new Set(retried).size).toBe(120);
});
