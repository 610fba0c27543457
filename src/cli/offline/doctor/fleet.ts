import { join } from 'node:path';
import { configurationPlace } from '../../../agent/starting-config.ts';
import { messageOf } from '../../../base/errors.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

/** Settings that an operator of a fleet has given stand over the files of the shop: who reads only the files does not know with what tilld runs. */
export function checkFleetSettings({ files }: Pick<DiagnosticContext, 'files'>): CheckResult {
  const id = 'fleet-settings';
  const path = join(files.credentials, 'fleet-configuration.json');
  try {
    const state = configurationPlace(files.credentials).read();
    if (state === null) return ok(id, 'no settings of a fleet stand over the files of this shop');
    const { good, failed } = state;
    const runs =
      good === null
        ? 'the files of this shop hold alone'
        : `revision ${good.revision} of the fleet stands over the files of this shop: ${settingsOf(good.settings).join(', ')}`;
    if (failed === null) return ok(id, runs);
    return warn(id, {
      what: `revision ${failed.revision} of the fleet was given up: ${failed.why}; ${runs}`,
      why: 'tilld sells as before, and the operator of the fleet wanted something else here',
      fix: 'tillctl fleet status shows what runs; tell the operator, who signs settings that fit',
    });
  } catch (error) {
    return fail(id, {
      what: messageOf(error),
      why: 'tilld starts with the files of this shop alone, without the settings that the operator of its fleet has given',
      fix: `mv ${path} ${path}.damaged && systemctl restart tilld, then ask the operator to sign the settings again`,
    });
  }
}

/** `service.poll_interval_ms`, as the configuration file nests them. */
function settingsOf(settings: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return [path.join('.')];
  return Object.entries(settings).flatMap(([key, value]) => settingsOf(value, [...path, key]));
}
