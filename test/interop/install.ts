import { installPackages } from '../support/suite-packages.ts';
import { FOREIGN } from './foreign-package.ts';

/** Run by vitest before the first test. */
export function setup(): void {
  installPackages(FOREIGN);
}
