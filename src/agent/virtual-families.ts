import { type VirtualFamily, virtualTerminals } from '../../drivers/virtual.ts';
import { configInvalid, type LocatedProblem, pathText } from '../config/problem.ts';
import type { Config } from '../config/schema.ts';
import { checkShape } from '../config/shape-check.ts';

export interface ConfiguredVirtualTerminal {
  readonly settings: NonNullable<Config['sandbox']>['terminals'][number];
  readonly family: VirtualFamily;
}

/**
 * The virtual terminals of a configuration with their families, checked; none of their code is loaded.
 * @throws CONFIG_INVALID with every problem: a protocol that no family has, an option that the virtual terminal has not
 */
export function configuredVirtualTerminals(
  { sandbox }: Config,
  file = 'the configuration',
): readonly ConfiguredVirtualTerminal[] {
  const found: ConfiguredVirtualTerminal[] = [];
  const problems: LocatedProblem[] = [];
  for (const [index, settings] of (sandbox?.terminals ?? []).entries()) {
    const { protocol, options } = settings;
    const problem = (path: readonly (string | number)[], message: string) =>
      problems.push({ path: pathText(['sandbox', 'terminals', index, ...path]), message });
    const family = virtualTerminals.find((candidate) => candidate.protocol === protocol);
    if (!family) {
      problem(['protocol'], `there is no virtual terminal for the protocol "${protocol}"`);
      continue;
    }
    const shape = checkShape(family.options, options);
    if (shape.ok) found.push({ settings, family });
    else for (const { path, message } of shape.problems) problem(['options', ...path], message);
  }
  if (problems.length > 0) throw configInvalid(file, problems);
  return found;
}
