import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('./recorder.c', import.meta.url));
const FLAGS = ['-O2', '-Wall', '-shared', '-fPIC', '-pthread'];

/** Says what to do where no compiler is. */
export const NO_COMPILER =
  'a power cut is played with a recorder that `cc` compiles, and there is no `cc` here: install a C compiler (Debian: gcc and libc6-dev)';

/** Whether this machine can compile the recorder: it needs Linux and `cc`. */
export function hasCompiler(): boolean {
  return process.platform === 'linux' && spawnSync('cc', ['--version'], { stdio: 'ignore' }).status === 0;
}

/**
 * Compiles the recorder into a folder; gives the path of the library, or null where there is no compiler.
 * @throws Error when the compiler refuses.
 */
export function buildRecorder(folder: string): string | null {
  if (!hasCompiler()) return null;
  const library = join(folder, 'recorder.so');
  const { status, stderr } = spawnSync('cc', [...FLAGS, '-o', library, SOURCE], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the recorder does not compile: ${stderr}`);
  return library;
}
