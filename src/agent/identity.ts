import { z } from 'zod';
import type { Ids } from '../base/ids.ts';
import type { Config } from '../config/schema.ts';
import type { Database } from '../store/database.ts';

const FIND_AGENT = "SELECT value FROM facts WHERE name = 'agent'";
const SET_AGENT = "INSERT INTO facts (name, value) VALUES ('agent', ?)";

/** The name of this installation at the service: the configured one, else a name that is generated once and kept in the database. */
export function agentName(config: Config, database: Database, ids: Ids): string {
  if (config.agent !== undefined) return config.agent;
  const row = database.get(FIND_AGENT);
  if (row !== undefined) return z.object({ value: z.string() }).parse(row).value;
  const made = `tilld-${ids.uuid()}`;
  database.run(SET_AGENT, made);
  return made;
}
