import type { z } from 'zod';
import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { ask, type Group, type Row } from '../row.ts';
import { DayReport, dataOf } from '../shapes.ts';
import type { Side } from '../sides/side.ts';
import { ended } from './sales.ts';

const REPORT = '/v2/reports/day';
/** tilld's own: the interface has the payments alone. */
const ELSEWHERE = {
  sandbox: 'The interface shows no report: “GET | /terminal-payments | list”',
} as const;

/** What a day has taken. */
export const dayReportGroup: Group = {
  name: 'the report of a day',
  rows: [
    reportRow('sums', 'the report of today counts what succeeded, and nothing else', async (side) => {
      const before = await salesOf(side, 'today');
      const { amount_minor } = await ended(side, 'succeeded');
      await ended(side, 'declined');
      const after = await salesOf(side, 'today');
      hold(
        after.count === before.count + 1 && after.amount_minor === before.amount_minor + amount_minor,
        () => `after a sale of ${amount_minor}: ${JSON.stringify(before)}, then ${JSON.stringify(after)}`,
      );
      const yesterday = await salesOf(side, 'yesterday');
      hold(yesterday.count === 0, () => `yesterday has ${yesterday.count} sales`);
    }),
    reportRow('parts', 'terminals, schemes and hours of a day each add up to its total', async (side) => {
      await ended(side, 'succeeded');
      for (const { total, terminals, schemes, hours } of (await reportOf(side, 'today')).currencies)
        for (const parts of [terminals, schemes, hours]) {
          const sum = parts.reduce((all, { net_minor: net }) => all + net, 0);
          hold(sum === total.net_minor, () => `the parts are ${sum}, the total is ${total.net_minor}`);
        }
    }),
    reportRow('wrong-day', 'a day that does not exist is 400 and names day', async (side) => {
      const error = { type: 'invalid_request_error', code: 'validation_error', param: 'day' } as const;
      for (const day of ['2026-02-30', '25.11.2026', 'tomorrow', ''])
        await ask(side, { path: `${REPORT}?day=${day}` }, { status: 400, error });
    }),
  ],
};

function reportRow(id: string, what: string, run: Row['run']): Row {
  return {
    id: `day-report/${id}`,
    section: 'Endpoints: Terminal',
    what,
    covers: ['operation:GET /v2/terminal-payments'],
    exempt: ELSEWHERE,
    run,
  };
}

async function reportOf(side: Side, day: string): Promise<z.output<typeof DayReport>> {
  const body = dataOf(DayReport);
  const { json } = await ask(side, { path: `${REPORT}?day=${day}` }, { status: 200, body });
  return shapeOf('the report', body, json).data;
}

async function salesOf(side: Side, day: string) {
  const { currencies } = await reportOf(side, day);
  return currencies.find(({ currency }) => currency === 'EUR')?.total.sales ?? { count: 0, amount_minor: 0 };
}
