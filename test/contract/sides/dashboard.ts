import { z } from 'zod';
import { send } from '../ask.ts';
import { hold } from '../breach.ts';
import { shapeOf } from '../expect.ts';
import type { Dashboard } from './side.ts';

const Shown = z.object({ data: z.looseObject({ id: z.string(), key: z.string() }) });
const Listed = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

/**
 * The merchant's dashboard over HTTP; both sides have the same calls at another place.
 * @param to where it answers now: a URL, or the path of a unix socket
 * @param keys the path of the keys there
 */
export function dashboardAt(to: () => string, keys: string): Dashboard {
  const post = async (path: string, body: unknown) => {
    const answer = await send(to(), { method: 'POST', path: `${keys}${path}`, body });
    hold(answer.status < 300, () => `the dashboard answers ${answer.status}: ${answer.text}`);
    return answer.json;
  };
  const shown = (json: unknown) => shapeOf('the key', Shown, json).data;
  return {
    make: async () => shown(await post('', { name: 'made', scopes: ['payments:read'] })),
    roll: async (id, overlap) =>
      shown(await post(`/${id}/roll`, overlap === undefined ? {} : { overlap_hours: overlap })),
    revoke: async (id) => void (await post(`/${id}/revoke`, {})),
    stale: async () => {
      const { json } = await send(to(), { path: `${keys}?stale=true` });
      return shapeOf('the stale keys', Listed, json).data.map(({ id }) => id);
    },
  };
}
