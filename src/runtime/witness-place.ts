import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute, join, resolve, sep } from 'node:path';
import { messageOf } from '../base/errors.ts';

/** The path of the note outside the state folder, or why there is no place for it. */
export type WitnessPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'none'; readonly why: string };

const FOLDER = 'tilld-witness';

/**
 * Finds (and creates) the place outside the state folder: the configured one, else the second folder that systemd keeps for the service, else the
 * user's state folder (XDG base directories). There is one file for each state folder, named after its path. Never throws.
 * @param folder the state folder; it exists
 */
export function witnessPlace(
  folder: string,
  configured: string | undefined,
  env: NodeJS.ProcessEnv,
): WitnessPlace {
  const dir = resolve(configured ?? ofService(env) ?? ofUser(env));
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    accessSync(dir, constants.R_OK | constants.X_OK);
    const state = realpathSync(folder);
    const place = realpathSync(dir);
    if (`${place}${sep}`.startsWith(`${state}${sep}`))
      return { kind: 'none', why: `${dir} is in the state folder itself, and would be copied with it` };
    const name = createHash('sha256').update(state).digest('hex').slice(0, 16);
    return { kind: 'file', path: join(place, name) };
  } catch (error) {
    return { kind: 'none', why: `${dir} cannot be used: ${messageOf(error)}` };
  }
}

/** `STATE_DIRECTORY` lists the folders that `StateDirectory=` names (systemd.exec(5)). */
function ofService(env: NodeJS.ProcessEnv): string | undefined {
  return env['STATE_DIRECTORY']?.split(':').find((path) => basename(path) === FOLDER);
}

/** A path that is not absolute must be ignored (XDG Base Directory Specification). */
function ofUser(env: NodeJS.ProcessEnv): string {
  const state = env['XDG_STATE_HOME'];
  const base = state !== undefined && isAbsolute(state) ? state : join(homedir(), '.local', 'state');
  return join(base, FOLDER);
}
