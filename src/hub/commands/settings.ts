import { readFileSync } from 'node:fs';
import { AppError, messageOf } from '../../base/errors.ts';
import { mergePatch, refusalOfSettings } from '../../fleet/contract/configuration.ts';

/**
 * Merges what the merchant, a group and the shop say, in this order, by JSON merge patch (RFC 7396): `null` takes back what an earlier file says.
 * @returns the settings of one shop
 * @throws COMMAND_INVALID
 */
export function mergedSettings(files: readonly string[]): unknown {
  const settings = files.map(settingsIn).reduce((merged, file) => mergePatch(merged, file), {});
  const refusal = refusalOfSettings(settings);
  if (refusal !== null) throw new AppError('COMMAND_INVALID', refusal);
  return settings;
}

/** Each file by itself: a secret that a later one takes away is refused as well. @throws COMMAND_INVALID */
function settingsIn(file: string): unknown {
  let settings: unknown;
  try {
    settings = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new AppError('COMMAND_INVALID', `${file}: ${messageOf(cause)}`, { cause });
  }
  const refusal = refusalOfSettings(mergePatch({}, settings));
  if (refusal === null) return settings;
  throw new AppError('COMMAND_INVALID', `${file}: ${refusal}`);
}
