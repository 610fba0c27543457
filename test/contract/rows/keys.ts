import { Breach, hold } from '../breach.ts';
import { meets } from '../expect.ts';
import { LIMITS } from '../interface.ts';
import type { Group, Row } from '../row.ts';
import type { Side } from '../sides/side.ts';

const SECTION = 'Authentication: 8';
const DEVICES = '/v2/terminal-devices?limit=1';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const { usualHours, mostHours } = LIMITS['Key roll overlap'];
const { days } = LIMITS['Stale key threshold'];

/** The life of a key: made and ended in a dashboard, seen at the door. */
export const keyGroups: readonly Group[] = [
  {
    name: 'the life of a key',
    rows: [
      row(
        'rolled',
        `a rolled key opens the door for ${usualHours} hours more, and then is expired_api_key`,
        async (side) => {
          await endsAfter(side, usualHours, undefined);
        },
      ),
      row('rolled-longest', `the overlap may be ${mostHours} hours`, async (side) => {
        await endsAfter(side, mostHours, mostHours);
      }),
      row('rolled-too-long', `and no longer than ${mostHours} hours`, async (side) => {
        const { id, key } = await side.dashboard.make();
        const refusal = await side.dashboard.roll(id, mostHours + 1).catch((error: unknown) => error);
        hold(
          refusal instanceof Breach && refusal.message.includes(' 400'),
          () => 'it is not refused with 400',
        );
        await opens(side, key);
      }),
      row('rolled-at-once', 'without an overlap the old key ends at once', async (side) => {
        const { id, key } = await side.dashboard.make();
        const rolled = await side.dashboard.roll(id, 0);
        await refused(side, key, 'expired_api_key');
        await opens(side, rolled.key);
      }),
      row(
        'revoked',
        'a revoked key ends at once and for good, with the one that it was rolled from',
        async (side) => {
          const { id, key } = await side.dashboard.make();
          const rolled = await side.dashboard.roll(id);
          await opens(side, key);
          await side.dashboard.revoke(id);
          await side.dashboard.revoke(rolled.id);
          await refused(side, rolled.key, 'api_key_revoked');
          await side.restart();
          await refused(side, rolled.key, 'api_key_revoked');
        },
        'code:401 api_key_revoked',
      ),
    ],
  },
  {
    name: 'stale keys',
    rows: [
      row(
        'stale',
        `a key that nobody has used for ${days} days is stale, and none before`,
        async (side) => {
          const { id, key } = await side.dashboard.make();
          await opens(side, key);
          side.jump(days * DAY_MS - HOUR_MS);
          hold(!(await side.dashboard.stale()).includes(id), () => `it is stale before ${days} days`);
          side.jump(2 * HOUR_MS);
          hold((await side.dashboard.stale()).includes(id), () => `after ${days} days it is not stale`);
          // A use is noted once a minute.
          await side.pass(61_000);
          await opens(side, key);
          hold(!(await side.dashboard.stale()).includes(id), () => 'it was used just now, and is stale');
        },
        'limit:Stale key threshold',
      ),
    ],
  },
];

function row(id: string, what: string, run: Row['run'], covered = 'limit:Key roll overlap'): Row {
  return { id: `key/${id}`, section: SECTION, what, covers: [covered], run };
}

async function endsAfter(side: Side, hours: number, overlap: number | undefined): Promise<void> {
  const { id, key } = await side.dashboard.make();
  await opens(side, key);
  const rolled = await side.dashboard.roll(id, overlap);
  hold(rolled.key !== key, () => 'the new secret is the old one');
  side.jump(hours * HOUR_MS - 60_000);
  await opens(side, key);
  await opens(side, rolled.key);
  side.jump(120_000);
  await refused(side, key, 'expired_api_key');
  await opens(side, rolled.key);
}

async function opens(side: Side, key: string): Promise<void> {
  meets(await side.send({ path: DEVICES, headers: { 'x-api-key': key } }), { status: 200 });
}

async function refused(side: Side, key: string, code: string): Promise<void> {
  const answer = await side.send({ path: DEVICES, headers: { 'x-api-key': key } });
  meets(answer, { status: 401, error: { type: 'authentication_error', code } });
}
