import { installPackages } from '../support/suite-packages.ts';

/** Run by vitest before the first test. */
export function setup(): void {
  installPackages(import.meta.dirname);
}
