import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, messageOf } from '../base/errors.ts';
import type { Io } from './io.ts';

/** A new file with a text, which only this user can read; it stays until it is removed. */
export async function ownFile(name: string, text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'tillctl-')), name);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

/**
 * Opens a file in the user's editor and waits until it is closed: `$VISUAL`, `$EDITOR` (they may have arguments), else `editor`, as `crontab -e` does.
 * @throws USAGE where there is no editor, or it fails
 */
export async function opened(file: string, { env }: Io): Promise<void> {
  const editor = env['VISUAL'] || env['EDITOR'] || 'editor';
  const failed = (why: string) =>
    new AppError('USAGE', `the editor "${editor}" ${why}: set one that works, for example EDITOR=nano`);
  // By a shell, for the arguments; the name of the file is no part of its text.
  const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', (error) => reject(failed(messageOf(error))));
    child.on('close', resolve);
  });
  if (status !== 0) throw failed(`ended with ${status ?? 'a signal'}`);
}
