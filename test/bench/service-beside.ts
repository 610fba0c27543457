import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LeanOptions } from './lean-service.ts';

/** Starts `lean-service.ts`; it ends when `disconnect` is called on it. */
export async function startLeanService(
  options: LeanOptions,
): Promise<{ readonly service: ChildProcess; readonly url: string }> {
  const service = fork(fileURLToPath(new URL('lean-service.ts', import.meta.url)));
  return { service, url: await answerOf<string>(service, options) };
}

/** The next thing that a child says, asked with a message. */
export async function answerOf<T>(child: ChildProcess, question: object | string): Promise<T> {
  const answer = once(child, 'message');
  child.send(question);
  const [answered] = (await answer) as [T];
  return answered;
}
