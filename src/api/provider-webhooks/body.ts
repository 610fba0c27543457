import type { IncomingMessage, ServerResponse } from 'node:http';

/** The largest body of a webhook: 256 KiB. */
export const MOST_BODY_BYTES = 256 * 1024;
/** What a sender of a larger one may still send before its connection is cut: it should see the answer. */
const MOST_IGNORED_BYTES = 1024 * 1024;

/** The bytes of a body as they came. `too_large`: the answer may be sent while it still comes; `gone`: the sender went away. */
export function bodyOf(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Buffer | 'too_large' | 'gone'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLarge = () => {
      chunks.length = 0;
      resolve('too_large');
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MOST_BODY_BYTES) chunks.push(chunk);
      else tooLarge();
      if (size > MOST_BODY_BYTES + MOST_IGNORED_BYTES) request.destroy();
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => resolve('gone'));
    request.once('close', () => resolve('gone'));
    if (Number(request.headers['content-length'] ?? 0) > MOST_BODY_BYTES) tooLarge();
    else if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  });
}
