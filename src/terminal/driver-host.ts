import type { TerminalDriver } from './ports.ts';

/** What a host needs of a driver's manifest. */
export interface HostedManifest {
  readonly id: string;
  readonly load: () => Promise<TerminalDriver>;
}

/** Where drivers run: tilld's own in its process, those of packages from outside in a process of their own. */
export interface DriverHost {
  /** The driver of this manifest, whose faults end its own session and nothing else. */
  driverOf(manifest: HostedManifest): Promise<TerminalDriver>;
}
