import { connect, type Socket } from 'node:net';

/** Where a daemon listens: TCP (from a source address of one's choice), or its unix socket. */
export type Where =
  | { readonly host: string; readonly port: number; readonly localAddress?: string }
  | { readonly path: string };

/** One HTTP answer as it came. */
export interface Answer {
  readonly status: number;
  /** Status line and headers, unchanged. */
  readonly head: string;
  readonly body: string;
}

/** All that came over one connection, and how it stands. */
export interface Heard {
  readonly text: string;
  readonly answers: readonly Answer[];
  /** `open`: nothing more came, and nobody closed it. */
  readonly end: 'open' | 'closed' | 'reset' | 'refused';
}

export interface Until {
  /** Answers that are waited for; then a moment more, for those that should not come. */
  readonly answers?: number;
  /** Wait for the end of the connection, too. */
  readonly untilClosed?: boolean;
  readonly limitMs?: number;
}

const A_MOMENT_MS = 25;
const MAX_HEARD = 4 * 1024 * 1024;

/** Connects; what goes wrong later is told by the end of the connection. */
export function dial(where: Where): Socket {
  const socket = connect({ ...where, noDelay: true });
  socket.on('error', () => undefined);
  return socket;
}

/** Says `bytes` on a new connection and hears the daemon out; the connection is gone afterwards. */
export async function speak(where: Where, bytes: string | Uint8Array, until: Until = {}): Promise<Heard> {
  const socket = dial(where);
  socket.write(bytes);
  try {
    return await hear(socket, until);
  } finally {
    socket.destroy();
  }
}

/** Hears what comes over a connection until it is closed, the answers are complete, or its time is over. */
export function hear(socket: Socket, until: Until = {}): Promise<Heard> {
  const { answers = 1, untilClosed = false, limitMs = 5_000 } = until;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let moment: NodeJS.Timeout | undefined;
    const limit = setTimeout(() => finish('open'), limitMs);
    const finish = (end: Heard['end']) => {
      clearTimeout(limit);
      clearTimeout(moment);
      const text = Buffer.concat(chunks).toString('latin1');
      resolve({ text, answers: answersIn(text), end });
    };
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size < MAX_HEARD) chunks.push(chunk);
      if (untilClosed || moment || answersIn(Buffer.concat(chunks).toString('latin1')).length < answers)
        return;
      moment = setTimeout(() => finish('open'), A_MOMENT_MS);
    });
    let failure: NodeJS.ErrnoException | undefined;
    socket.on('error', (error) => {
      failure = error;
    });
    socket.once('end', () => finish('closed'));
    socket.once('close', () => finish(endOf(failure)));
    if (socket.destroyed) finish(endOf(failure));
  });
}

/** Waits until the other side has taken what was written, has closed, or `limitMs` is over. */
export function roomIn(socket: Socket, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(limit);
      socket.off('drain', done).off('close', done);
      resolve();
    };
    const limit = setTimeout(done, limitMs);
    socket.once('drain', done).once('close', done);
  });
}

function endOf(failure: NodeJS.ErrnoException | undefined): Heard['end'] {
  if (failure === undefined) return 'closed';
  return failure.code === 'ECONNREFUSED' || failure.code === 'EACCES' ? 'refused' : 'reset';
}

/** The complete answers in a text; an event stream is complete with its head. 100 Continue counts as an answer. */
export function answersIn(text: string): readonly Answer[] {
  const found: Answer[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    const head = rest.slice(0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    if (end === -1 || !Number.isInteger(status)) return found;
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) return found;
    found.push({ status, head, body });
    rest = rest.slice(end + 4 + length);
  }
}

/** A header of an answer. */
export function headerOf(answer: Answer | undefined, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)$`, 'im').exec(answer?.head ?? '')?.[1];
}
