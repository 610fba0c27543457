import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, messageOf } from '../base/errors.ts';

/** A secret and its source. */
export interface Credential {
  /** The secret itself: never logged, never in an error. */
  readonly value: string;
  /** Path of the file or name of the variable. */
  readonly source: string;
  /** Why it is unsafe, as text; null when it is not. */
  readonly warning: string | null;
}

/** Secrets that may all be in use, and their source. */
export interface Secrets extends Omit<Credential, 'value'> {
  readonly values: readonly string[];
}

export interface CredentialPlaces {
  readonly stateDir: string;
  /** The process environment: `CREDENTIALS_DIRECTORY` is systemd's, `TILLD_<NAME>` holds a secret itself. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const NAME = /^[a-z][a-z0-9._-]{0,63}$/;
const LARGEST_BYTES = 8192;
const MOST_SECRETS = 2;
const WHSEC = /^whsec_[\x21-\x7e]{16,}$/;

/**
 * Looks a secret up: `$CREDENTIALS_DIRECTORY/<name>`, `<state-dir>/credentials/<name>`, then the environment
 * (`service-key` → `TILLD_SERVICE_KEY`). Undefined when no place has it.
 * @throws CREDENTIAL_INVALID when it exists and cannot be used.
 */
export function readCredential(name: string, places: CredentialPlaces): Credential | undefined {
  const found = readText(name, places);
  return found && { ...found, value: checked(found.value, found.source) };
}

/**
 * Looks signing secrets up in the same places: `whsec_…`, one a line; two during a rotation. Undefined when no place has any.
 * @throws CREDENTIAL_INVALID when they exist and cannot be used.
 */
export function readSecrets(name: string, places: CredentialPlaces): Secrets | undefined {
  const found = readText(name, places);
  if (!found) return undefined;
  const { value, source, warning } = found;
  const values = value.split(/\s+/).filter((line) => line !== '');
  if (values.length > 0 && values.length <= MOST_SECRETS && values.every((one) => WHSEC.test(one)))
    return { values, source, warning };
  const message = `${source} must hold one or two signing secrets that begin with whsec_, one a line`;
  throw new AppError('CREDENTIAL_INVALID', message);
}

function readText(name: string, places: CredentialPlaces): Credential | undefined {
  if (!NAME.test(name))
    throw new AppError(
      'CREDENTIAL_INVALID',
      'a credential name is lower-case letters, digits, -, _ and dots',
    );
  const folders = [places.env['CREDENTIALS_DIRECTORY'], join(places.stateDir, 'credentials')];
  for (const folder of folders) {
    const found = folder ? fromFile(join(folder, name)) : undefined;
    if (found) return found;
  }
  const variable = `TILLD_${name.toUpperCase().replaceAll(/[.-]/g, '_')}`;
  const text = places.env[variable];
  return text ? { value: text, source: variable, warning: null } : undefined;
}

function fromFile(path: string): Credential | undefined {
  const handle = openIfThere(path);
  if (handle === undefined) return undefined;
  try {
    const facts = fstatSync(handle);
    if (!facts.isFile() || facts.size > LARGEST_BYTES) {
      throw new AppError('CREDENTIAL_INVALID', `${path} is not a file of at most ${LARGEST_BYTES} bytes`);
    }
    const open = (facts.mode & 0o004) !== 0;
    const warning = open ? `every user of this machine can read ${path}: chmod 600 ${path}` : null;
    return { value: readFileSync(handle, 'utf8'), source: path, warning };
  } finally {
    closeSync(handle);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new AppError('CREDENTIAL_INVALID', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function checked(text: string, source: string): string {
  const value = text.trim();
  if (/^[\x21-\x7e]+$/.test(value) && value.length <= LARGEST_BYTES) return value;
  throw new AppError('CREDENTIAL_INVALID', `${source} is empty or holds more than one line of visible ASCII`);
}
