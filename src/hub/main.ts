import { readFileSync } from 'node:fs';
import { messageOf } from '../base/errors.ts';
import { commandLine } from './command-line.ts';
import { printable } from './printing.ts';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const version =
  typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';

try {
  await commandLine(version).parseAsync(process.argv);
} catch (error) {
  process.stderr.write(`tillhub: ${messageOf(error).split('\n').map(printable).join('\n')}\n`);
  process.exitCode = 1;
}
