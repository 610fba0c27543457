import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { DriverHost, HostedManifest } from '../terminal/driver-host.ts';
import type { TerminalDriver } from '../terminal/ports.ts';
import type { PackageFiles } from './child-process.ts';
import { inGuide } from './guide.ts';
import { PackageRun } from './package-run.ts';

/** The pause after the first failure; each further one doubles it. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** A process that ran so long begins with the first pause again. */
const STEADY_MS = 600_000;

export interface ChildProcessDriverHostDeps {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Drivers of packages from outside: one process for each package, started when a terminal needs it. What becomes of that process ends the
 * sessions in it and nothing else; it is started again after a pause that grows.
 */
export class ChildProcessDriverHost implements DriverHost {
  readonly #packages: ReadonlyMap<string, HostedPackage>;

  /** @param packages the files of each package, by the id of its driver */
  constructor(packages: ReadonlyMap<string, PackageFiles>, deps: ChildProcessDriverHostDeps) {
    this.#packages = new Map([...packages].map(([id, files]) => [id, new HostedPackage(files, deps)]));
  }

  async driverOf({ id }: HostedManifest): Promise<TerminalDriver> {
    const hosted = this.#packages.get(id);
    if (!hosted)
      throw new AppError('CONFIG_INVALID', inGuide('package', `no driver package has the driver "${id}"`));
    return { open: async (...args) => hosted.run().open(...args) };
  }

  /** Resident memory of the process of each package that runs, in bytes. */
  rssBytes(): ReadonlyMap<string, number> {
    return new Map([...this.#packages].map(([id, hosted]) => [id, hosted.rssBytes] as const));
  }

  /** Ends every process. */
  stop(): void {
    for (const hosted of this.#packages.values()) hosted.stop();
  }
}

class HostedPackage {
  readonly #files: PackageFiles;
  readonly #deps: ChildProcessDriverHostDeps;
  #run: PackageRun | null = null;
  #startedAt = 0;
  #failures = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #stopped = false;

  constructor(files: PackageFiles, deps: ChildProcessDriverHostDeps) {
    this.#files = files;
    this.#deps = deps;
  }

  get rssBytes(): number {
    return this.#run?.rssBytes ?? 0;
  }

  /** The running process, started when there is none. @throws DRIVER_FAULT during the pause after a failure */
  run(): PackageRun {
    if (this.#run) return this.#run;
    const { clock, log } = this.#deps;
    const { name } = this.#files;
    const now = clock.monotonic();
    if (this.#stopped || now < this.#pausedUntil) {
      const seconds = Math.ceil((this.#pausedUntil - now) / 1000);
      const words = this.#stopped ? 'is stopped' : `failed and starts again in ${seconds} s`;
      throw new AppError('DRIVER_FAULT', `the driver package ${name} ${words}`, { retry: 'safe' });
    }
    this.#startedAt = now;
    const run = new PackageRun(this.#files, { clock, log, onEnd: (reason) => this.#ended(reason) });
    this.#run = run;
    log.info({ package: name }, 'driver package started');
    return run;
  }

  stop(): void {
    this.#stopped = true;
    this.#run?.end('ends with tilld');
  }

  #ended(reason: string): void {
    this.#run = null;
    if (this.#stopped) return;
    const { clock, log } = this.#deps;
    const now = clock.monotonic();
    if (now - this.#startedAt > STEADY_MS) this.#failures = 0;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#failures += 1;
    this.#pausedUntil = now + pauseMs;
    log.error(
      { package: this.#files.name, reason: inGuide('package', reason), pause_ms: pauseMs },
      'driver package failed: its sessions are ended',
    );
  }
}
