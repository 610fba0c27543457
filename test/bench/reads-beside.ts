import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** Between two reads, on average, in ms: they are to see the daemon's event loop, and cost it nothing. */
const PAUSE_MS = 25;

/** Reads the health of a daemon again and again, as a page or a load balancer does, until the end. */
export function readsBeside(socketPath: string): { readonly end: () => Promise<readonly number[]> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const taken: number[] = [];
  const state = { ends: false };
  const running = (async () => {
    while (!state.ends) {
      const from = performance.now();
      await read(socketPath, agent);
      taken.push(performance.now() - from);
      await wait(Math.random() * 2 * PAUSE_MS);
    }
    agent.destroy();
  })();
  return {
    end: async () => {
      state.ends = true;
      await running;
      return taken;
    },
  };
}

function read(socketPath: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path: '/healthz', agent }, (reply) => {
      reply.resume().once('end', resolve);
    });
    asked.once('error', reject).end();
  });
}
