import { existsSync, type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Calls `onChange` when a file was added to or removed from one of the folders with the names of ports.
 * It is only a hint: it may call without a change, and where a folder cannot be watched or is created later it never calls, so a caller that waits
 * for a port also checks for it from time to time.
 * @returns a function that ends it.
 */
export function watchFolders(folders: readonly string[], onChange: () => void): () => void {
  const watchers = [...new Set(folders)].flatMap((folder) => watchFolder(folder, onChange));
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}

/**
 * The folders to watch for the port at `path`, or for any. Every write to a device triggers a watch of /dev itself, and programs write to `/dev/null`
 * all the time: where udev keeps a folder of links for all character devices, that one is as good and quiet.
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
