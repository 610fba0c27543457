import { dirname } from 'node:path';
import type { RecordedEvent } from '../record/recording.ts';

/** A change of a file that no sync has made last yet. */
export type Change =
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'size'; readonly size: number };

/** A file, whatever it is called: what is surely on the disk, and what may be. */
export interface FileOnDisk {
  durable: Buffer;
  pending: Change[];
}

/** A change of a folder's entries that no sync has made last yet. `file`: null takes the name away. */
export interface NameChange {
  readonly path: string;
  readonly file: FileOnDisk | null;
  /** The same change's other half: a rename gives one name and takes another, both or neither. */
  readonly also?: { readonly path: string; readonly file: FileOnDisk | null };
}

/** SQLite's index of its log: memory that has a name. Whoever opens the database first makes it anew. */
export function isIndex(path: string): boolean {
  return path.endsWith('-shm');
}

/**
 * What a disk holds while a process writes to it: what is surely on it, and what is still on its way.
 *
 * The model, as ext4, xfs and btrfs promise it:
 * - `fsync` and `fdatasync` of a file make everything written to it before last, and its size;
 * - nothing else is sure: every other write may be there or not, in any order, or in part (`loss.ts`);
 * - the names of files change in order, none before an earlier one (metadata are journalled); a rename is whole or not there;
 * - a name lasts once its folder is synced, or, for a file that was newly made under it, that file;
 * - a write does no harm to bytes beside it (what SQLite calls powersafe overwrite).
 */
export class Disk {
  readonly #durable: Map<string, FileOnDisk>;
  readonly #current: Map<string, FileOnDisk>;
  readonly #open = new Map<string, FileOnDisk | { readonly folder: string }>();
  #names: NameChange[] = [];

  /** `before`: what was on it, durably, before the recording. */
  constructor(before: ReadonlyMap<string, Buffer> = new Map()) {
    this.#durable = new Map([...before].map(([path, durable]) => [path, { durable, pending: [] }]));
    this.#current = new Map(this.#durable);
  }

  /** Names that last, and what they lead to. */
  get durable(): ReadonlyMap<string, FileOnDisk> {
    return this.#durable;
  }

  /** Changes of names that may be lost, oldest first; some of them may be there, then all older ones are. */
  get names(): readonly NameChange[] {
    return this.#names;
  }

  /** Everything as the running machine sees it. */
  seen(): ReadonlyMap<string, Buffer> {
    const files = [...this.#current].filter(([path]) => !isIndex(path));
    return new Map(files.map(([path, { durable, pending }]) => [path, changed(durable, pending)]));
  }

  apply(event: RecordedEvent): void {
    switch (event.type) {
      case 'open':
        this.#opened(event);
        break;
      case 'write':
        this.#change(event.process, event.fd, { kind: 'write', offset: event.offset, bytes: event.bytes });
        break;
      case 'truncate':
        this.#truncated(event);
        break;
      case 'sync':
        this.#synced(event.process, event.fd);
        break;
      case 'unlink':
        this.#rename({ path: event.path, file: null });
        break;
      case 'rename':
        if (event.path === event.to) break;
        this.#rename({
          path: event.to,
          file: this.#require(event.path),
          also: { path: event.path, file: null },
        });
        break;
      case 'link':
        this.#rename({ path: event.to, file: this.#require(event.path) });
        break;
      case 'close':
        this.#open.delete(handle(event.process, event.fd));
        break;
      // A folder is there where a file of it is.
      case 'mkdir':
      case 'rmdir':
      case 'ack':
        break;
    }
  }

  #opened({ process, fd, path, created, emptied, isFolder, size }: RecordedEvent & { type: 'open' }): void {
    const key = handle(process, fd);
    if (isFolder) {
      this.#open.set(key, { folder: path });
      return;
    }
    if (created) this.#rename({ path, file: { durable: Buffer.alloc(0), pending: [] } });
    const file = this.#require(path);
    if (!isIndex(path) && !created && sizeOf(file) !== size)
      throw new Error(`${path} has ${size} bytes where the recording leads to ${sizeOf(file)}`);
    if (emptied) file.pending.push({ kind: 'size', size: 0 });
    this.#open.set(key, file);
  }

  #truncated({ process, fd, path, size }: RecordedEvent & { type: 'truncate' }): void {
    if (fd >= 0) this.#change(process, fd, { kind: 'size', size });
    else this.#require(path).pending.push({ kind: 'size', size });
  }

  #change(process: number, fd: number, change: Change): void {
    const file = this.#open.get(handle(process, fd));
    if (!file || 'folder' in file) throw new Error(`file ${fd} is written to and was never opened`);
    file.pending.push(change);
  }

  #synced(process: number, fd: number): void {
    const file = this.#open.get(handle(process, fd));
    if (!file) throw new Error(`file ${fd} is synced and was never opened`);
    if ('folder' in file) {
      const { folder } = file;
      this.#settleNames(this.#names.findLastIndex((change) => isIn(folder, change)));
      return;
    }
    file.durable = changed(file.durable, file.pending);
    file.pending = [];
    this.#settleNames(this.#names.findLastIndex((change) => change.file === file && !change.also));
  }

  #rename(change: NameChange): void {
    this.#names.push(change);
    renamed(this.#current, change);
  }

  /** Everything up to this change lasts. */
  #settleNames(last: number): void {
    for (const change of this.#names.slice(0, last + 1)) renamed(this.#durable, change);
    this.#names = this.#names.slice(last + 1);
  }

  #require(path: string): FileOnDisk {
    const file = this.#current.get(path);
    if (!file) throw new Error(`${path} is used and was never made`);
    return file;
  }
}

/** Does a change of names. */
export function renamed(names: Map<string, FileOnDisk>, { path, file, also }: NameChange): void {
  for (const one of also ? [{ path, file }, also] : [{ path, file }]) {
    if (one.file) names.set(one.path, one.file);
    else names.delete(one.path);
  }
}

/** A file's bytes after some changes, oldest first; a write behind the end leaves zeros between. */
export function changed(content: Buffer, changes: readonly Change[]): Buffer {
  if (changes.length === 0) return content;
  let size = content.length;
  const room = Buffer.alloc(changes.reduce((most, change) => Math.max(most, endOf(change)), size));
  content.copy(room);
  for (const change of changes) {
    if (change.kind === 'write') change.bytes.copy(room, change.offset);
    else if (change.size < size) room.fill(0, change.size, size);
    size = change.kind === 'size' ? change.size : Math.max(size, endOf(change));
  }
  return room.subarray(0, size);
}

function endOf(change: Change): number {
  return change.kind === 'size' ? change.size : change.offset + change.bytes.length;
}

function sizeOf({ durable, pending }: FileOnDisk): number {
  return pending.reduce(
    (size, change) => (change.kind === 'size' ? change.size : Math.max(size, endOf(change))),
    durable.length,
  );
}

function isIn(folder: string, { path, also }: NameChange): boolean {
  return [path, also?.path].some((name) => name !== undefined && folderOf(name) === folder);
}

function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
}

function handle(process: number, fd: number): string {
  return `${process}:${fd}`;
}
