// Prints the test files that failed, one per line, by the JSON report of a run: `failed-files.mjs REPORT`. Fails where a run failed without such a
// file (an error outside the tests), or with more than three: that is no busy machine.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const MOST = 3;
const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const failed = testResults.filter((file) => file.status === 'failed').map((file) => relative('.', file.name));
if (failed.length === 0 || failed.length > MOST) process.exit(1);
console.log(failed.join('\n'));
