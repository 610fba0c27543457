import { ackWriter } from './acks.ts';
import { ackCommits } from './commits.ts';
import { STORIES } from './stories.ts';

/** One life of one story, in a process of its own: `life.ts STORY before|lives INDEX FOLDER SPARE`. */
async function main([name, part, index, folder, spare]: readonly string[]): Promise<void> {
  const story = STORIES.find((one) => one.name === name);
  const life = (part === 'before' ? story?.before : story?.lives)?.[Number(index)];
  if (!story || !life || !folder || !spare) throw new Error('no such life');
  const ack = ackWriter();
  ackCommits(ack);
  const number = Number(index) + (part === 'before' ? 0 : (story.before?.length ?? 0));
  const end = await life({ folder, spare, ack, life: number });
  if (end === 'killed') process.kill(process.pid, 'SIGKILL');
  process.exit(0);
}

await main(process.argv.slice(2));
