import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { Place } from '../support/daemon.ts';

const ROOT = join(import.meta.dirname, '../..');
/** `RestartSec=` of the unit is 1 s. */
const PAUSE_MS = 100;

/** What systemd does with tilld: whenever its process ends, it is started again (`Restart=always`). */
export class ServiceManager {
  readonly socket: string;
  readonly #place: Place;
  readonly #preload: readonly string[];
  #child: ChildProcess | null = null;
  #isStopped = false;
  #again: ReturnType<typeof setTimeout> | undefined;
  /** Exit codes and signals, in their order. */
  readonly ends: (number | string | null)[] = [];
  #log = '';

  constructor(place: Place, preload: readonly string[] = []) {
    this.#place = place;
    this.#preload = preload;
    this.socket = join(place.folder, 'state', 'tilld.sock');
    const tool = join(place.folder, 'systemd-notify');
    writeFileSync(tool, '#!/bin/sh\n');
    chmodSync(tool, 0o755);
    onTestFinished(() => this.stop());
  }

  get log(): string {
    return this.#log;
  }

  /** Starts it, and waits until it can sell. */
  async start(): Promise<void> {
    this.#isStopped = false;
    const ready = Promise.withResolvers<void>();
    this.#run(ready.resolve);
    await ready.promise;
  }

  /** `systemctl restart`. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** The power cut of a process; it is started again. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#again);
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const end = once(child, 'exit');
    child.kill('SIGTERM');
    await end;
  }

  #run(ready: () => void): void {
    const { folder, config } = this.#place;
    const own = ['--config', config, '--state-dir', join(folder, 'state'), '--listen', '127.0.0.1:0'];
    const preload = this.#preload.flatMap((module) => ['--import', module]);
    const env = {
      ...process.env,
      XDG_STATE_HOME: join(folder, 'outside'),
      PATH: `${folder}:${process.env['PATH']}`,
      NOTIFY_SOCKET: join(folder, 'notify'),
    };
    const entry = 'test/fleet/daemon-with-short-trial.ts';
    const child = spawn(process.execPath, [...preload, entry, ...own], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    createInterface({ input: child.stderr }).on('line', (line) => {
      this.#log += `${line}\n`;
    });
    createInterface({ input: child.stdout }).once('line', ready);
    child.once('exit', (code, signal) => {
      this.ends.push(code ?? signal);
      if (!this.#isStopped) this.#again = setTimeout(() => this.#run(ready), PAUSE_MS);
    });
  }
}
