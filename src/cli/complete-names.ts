import type { RootCommand } from '@bomb.sh/tab';
import type { z } from 'zod';
import { KeySummary } from '../api/contract/key.ts';
import { Person } from '../api/contract/person.ts';
import { listOf } from '../api/contract/primitives.ts';
import { PairedDevice } from '../api/contract/sign-in.ts';
import { TerminalDevice } from '../api/contract/terminal-device.ts';
import { WebhookEndpoint } from '../api/contract/webhook-endpoint.ts';
import type { DaemonClient } from './client.ts';
import { connect } from './connect.ts';
import type { GlobalOptions, Io } from './io.ts';
import { oneWord } from './naming.ts';
import { PROVIDERS } from './provider.ts';

/** A key press waits for it. */
const ANSWER_WITHIN_MS = 500;
/** What every shell takes as one word as it is. */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What the arguments and options of these names can be. */
const LISTS: Readonly<Record<string, (client: DaemonClient) => Promise<readonly Named[]>>> = {
  device: (client) => all(client, '/v2/terminal-devices?limit=100', TerminalDevice),
  person: async (client) =>
    (await all(client, '/v2/people?limit=100', Person)).filter(({ status }) => status === 'active'),
  key: async (client) =>
    (await all(client, '/v2/keys?limit=100', KeySummary)).filter(({ status }) => status !== 'revoked'),
  browser: async (client) =>
    (await all(client, '/v2/paired-devices', PairedDevice)).filter(({ status }) => status === 'paired'),
  endpoint: async (client) =>
    (await all(client, '/v2/webhook-endpoints?limit=100', WebhookEndpoint)).map(({ id, url }) => ({
      id,
      name: url,
    })),
};

/** Completes the names of what the typed command is about, as long as the daemon answers at once. */
export async function completeNames(
  root: RootCommand,
  typed: readonly string[],
  options: GlobalOptions,
  io: Io,
): Promise<void> {
  for (const [words, command] of root.commands) {
    const provider = command.arguments.get('provider');
    if (provider)
      provider.handler = (complete) => {
        for (const name of PROVIDERS) complete(name, '');
      };
    if (!` ${typed.join(' ')} `.includes(` ${words} `)) continue;
    for (const [kind, list] of Object.entries(LISTS)) {
      const places = [command.arguments.get(kind), command.options.get(kind)].filter(
        (place) => place !== undefined,
      );
      if (places.length === 0) continue;
      const found = await now(() => list(connect(options, io, ANSWER_WITHIN_MS)));
      for (const place of places)
        place.handler = (complete: (word: string, description: string) => void) => {
          for (const one of found) {
            const word = wordFor(one, found);
            complete(word, word === one.name ? '' : one.name);
          }
        };
    }
  }
}

async function now(ask: () => Promise<readonly Named[]>): Promise<readonly Named[]> {
  try {
    return await ask();
  } catch {
    return [];
  }
}

async function all<T extends z.ZodType>(
  client: DaemonClient,
  path: string,
  schema: T,
): Promise<z.output<T>[]> {
  return (await client.call({ path }, listOf(schema))).value.data;
}

/** Its name as one word; its id where that is none for a shell, or the word of another one, too. */
function wordFor({ id, name }: Named, all: readonly Named[]): string {
  const word = oneWord(name);
  const isAlone =
    all.filter((other) => oneWord(other.name).toLowerCase() === word.toLowerCase()).length === 1;
  return isAlone && PLAIN.test(word) ? word : id;
}
