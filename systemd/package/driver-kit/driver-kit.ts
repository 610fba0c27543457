import { join, relative } from 'node:path';
import { ROOT } from '../bundle.ts';
import { buildDriverKit } from './kit-package.ts';

// `npm run driver-kit`: dist/driver-kit, from which drivers outside of this repository are written and tested. `npm run package` ships it.
const into = join(ROOT, 'dist/driver-kit');
await buildDriverKit(into);
process.stdout.write(`${relative(ROOT, into)}\n`);
