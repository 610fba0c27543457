import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import { ask, type Group } from '../row.ts';
import { dataOf, TerminalActivity } from '../shapes.ts';
import type { Side } from '../sides/side.ts';
import { ended } from './sales.ts';

/** tilld's own: the interface has the device alone. */
const ELSEWHERE = {
  sandbox: 'The interface shows no activity: “GET | /terminal-devices/{id} | retrieve a device”',
} as const;

/** How well a terminal works. */
export const terminalActivityGroup: Group = {
  name: 'the activity of a terminal',
  rows: [
    {
      id: 'terminal-activity/payments',
      section: 'Endpoints: Terminal',
      what: 'a payment that ended counts for its terminal, by how it ended',
      covers: ['operation:GET /v2/terminal-devices/{id}'],
      exempt: ELSEWHERE,
      run: async (side) => {
        const before = await countsOf(side);
        await ended(side, 'succeeded');
        await ended(side, 'declined');
        const after = await countsOf(side);
        hold(
          after.succeeded === before.succeeded + 1 && after.declined === before.declined + 1,
          () => `after a sale and a no: ${JSON.stringify(before)}, then ${JSON.stringify(after)}`,
        );
      },
    },
  ],
};

/** Of all terminals: a sale takes whichever is free. */
async function countsOf(side: Side): Promise<{ succeeded: number; declined: number }> {
  const body = dataOf(TerminalActivity);
  let [succeeded, declined] = [0, 0];
  for (const id of side.devices) {
    const { json } = await ask(side, { path: `/v2/terminal-devices/${id}/activity` }, { status: 200, body });
    const { payments } = shapeOf('the activity', body, json).data;
    succeeded += payments.succeeded;
    declined += payments.declined;
  }
  return { succeeded, declined };
}
