import { join } from 'node:path';
import type { StateFolder } from '../../src/runtime/state-folder.ts';

/** The files of a state folder, as the daemon names them; nothing is locked. */
export function stateFolder(path: string): StateFolder {
  return {
    path,
    moneyDatabase: join(path, 'money.db'),
    archiveDatabase: join(path, 'archive.db'),
    mirrorDatabase: join(path, 'mirror.db'),
    epoch: join(path, 'epoch'),
    journalAnchors: join(path, 'journal-anchors'),
    unreadPages: join(path, 'unread-pages'),
    socket: join(path, 'tilld.sock'),
    credentials: join(path, 'credentials'),
    sandbox: join(path, 'sandbox'),
    release: () => undefined,
  };
}
