import { z } from 'zod';
import { virtualZvt } from '../../../drivers/terminals/zvt/virtual.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { VirtualTerminalSettings } from '../../../src/sandbox/controllable-terminal.ts';
import { VirtualTerminal } from '../../../src/sandbox/terminal/virtual-terminal.ts';
import type { Link } from '../../../src/terminal/link.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';

/** Its whole memory is written with every change: it is restarted with a short one now and then. */
const MOST_LINES = 200;
const KEPT_LINES = 20;

const Memory = z.looseObject({
  records: z.array(z.looseObject({ kind: z.string(), result: z.string(), reversed: z.boolean() })),
});
type Line = z.infer<typeof Memory>['records'][number];

/** The virtual ZVT terminal of the sandbox behind a pipe in memory, with a customer who pays within two seconds. */
export class LiveTerminal {
  readonly #settings: VirtualTerminalSettings;
  readonly #clock: Clock;
  #terminal: VirtualTerminal;
  #text: string | null = null;
  /** Sales that stand in lines which it was made to forget. */
  #before = 0;

  constructor(settings: VirtualTerminalSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#terminal = this.#powerUp();
  }

  /** Sales that were charged and not taken back. */
  get charged(): number {
    return this.#before + standing(this.#lines());
  }

  open(): Link {
    if (!this.#terminal.powered) throw new AppError('LINK_REFUSED', 'nobody answers', { retry: 'safe' });
    const { ours, theirs } = memoryLinkPair();
    this.#terminal.attach(theirs);
    return ours;
  }

  /** Between two payments: goes off and on when its memory is long. */
  tidy(): void {
    const lines = this.#lines();
    if (lines.length < MOST_LINES || this.#terminal.snapshot().busy || this.#text === null) return;
    this.#terminal.stop();
    this.#before += standing(lines.slice(0, -KEPT_LINES));
    const memory = Memory.parse(JSON.parse(this.#text));
    this.#text = JSON.stringify({ ...memory, records: lines.slice(-KEPT_LINES) });
    this.#terminal = this.#powerUp();
  }

  #powerUp(): VirtualTerminal {
    const memory = {
      load: () => this.#text,
      save: (text: string) => {
        this.#text = text;
      },
    };
    const terminal = new VirtualTerminal(this.#settings, virtualZvt, {
      clock: this.#clock,
      log: silentLog,
      memory,
    });
    terminal.start();
    return terminal;
  }

  #lines(): readonly Line[] {
    return this.#text === null ? [] : Memory.parse(JSON.parse(this.#text)).records;
  }
}

function standing(lines: readonly Line[]): number {
  return lines.filter(({ kind, result, reversed }) => kind === 'sale' && result === 'approved' && !reversed)
    .length;
}
