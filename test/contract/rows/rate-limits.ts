import { hold } from '../breach.ts';
import { PLANS, type Plan, RATE_HEADERS } from '../interface.ts';
import { ask, askAs, type Group, type Row } from '../row.ts';
import type { Side } from '../sides/side.ts';
import { PAYMENTS, saleOf } from './sales.ts';

const SECTION = 'Limits: Rate limits';
const DEVICES = '/v2/terminal-devices?limit=1';
const [LIMIT, REMAINING, RESET] = RATE_HEADERS.map((name) => name.toLowerCase());
const covers = [
  'code:429 rate_limit_exceeded',
  'status:429',
  'type:rate_limit_error',
  'header:Retry-After',
  ...RATE_HEADERS.map((name) => `header:${name}`),
];

/** Each plan of the table, on a side of its own. The side's clock stands still while requests are made. */
export const rateGroups: readonly Group[] = Object.entries(PLANS).map(([name, numbers]) => {
  const plan = planOf(name);
  return {
    name: `rate limits: plan ${plan}`,
    setting: { plan },
    rows: [
      budgetRow(plan, numbers),
      afterRow(plan, numbers),
      alikeRow(plan, numbers),
      nothingDoneRow(plan, numbers),
    ],
  };
});

type Numbers = (typeof PLANS)[Plan];

function planOf(name: string): Plan {
  if (name === 'starter' || name === 'growth' || name === 'enterprise') return name;
  throw new Error(`no plan ${name}`);
}

function budgetRow(plan: Plan, { perMinute, burst }: Numbers): Row {
  return row(
    plan,
    'budget',
    `${burst} requests at once, counted down under a limit of ${perMinute}; the next one is 429`,
    async (side) => {
      for (let left = burst - 1; left >= 0; left -= 1) {
        const { headers } = await askAs(side, 'second', { path: DEVICES }, { status: 200 });
        hold(
          headers[LIMIT ?? ''] === String(perMinute),
          () => `X-RateLimit-Limit is ${headers[LIMIT ?? '']}`,
        );
        hold(
          headers[REMAINING ?? ''] === String(left),
          () => `X-RateLimit-Remaining is ${headers[REMAINING ?? '']}, not ${left}`,
        );
        const fullIn = ((burst - left) * 60) / perMinute;
        const full = Math.ceil(side.now() / 1000 + fullIn);
        hold(
          headers[RESET ?? ''] === String(full),
          () => `X-RateLimit-Reset is ${headers[RESET ?? '']}, and it is full again at ${full}`,
        );
      }
      const wait = await limited(side, 'second');
      hold(wait === Math.max(1, Math.ceil(60 / perMinute)), () => `Retry-After is ${wait}`);
    },
  );
}

function afterRow(plan: Plan, { burst }: Numbers): Row {
  return row(plan, 'after', 'after the seconds of Retry-After the key is served again', async (side) => {
    for (let count = 0; count < burst; count += 1)
      await askAs(side, 'third', { path: DEVICES }, { status: 200 });
    await side.pass(1000 * (await limited(side, 'third')));
    await askAs(side, 'third', { path: DEVICES }, { status: 200 });
  });
}

function alikeRow(plan: Plan, { burst }: Numbers): Row {
  return row(plan, 'per-key', 'the limit is of one key: another one is served meanwhile', async (side) => {
    for (let count = 0; count < burst; count += 1)
      await askAs(side, 'here', { path: DEVICES }, { status: 200 });
    await limited(side, 'here');
    await ask(side, { path: DEVICES }, { status: 200 });
  });
}

function nothingDoneRow(plan: Plan, { burst }: Numbers): Row {
  return row(plan, 'nothing-done', 'a request over the limit does nothing', async (side) => {
    const key = 'only payments:write';
    const error = {
      type: 'invalid_request_error',
      code: 'missing_required_field',
      param: 'device_id',
    } as const;
    for (let count = 0; count < burst; count += 1)
      await askAs(side, key, { method: 'POST', path: PAYMENTS, body: {} }, { status: 400, error });
    const device_id = side.freshDevice();
    await askAs(
      side,
      key,
      { method: 'POST', path: PAYMENTS, body: saleOf(side, { device_id }) },
      { status: 429 },
    );
    const { text } = await ask(side, { path: `${PAYMENTS}?limit=100` }, { status: 200 });
    hold(!text.includes(device_id), () => 'the refused sale is in the list');
  });
}

/** A 429 in all its parts; gives the seconds to wait. */
async function limited(side: Side, key: string): Promise<number> {
  const answer = await askAs(
    side,
    key,
    { path: DEVICES },
    { status: 429, error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' } },
  );
  const wait = Number(answer.headers['retry-after']);
  hold(Number.isInteger(wait) && wait >= 1, () => `Retry-After is ${answer.headers['retry-after']}`);
  hold(
    answer.text.includes(`"details":{"retry_after":${wait}}`),
    () => `details.retry_after is not ${wait}: ${answer.text}`,
  );
  for (const name of RATE_HEADERS)
    hold(name.toLowerCase() in answer.headers, () => `${name} is missing in the 429`);
  hold(answer.headers[REMAINING ?? ''] === '0', () => 'X-RateLimit-Remaining of a 429 is not 0');
  return wait;
}

function row(plan: Plan, id: string, what: string, run: Row['run']): Row {
  return { id: `rate/${plan}-${id}`, section: SECTION, what, covers: [...covers, `plan:${plan}`], run };
}
