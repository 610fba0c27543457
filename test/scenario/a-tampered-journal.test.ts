import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon } from '../support/daemon.ts';
import { tillctl } from '../support/till.ts';

describe('a journal that somebody changed while the daemon was off', () => {
  it('is named with its row at the next start, and the shop sells on', async () => {
    const world = await aWorld({ autopilotMs: 50 });
    const daemon = await Daemon.start(world);
    await tillctl(daemon, 'pay', '--device', DEVICE_ID, '--amount', '1.00');
    await daemon.stop();
    const forger = new Sqlite(daemon.database);
    forger.exec('DROP TRIGGER journal_is_not_changed; UPDATE journal SET at = at + 1 WHERE seq = 2');
    forger.close();
    const again = await Daemon.start(world);
    const { data } = JSON.parse((await tillctl(again, 'status', '--json')).stdout);
    expect(data).toMatchObject({ can_sell: true });
    expect(data.reasons).toMatchObject([
      { code: 'journal_broken', message: expect.stringContaining('row 2') },
    ]);
  });
});
