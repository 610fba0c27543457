import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceFile } from '../integration/connector.ts';
import { sourceError } from '../integration/failure/source-error.ts';

/** The files of one folder, for a connector that reads files: names only, never a path that leads out of it. */
export interface SourceFolder {
  /** Regular files; no links, no hidden files. @throws SOURCE_UNAVAILABLE */
  files(): Promise<readonly SourceFile[]>;
  /** @throws SOURCE_UNAVAILABLE when the file is gone or cannot be read, SOURCE_REFUSED for a name that is not a plain file name */
  readFile(name: string, offset: number, length: number): Promise<Uint8Array>;
}

/** A folder with more files is refused until staff move files away. */
const MOST_FILES = 10_000;
const LONGEST_READ = 4 * 1024 * 1024;

/** Opens nothing before the first call. */
export function sourceFolder(folder: string): SourceFolder {
  return {
    files: async () => {
      const entries = await reading(readdir(folder, { withFileTypes: true }), 'the folder');
      const names = entries
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
        .map(({ name }) => name);
      if (names.length > MOST_FILES) {
        throw sourceError(
          'SOURCE_REFUSED',
          `the folder holds more than ${MOST_FILES} files: move away what was read`,
        );
      }
      return Promise.all(names.map((name) => factsOf(folder, name)));
    },
    readFile: async (name, offset, length) => {
      if (name === '' || name.startsWith('.') || /[/\\\0]/.test(name)) {
        throw sourceError('SOURCE_REFUSED', 'this is not the name of a file in the folder');
      }
      const file = await reading(open(join(folder, name), 'r'), name);
      try {
        const piece = new Uint8Array(Math.min(length, LONGEST_READ));
        let filled = 0;
        while (filled < piece.length) {
          const { bytesRead } = await reading(
            file.read(piece, filled, piece.length - filled, offset + filled),
            name,
          );
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return piece.subarray(0, filled);
      } finally {
        await file.close();
      }
    },
  };
}

/** A file that was moved here, or whose date a copy set back, is as new as its arrival: no program can set `ctime`. */
async function factsOf(folder: string, name: string): Promise<SourceFile> {
  const { mtimeMs, ctimeMs, size } = await reading(stat(join(folder, name)), name);
  return { name, modifiedAt: Math.floor(Math.max(mtimeMs, ctimeMs)), bytes: size };
}

async function reading<T>(task: Promise<T>, what: string): Promise<T> {
  try {
    return await task;
  } catch (error) {
    const word = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw sourceError('SOURCE_UNAVAILABLE', `${what} cannot be read (${word})`);
  }
}
