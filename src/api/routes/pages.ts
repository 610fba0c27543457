import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { Api, RoutePlugin } from '../api.ts';
import type { PageFile } from '../ports.ts';

/** Headers of every file of the pages. */
const ALWAYS = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const;

/** The browser revalidates its copy and gets "not modified". */
const REVALIDATED = 'no-cache';
/** The copy is good for as long as it is asked for under this address. */
const KEPT = 'public, max-age=31536000, immutable';
/** `/pages/RELEASE/console/app/main.js`; a page of an earlier release that is still open goes on with the files of this one. */
const OF_RELEASE = /^\/pages\/([^/]+)(\/.+)$/;

const Text = z.string();

/** The files of the pages, read into memory at the start: a file that is not in the list is not served. */
export function pageRoutes(files: readonly PageFile[]): RoutePlugin {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const addresses = new Set([...files.map(({ path }) => addressOf(path)), '/pages/*']);
  return async (api) => {
    for (const url of addresses) pageRoute(api, url, byPath);
  };
}

/** `/console/*` for every file below `/console`; `/` is one file. */
function addressOf(path: string): string {
  const [, folder = ''] = path.split('/');
  return folder === '' ? path : `/${folder}/*`;
}

function pageRoute(api: Api, url: string, files: ReadonlyMap<string, PageFile>): void {
  api.route({
    method: 'GET',
    url,
    config: {
      operationId: `getPage${url}`,
      tag: 'Pages',
      access: 'page',
      summary: 'A file of the pages.',
      replies: [{ status: 200, description: 'The file.', schema: Text }],
      refusals: [],
      hidden: true,
    },
    handler: (request, reply) => {
      const [path = ''] = request.url.split('?');
      const [, release, below = path] = OF_RELEASE.exec(path) ?? [];
      const file = files.get(below);
      if (!file) throw new AppError('ROUTE_UNKNOWN', 'There is nothing at this address');
      const caching = release === file.release ? KEPT : REVALIDATED;
      reply.headers({
        ...ALWAYS,
        'cache-control': caching,
        etag: file.etag,
        'content-security-policy': file.policy,
      });
      const known = request.header('if-none-match')?.split(',') ?? [];
      if (known.some((tag) => tag.trim() === file.etag)) return reply.code(304).send();
      return reply.type(file.mediaType).send(file.text);
    },
  });
}
