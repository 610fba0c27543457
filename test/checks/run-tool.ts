import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from '../support/suite-packages.ts';

const BROWSER = join(import.meta.dirname, '../browser');

/** `node test/checks/run-tool.ts NAME arguments`: runs one of the tools of this folder; installs them before that where they are missing. */
const [name = '', ...args] = process.argv.slice(2);
installPackages(import.meta.dirname);
// Its tests import the types of the browser's driver.
installPackages(BROWSER);
const program = join(import.meta.dirname, 'node_modules/.bin', name);
if (existsSync(program)) {
  const { status } = spawnSync(process.execPath, [realpathSync(program), ...args], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  process.stderr.write(`there is no tool "${name}" in ${import.meta.dirname}\n`);
  process.exitCode = 2;
}
