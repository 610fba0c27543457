import { processIo } from './io.ts';
import { run } from './program.ts';

// A reader that closes the pipe early (`tillctl payments | head -1`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await run(process.argv.slice(2), processIo());
