import type { ProviderManifest } from '../src/driver-kit/provider.ts';
import type { TerminalManifest } from '../src/driver-kit/terminal.ts';
import { files } from './providers/files/manifest.ts';
import { rest } from './providers/rest/manifest.ts';
import { service } from './providers/service/manifest.ts';
import { terminal } from './providers/terminal/manifest.ts';
import { concert } from './terminals/concert/manifest.ts';
import { ecr17 } from './terminals/ecr17/manifest.ts';
import { nexo } from './terminals/nexo/manifest.ts';
import { transbank } from './terminals/transbank/manifest.ts';
import { zvt } from './terminals/zvt/manifest.ts';

/** All terminal drivers: one import and one line each. */
export const terminalDrivers: readonly TerminalManifest[] = [zvt, concert, ecr17, transbank, nexo];

/** All provider drivers: one import and one line each. */
export const providerDrivers: readonly ProviderManifest[] = [rest, files, service, terminal];
