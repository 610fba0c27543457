import { z } from 'zod';
import type { LocalReply } from './agent.ts';
import type { Random } from './random.ts';
import type { Place, World } from './world.ts';

const Blocked = z.object({ error: z.object({ code: z.enum(['end_of_day_blocked', 'terminal_in_doubt']) }) });
const Tasks = z.object({
  data: z.array(z.object({ id: z.string(), kind: z.string(), attempt_id: z.string().nullable().optional() })),
});
const WHO = { by: 'Robin' };

/** Who closes the day, compares the terminals with the books, and does what tilld asks people to do. */
export class BackOffice {
  readonly #world: World;
  readonly #random: Random;
  readonly #doing = new Set<string>();

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /** Somebody closes a terminal's day, and insists on it now and then although an outcome is not known. */
  closeDay(): void {
    const random = this.#random;
    const place = random.pick(this.#world.places);
    if (random.chance(0.25)) place.terminal.nextClose(random.pick(['refused', 'updates'] as const));
    this.#endOfDay(place, {}, (reply) => {
      if (!Blocked.safeParse(reply?.body).success || !random.chance(0.3)) return;
      const force = { ...WHO, reason: 'we are closed' };
      this.#later(random.time(500, 90_000), () => this.#endOfDay(place, { force }, () => undefined));
    });
  }

  /** Somebody holds a terminal's journal against the books. */
  reconcile(place: Place = this.#random.pick(this.#world.places)): void {
    this.#ask('POST', `/terminal-devices/${place.device.id}/reconcile`);
  }

  /** A terminal that was met while a wrong one stood there, by an agent that had lost its memory, is put right. */
  adopt({ device }: Place): void {
    this.#ask('POST', `/terminal-devices/${device.id}/adopt`, WHO);
  }

  /** What is asked is done, each after a while: people read the terminal's ledger, and hide nothing. */
  lookAtTasks(): void {
    this.#ask('GET', '/terminal-tasks?open=true&limit=100', undefined, (reply) => {
      const tasks = Tasks.safeParse(reply?.body);
      for (const { id, kind } of tasks.success ? tasks.data.data : []) {
        if (this.#doing.has(id) || kind === 'memory_lost') continue;
        this.#doing.add(id);
        this.#later(this.#random.time(2000, 120_000), () => this.#finish(id));
      }
    });
  }

  #finish(id: string): void {
    const done = { ...WHO, note: 'compared with the receipts of the terminal' };
    this.#ask('POST', `/terminal-tasks/${id}/done`, done, (reply) => {
      if (reply?.status !== 200 && reply?.status !== 409) this.#doing.delete(id);
    });
  }

  #endOfDay(place: Place, body: object, heard: (reply: LocalReply) => void): void {
    this.#world.trace.say('person', () => `closes the day of ${place.device.name} ${JSON.stringify(body)}`);
    this.#ask('POST', `/terminal-devices/${place.device.id}/end-of-day`, body, heard);
  }

  #ask(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    heard: (reply: LocalReply) => void = () => undefined,
  ): void {
    const { agent, books, trace } = this.#world;
    if (!agent) return;
    agent
      .ask('socket', method, path, body)
      .then((reply) => {
        if (method !== 'GET')
          trace.say(
            'person',
            () =>
              `${path} hears ${reply === null ? 'nothing' : `${reply.status} ${JSON.stringify(reply.body).slice(0, 200)}`}`,
          );
        if (reply?.status === 500) books.accuse('broken_rules', `${path} was answered with 500`);
        heard(reply);
      })
      .catch((error: unknown) => {
        if (!agent.dead) books.accuse('broken_rules', `${path}: ${String(error)}`);
      });
  }

  #later(ms: number, then: () => void): void {
    this.#world.time.at(ms, then);
  }
}
