import type { Io } from './io.ts';

/**
 * Asks a question; only y or yes means yes, the end of the input means no.
 * @param signal ends the question: it rejects then, and leaves no open input behind
 */
export async function confirmed(io: Io, question: string, signal?: AbortSignal): Promise<boolean> {
  io.err(`${question} [y/N] `);
  signal?.addEventListener('abort', () => io.input.destroy?.(), { once: true });
  const decoder = new TextDecoder();
  let line = '';
  for await (const chunk of io.input) {
    line += decoder.decode(chunk, { stream: true });
    if (line.includes('\n') || line.length > 100) break;
  }
  return /^\s*y(es)?\s*$/i.test(line.split('\n')[0] ?? '');
}
