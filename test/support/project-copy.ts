import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const TREE = fileURLToPath(new URL('../../', import.meta.url));
const COPIED = [
  'src',
  'drivers',
  'test/conformance',
  'test/drivers/sample',
  'test/support',
  'test/simulation',
  'package.json',
  'tsconfig.json',
  'biome.json',
  '.dependency-cruiser.mjs',
  '.gitignore',
];
/** Too large to copy; nothing is written there. */
const LINKED = ['node_modules', 'test/checks'];

/** What `tillctl driver new --json` says of what it made. */
export interface MadeDriver {
  readonly files: readonly string[];
  readonly lists: readonly string[];
  readonly by_hand: unknown;
}

/** A copy of the project that a test may write in. */
export class ProjectCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'tillctl-driver-'));

  constructor() {
    for (const part of COPIED) cpSync(join(TREE, part), join(this.folder, part), { recursive: true });
    mkdirSync(join(this.folder, 'config'));
    for (const part of LINKED) {
      mkdirSync(dirname(join(this.folder, part)), { recursive: true });
      symlinkSync(join(TREE, part), join(this.folder, part));
    }
  }

  /** Runs a script in the copy. @throws with its words when it fails */
  node(...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
    return promisify(execFile)(process.execPath, [...args], {
      cwd: this.folder,
      maxBuffer: 16 * 1024 * 1024,
    });
  }

  /** `tillctl driver new NAME`. */
  async newDriver(name: string): Promise<MadeDriver> {
    const { stdout } = await this.node('src/cli/tillctl.ts', 'driver', 'new', name, '--json');
    const document: unknown = JSON.parse(stdout);
    return (document as { data: MadeDriver }).data;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
