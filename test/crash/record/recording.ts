import { readFileSync } from 'node:fs';

/*
 * The contract of the recorder (`recorder.c`, preloaded into the process whose disk is to be lost):
 *
 *   const recorder = buildRecorder(folder)                       build.ts; null when the machine has no `cc`
 *   spawn(node, [script], { env: { ...process.env, ...recordingEnvironment(recorder, { folder, output, acks }) } })
 *   const events = readRecording(output)
 *
 *   LD_PRELOAD            the recorder
 *   TILLD_RECORD_FOLDER   `folder`: absolute; every change of a file below it is recorded
 *   TILLD_RECORD_OUTPUT   `output`: where the recording goes, not below the folder
 *   TILLD_RECORD_ACK      `acks`: a file, not below the folder; whatever the process writes to it with one `write` becomes one
 *                         `ack` event that stands in order among the writes (`writeSync(openSync(acks, 'a'), 'text')`)
 *   UV_USE_IO_URING=0     so that every call of libuv passes the recorder
 *
 * The boundaries of a power cut are `WRITES`: between two of them the disk does not change.
 */

/** Where a recorded process works, where its recording goes, and which file takes its acknowledgements. */
export interface RecordedPlaces {
  readonly folder: string;
  readonly output: string;
  readonly acks: string;
}

/** What the process did, in order. Paths are relative to the folder; `''` is the folder itself. */
export type RecordedEvent = {
  readonly process: number;
} & (
  | {
      readonly type: 'open';
      readonly fd: number;
      readonly path: string;
      /** It was not there before. */
      readonly created: boolean;
      /** O_TRUNC took what was in it. */
      readonly emptied: boolean;
      readonly isFolder: boolean;
      /** Bytes in it before the call. */
      readonly size: number;
    }
  | { readonly type: 'write'; readonly fd: number; readonly offset: number; readonly bytes: Buffer }
  /** `fd` −1: by its path. */
  | { readonly type: 'truncate'; readonly fd: number; readonly path: string; readonly size: number }
  /** Of a file, or of a folder: its entries. `dataOnly`: fdatasync, which takes the size along. */
  | { readonly type: 'sync'; readonly fd: number; readonly dataOnly: boolean }
  | { readonly type: 'unlink' | 'mkdir' | 'rmdir'; readonly path: string }
  | { readonly type: 'rename' | 'link'; readonly path: string; readonly to: string }
  | { readonly type: 'close'; readonly fd: number }
  | { readonly type: 'ack'; readonly text: string }
);

/** Events that change the disk, or make a change last. */
export const WRITES: ReadonlySet<RecordedEvent['type']> = new Set<RecordedEvent['type']>([
  'write',
  'truncate',
  'sync',
  'unlink',
  'rename',
  'link',
  'mkdir',
  'rmdir',
]);

/** Whether the machine could lose its power right after this event with another disk than before it. */
export function isBoundary(event: RecordedEvent): boolean {
  return WRITES.has(event.type) || (event.type === 'open' && (event.created || event.emptied));
}

/** The environment in which a process is recorded. */
export function recordingEnvironment(
  recorder: string,
  { folder, output, acks }: RecordedPlaces,
): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: recorder,
    TILLD_RECORD_FOLDER: folder,
    TILLD_RECORD_OUTPUT: output,
    TILLD_RECORD_ACK: acks,
    UV_USE_IO_URING: '0',
  };
}

/**
 * Reads a recording. A last record that was cut off (the process was killed) is left out.
 * @throws Error when the process changed a file in a way that the recorder cannot follow: such a recording proves nothing.
 */
export function readRecording(path: string): readonly RecordedEvent[] {
  const bytes = readFileSync(path);
  const events: RecordedEvent[] = [];
  for (let at = 0; at + HEAD <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt32LE(at);
    if (end > bytes.length) break;
    events.push(eventOf(bytes.subarray(at, end)));
    at = end;
  }
  return events;
}

/**
 * ```
 * 0        4     5      6            8             10  12       16  20  24        32
 * length   type  flags  path length  other length  -   process  fd  -   offset    path, other path, bytes
 * u32      u8    u8     u16          u16           -   i32      i32 -   i64
 * ```
 * `length` counts what follows it; little-endian.
 */
const HEAD = 32;
const TYPES = [
  'none',
  'open',
  'write',
  'truncate',
  'sync',
  'unlink',
  'rename',
  'link',
  'mkdir',
  'rmdir',
  'close',
  'ack',
  'unknown',
] as const;
const CREATED = 1;
const EMPTIED = 2;
const IS_FOLDER = 4;
const DATA_ONLY = 8;

function eventOf(record: Buffer): RecordedEvent {
  const type = TYPES[record.readUInt8(4)];
  const flags = record.readUInt8(5);
  const pathEnd = HEAD + record.readUInt16LE(6);
  const otherEnd = pathEnd + record.readUInt16LE(8);
  const path = record.toString('utf8', HEAD, pathEnd);
  const to = record.toString('utf8', pathEnd, otherEnd);
  const process = record.readInt32LE(12);
  const fd = record.readInt32LE(16);
  const number = Number(record.readBigInt64LE(24));
  const bytes = record.subarray(otherEnd);
  switch (type) {
    case 'open': {
      const created = (flags & CREATED) !== 0;
      const emptied = (flags & EMPTIED) !== 0;
      return { process, type, fd, path, created, emptied, isFolder: (flags & IS_FOLDER) !== 0, size: number };
    }
    case 'write':
      return { process, type, fd, offset: number, bytes };
    case 'truncate':
      return { process, type, fd, path, size: number };
    case 'sync':
      return { process, type, fd, dataOnly: (flags & DATA_ONLY) !== 0 };
    case 'unlink':
    case 'mkdir':
    case 'rmdir':
      return { process, type, path };
    case 'rename':
    case 'link':
      return { process, type, path, to };
    case 'close':
      return { process, type, fd };
    case 'ack':
      return { process, type, text: bytes.toString('utf8') };
    case 'unknown':
      throw new Error(`the process changed its files in a way that cannot be replayed: ${path}`);
    default:
      throw new Error('this is no recording');
  }
}
