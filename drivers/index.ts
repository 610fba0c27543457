import type { TerminalManifest } from '../src/driver-kit/terminal.ts';
import { zvt } from './terminals/zvt/manifest.ts';

/** Every terminal driver that exists: one import and one line each. */
export const terminalDrivers: readonly TerminalManifest[] = [zvt];
