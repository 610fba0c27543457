import { existsSync, type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Calls `onChange` when a file came or went in one of the folders where ports have their names.
 * Only a bell: it may ring for nothing, and where a folder cannot be watched or comes later it does not ring at all, so whoever
 * waits for a port looks for it from time to time as well.
 * @returns ends it.
 */
export function watchFolders(folders: readonly string[], onChange: () => void): () => void {
  const watchers = [...new Set(folders)].flatMap((folder) => watchFolder(folder, onChange));
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}

/**
 * The folders to watch for the port at `path`, or for any. Every write to a device rings in /dev itself, and `/dev/null` is written
 * to all the time: where udev keeps a folder of links for all character devices, that one is as good and quiet.
 */
export function foldersOfPorts(dev: string, path: string | null): readonly string[] {
  const all = ['char', 'serial/by-id', 'serial/by-path'].map((name) => join(dev, name));
  const own = path === null || path.startsWith(`${dev}/`) ? [] : [dirname(path)];
  return [...all, ...own].filter((folder) => existsSync(folder));
}

function watchFolder(folder: string, onChange: () => void): readonly FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, (event) => {
      if (event === 'rename') onChange();
    });
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}
