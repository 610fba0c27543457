import { ackWriter } from './acks.ts';
import { ackCommits } from './commits.ts';
import { SCENARIOS } from './scenarios.ts';

/** One life of one scenario, in a process of its own: `life.ts SCENARIO before|lives INDEX FOLDER SPARE`. */
async function main([name, part, index, folder, spare]: readonly string[]): Promise<void> {
  const scenario = SCENARIOS.find((one) => one.name === name);
  const life = (part === 'before' ? scenario?.before : scenario?.lives)?.[Number(index)];
  if (!scenario || !life || !folder || !spare) throw new Error('no such life');
  const ack = ackWriter();
  ackCommits(ack);
  const number = Number(index) + (part === 'before' ? 0 : (scenario.before?.length ?? 0));
  const end = await life({ folder, spare, ack, life: number });
  if (end === 'killed') process.kill(process.pid, 'SIGKILL');
  process.exit(0);
}

await main(process.argv.slice(2));
