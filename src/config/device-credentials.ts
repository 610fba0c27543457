import { AppError } from '../base/errors.ts';
import type { TerminalDriver } from '../driver-kit/terminal.ts';
import { type CredentialPlaces, readCredential } from './credentials.ts';

const REFERENCE = /^credential:(.+)$/;

/**
 * The same driver, with the secrets that a device's options refer to by `"credential:NAME"`. They are read when the terminal is connected, so a new
 * one needs no restart, and a missing one keeps its own terminal from being connected and nothing else.
 */
export function withCredentials(driver: TerminalDriver, places: CredentialPlaces): TerminalDriver {
  return {
    open: async (link, context, signal) =>
      driver.open(link, { ...context, options: resolved(context.options, places) }, signal),
  };
}

function resolved(value: unknown, places: CredentialPlaces): unknown {
  if (typeof value === 'string') return textOf(value, places);
  if (Array.isArray(value)) return value.map((item) => resolved(item, places));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(item, places)]));
}

/** @throws CREDENTIAL_INVALID when it refers to a secret that is not there, or cannot be used */
function textOf(text: string, places: CredentialPlaces): string {
  const name = REFERENCE.exec(text)?.[1];
  if (name === undefined) return text;
  const found = readCredential(name, places);
  if (found) return found.value;
  throw new AppError(
    'CREDENTIAL_INVALID',
    `there is no credential "${name}", which the options of this device name: put it into the folder "credentials" of tilld, one line`,
  );
}
