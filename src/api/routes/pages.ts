import { z } from 'zod';
import type { Api, RoutePlugin } from '../api.ts';
import type { PageFile } from '../ports.ts';

/** Headers of every file of the pages; the browser revalidates its copy and gets "not modified". */
const ALWAYS = {
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const;

const Text = z.string();

/** The files of the pages, each at its own address: a file that is not in the list is not served. */
export function pageRoutes(files: readonly PageFile[]): RoutePlugin {
  return async (api) => {
    for (const file of files) pageRoute(api, file);
  };
}

function pageRoute(api: Api, file: PageFile): void {
  api.route({
    method: 'GET',
    url: file.path,
    config: {
      operationId: `getPage${file.path}`,
      tag: 'Pages',
      access: 'page',
      summary: 'A file of the pages.',
      replies: [{ status: 200, description: 'The file.', mediaType: file.mediaType, schema: Text }],
      refusals: [],
      hidden: true,
    },
    handler: ({ header }, reply) => {
      reply.headers({ ...ALWAYS, etag: file.etag, 'content-security-policy': file.policy });
      const known = header('if-none-match')?.split(',') ?? [];
      if (known.some((tag) => tag.trim() === file.etag)) return reply.code(304).send();
      return reply.type(file.mediaType).send(file.text);
    },
  });
}
