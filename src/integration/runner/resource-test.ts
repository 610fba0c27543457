import type { Connector, SyncWindow } from '../connector.ts';
import { failureOf } from '../failure/failure.ts';
import { isOfSource } from '../failure/source-refusal.ts';
import type { ResourceTest } from '../sync-runner-port.ts';

/** Reads the first page of a resource. @throws what is no error of the source */
export async function testedResource(
  connector: Pick<Connector, 'list'>,
  resource: string,
  window: SyncWindow,
  signal: AbortSignal,
): Promise<ResourceTest> {
  try {
    signal.throwIfAborted();
    const { records, bad, next } = await connector.list(resource, window, null, signal);
    const received = records.length + bad.length;
    return { resource, isReadable: true, received, bad: bad.length, hasMore: next !== null, failure: null };
  } catch (error) {
    if (!isOfSource(error)) throw error;
    const { code, message } = failureOf(error);
    return { resource, isReadable: false, received: 0, bad: 0, hasMore: false, failure: { code, message } };
  }
}
