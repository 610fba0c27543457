import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Clock, Timer } from '../../base/clock.ts';
import type { BytePipe } from './byte-pipe.ts';
import type { Listener } from './listeners.ts';
import { openPty, type Pty } from './pty.ts';

/** How long the cable stays unplugged after a cut. */
const PLUGGED_IN_AGAIN_MS = 200;

/**
 * A terminal on a serial cable. The till opens a link to the pty; the link stays the same when the pty is recreated.
 * A cut or a power loss unplugs it, as on USB.
 */
export class PtyListener implements Listener {
  readonly #clock: Clock;
  readonly #onPipe: (pipe: BytePipe) => void;
  readonly #link: string;
  readonly #folder: string | undefined;
  #pty: Pty | undefined;
  #again: Timer | undefined;
  #open = false;

  /** `link`: the path that tills open; undefined: a path in a new folder of the system's temporary files. */
  constructor(link: string | undefined, clock: Clock, onPipe: (pipe: BytePipe) => void) {
    this.#folder = link === undefined ? mkdtempSync(join(tmpdir(), 'tilld-pty-')) : undefined;
    this.#link = link ?? join(this.#folder ?? tmpdir(), 'terminal');
    this.#clock = clock;
    this.#onPipe = onPipe;
  }

  get address(): string {
    return this.#link;
  }

  /** @throws SANDBOX_NO_PTY when this machine cannot create one. */
  async open(): Promise<void> {
    if (this.#open) return;
    this.#open = true;
    await this.#plugIn();
  }

  async close(): Promise<void> {
    this.#open = false;
    this.#again?.stop();
    await this.#pty?.pipe.close();
    this.#pty = undefined;
    rmSync(this.#link, { force: true });
  }

  /** Also removes the folder that was created for the link. */
  async remove(): Promise<void> {
    await this.close();
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
  }

  async #plugIn(): Promise<void> {
    const pty = await openPty();
    if (!this.#open) return pty.pipe.close();
    this.#pty = pty;
    mkdirSync(dirname(this.#link), { recursive: true });
    rmSync(this.#link, { force: true });
    symlinkSync(pty.path, this.#link);
    pty.pipe.closed.then(() => this.#plugInAgain()).catch(() => undefined);
    this.#onPipe(pty.pipe);
  }

  #plugInAgain(): void {
    if (!this.#open) return;
    this.#again = this.#clock.timer('sandbox plug in', PLUGGED_IN_AGAIN_MS, () => {
      if (this.#open) this.#plugIn().catch(() => this.#plugInAgain());
    });
  }
}
