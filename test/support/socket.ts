import { Client } from 'undici';

/** A request over a daemon's unix socket, which needs no key. @throws Error with the answer for anything but 2xx */
export async function askOver(
  socketPath: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const client = new Client('http://localhost', { socketPath });
  try {
    const reply = await client.request({
      method: method as 'GET',
      path,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.body.text();
    if (reply.statusCode >= 300) throw new Error(`${method} ${path}: ${reply.statusCode} ${text}`);
    return text === '' ? null : JSON.parse(text);
  } finally {
    await client.destroy();
  }
}
