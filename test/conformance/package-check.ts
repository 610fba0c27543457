import { isDeepStrictEqual } from 'node:util';
import type { TerminalManifest } from '../../src/driver-kit/define.ts';
import type { DriverSection } from '../../src/driver-packages/package-json.ts';

/** Fields that tilld reads from `package.json`, before any code of the package runs. */
const COMPARED = [
  'apiVersion',
  'id',
  'name',
  'specification',
  'transports',
  'defaults',
  'connection',
  'usbFingerprints',
  'minAmountMinor',
  'maxAmountMinor',
  'capabilities',
] as const satisfies readonly (keyof DriverSection)[];

/** Where `tilld` in `package.json` says something else than the manifest in the code; null: nowhere. */
export function differenceOf(section: DriverSection, manifest: TerminalManifest): string | null {
  const field = COMPARED.find((one) => !isDeepStrictEqual(section[one], manifest[one]));
  if (field === undefined) return null;
  const [data, code] = [section[field], manifest[field]].map((value) => JSON.stringify(value));
  return `package.json: tilld.${field} is ${data}, and src/manifest.ts says ${code}: tilld reads the first`;
}
