import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
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

/**
 * The agents of a rollout, in the order in which their shops get the settings: one a line, then files that are merged for it alone, beside that list. What follows a `#` is a note.
 * @throws COMMAND_INVALID
 */
export function agentsIn(
  list: string,
): readonly { readonly agentId: string; readonly files: readonly string[] }[] {
  let text: string;
  try {
    text = readFileSync(list, 'utf8');
  } catch (cause) {
    throw new AppError('COMMAND_INVALID', `${list}: ${messageOf(cause)}`, { cause });
  }
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  const targets = lines.flatMap(([agentId = '', ...files], index) => {
    if (agentId === '') return [];
    if (!AGENT_ID.test(agentId))
      throw new AppError(
        'COMMAND_INVALID',
        `${list}, line ${index + 1}: ${agentId} is no id of an agent: tillhub shops list --tenant MERCHANT --agents shows them`,
      );
    return [{ agentId, files: files.map((file) => resolve(dirname(list), file)) }];
  });
  const seen = new Set<string>();
  const twice = targets.find(({ agentId }) => seen.size === seen.add(agentId).size);
  if (twice !== undefined) throw new AppError('COMMAND_INVALID', `${list} has agent ${twice.agentId} twice`);
  if (targets.length === 0) throw new AppError('COMMAND_INVALID', `${list} has no agent`);
  return targets;
}

const AGENT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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
