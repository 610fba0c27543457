import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';
import type { LedgerEntry } from '../../../src/sandbox/controllable-terminal.ts';
import { documentOf } from './command-line.ts';

/** The real program. */
export const BIN = fileURLToPath(new URL('../../../src/cli/tillctl.ts', import.meta.url));

/** What `--json` prints. */
export interface Announced {
  readonly address: string;
  readonly port?: number;
  readonly [more: string]: unknown;
}

/** A virtual terminal in a process of its own, as somebody at a shell starts it. */
export class Simulator {
  readonly printed = { out: '', err: '' };
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<number | null>;

  /** Its input stays open; the process is ended with the test. */
  constructor(...words: readonly string[]) {
    const argv = [BIN, 'simulate-terminal', '--protocol', 'zvt', ...words];
    this.#child = spawn(process.execPath, argv, { cwd: '/', env: { PATH: process.env['PATH'] ?? '' } });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.printed.out += text;
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.printed.err += text;
    });
    this.#ended = new Promise((resolve) => this.#child.on('close', resolve));
    onTestFinished(async () => {
      this.#child.kill('SIGKILL');
      await this.#ended;
    });
  }

  /** What it announced with `--json`; waits for it. */
  async announced(): Promise<Announced> {
    await this.hears(() => this.printed.out.includes('\n') || this.printed.err.includes('tillctl:'));
    const document = documentOf(this.printed.out);
    if (typeof document !== 'object' || document === null || !('data' in document))
      throw new Error(`not announced: ${this.printed.out}${this.printed.err}`);
    return document.data as Announced;
  }

  /** Types one line at its keys. */
  type(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  closeInput(): void {
    this.#child.stdin.end();
  }

  /** Waits until what it said holds these words. */
  async says(words: string | RegExp): Promise<void> {
    await this.hears(() => {
      const all = this.printed.out + this.printed.err;
      return typeof words === 'string' ? all.includes(words) : words.test(all);
    });
  }

  async hears(condition: () => boolean): Promise<void> {
    await vi.waitFor(
      () => {
        if (!condition()) throw new Error(`it said: ${this.printed.out}${this.printed.err}`);
      },
      { timeout: 60_000, interval: 20 },
    );
  }

  /** Sends a signal and gives the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    return this.#ended;
  }

  get ended(): Promise<number | null> {
    return this.#ended;
  }
}

/** The records of a ledger file, as far as a test looks at them. */
export function recordsOf(text: string): readonly Pick<LedgerEntry, 'kind' | 'amountMinor' | 'result'>[] {
  const file: unknown = JSON.parse(text);
  if (typeof file !== 'object' || file === null || !('records' in file)) throw new Error('no ledger');
  return file.records as readonly LedgerEntry[];
}
