import { join } from 'node:path';
import type { Log } from '../base/log.ts';
import { readCredential } from '../config/credentials.ts';
import type { SealKeyPlace } from '../runtime/sealer.ts';
import type { StateFolder } from '../runtime/state-folder.ts';
import { writeFileDurably } from '../store/disk/durable-file.ts';

const NAME = 'seal.key';

/** The key that seals secrets in the database: a credential like others, created in the state folder when none was provided. */
export function sealKeyPlace(folder: StateFolder, log: Log): SealKeyPlace {
  const path = join(folder.credentials, NAME);
  return {
    read: () => {
      const found = readCredential(NAME, { stateDir: folder.path, env: process.env });
      if (found?.warning) log.warn({ credential: NAME, warning: found.warning }, 'credential is not safe');
      return found?.value;
    },
    keep: (key) => {
      writeFileDurably(path, `${key}\n`);
      log.info({ file: path }, 'key that seals secrets made; no backup of the books holds it');
    },
  };
}
