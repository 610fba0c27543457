import { request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of many shapes
  readonly json: any;
}

export interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One request: what people meet at the pages is not in the document of the interface, so nothing is held against it. */
export function ask(to: string, { method = 'GET', path, headers = {}, body }: Ask): Promise<Answer> {
  const target = to.startsWith('http') ? { host: '127.0.0.1', port: new URL(to).port } : { socketPath: to };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = request(
      { ...target, method, path, headers: { ...type, ...headers }, agent: false },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => {
          const isJson = String(answer.headers['content-type']).startsWith('application/json');
          const json: unknown = isJson ? JSON.parse(text) : null;
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json });
        });
      },
    );
    asked.once('error', reject).end(body);
  });
}
