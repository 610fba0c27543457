/** The parts of the process that a command may use; a test passes its own. */
export interface Io {
  /** Standard output: the result, and with `--json` one document alone. */
  out(text: string): void;
  /** Standard error: progress, warnings, error texts. */
  err(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** `destroy` ends a read that waits. */
  readonly input: AsyncIterable<Uint8Array> & { destroy?(): unknown };
  /** The terminal that shows standard error; absent or null: standard error is a file or a pipe. */
  readonly terminal?: { readonly columns: number } | null;
  /** Input and output are interactive: a command can ask a question, and reads the answer from `input`. */
  readonly canAsk?: boolean;
  /** Calls `listener` once at the first Ctrl-C or SIGTERM; the returned function removes it. */
  onInterrupt(listener: () => void): () => void;
}

/** Options of every verb. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly socket?: string;
}

/** Prints one JSON document on one line. */
export function printDocument(io: Io, document: unknown): void {
  io.out(`${JSON.stringify(document)}\n`);
}

/** The process itself. */
export function processIo(): Io {
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    terminal: process.stderr.isTTY ? { columns: process.stderr.columns } : null,
    canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
    env: process.env,
    cwd: process.cwd(),
    get input() {
      return process.stdin;
    },
    onInterrupt: (listener) => {
      process.once('SIGINT', listener).once('SIGTERM', listener);
      return () => void process.off('SIGINT', listener).off('SIGTERM', listener);
    },
  };
}
