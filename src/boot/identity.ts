import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { readCredential } from '../config/credentials.ts';
import type { Config } from '../config/schema.ts';
import type { StateFolder } from '../runtime/state-folder.ts';
import type { Database } from '../store/database.ts';
import { writeFileDurably } from '../store/durable-file.ts';

const FIND_AGENT = "SELECT value FROM facts WHERE name = 'agent'";
const SET_AGENT = "INSERT INTO facts (name, value) VALUES ('agent', ?)";

/** The name of this installation at the service: the configured one, else a name made once and kept in the database. */
export function agentName(config: Config, database: Database, ids: Ids): string {
  if (config.agent !== undefined) return config.agent;
  const row = database.get(FIND_AGENT);
  if (row !== undefined) return z.object({ value: z.string() }).parse(row).value;
  const made = `tilld-${ids.uuid()}`;
  database.run(SET_AGENT, made);
  return made;
}

/**
 * Gives a reader of the service's key, which looks the credential up each time, so that a rolled key needs no restart.
 * In the sandbox a key is made once and kept, because there is no dashboard to get one from.
 */
export function serviceKey(config: Config, folder: StateFolder, log: Log): () => string | null {
  const name = config.service?.credential;
  if (name === undefined) return () => null;
  const places = { stateDir: folder.path, env: process.env };
  const first = readCredential(name, places);
  if (first?.warning) log.warn({ credential: name, warning: first.warning }, 'credential is not safe');
  if (!first && config.service?.url === undefined && config.sandbox?.service) {
    writeFileDurably(join(folder.credentials, name), `rk_sandbox_${randomBytes(24).toString('base64url')}\n`);
  } else if (!first) {
    log.error(
      { credential: name, folder: folder.credentials },
      'no key for the service: put it into the credentials folder',
    );
  }
  return () => readCredential(name, places)?.value ?? null;
}
