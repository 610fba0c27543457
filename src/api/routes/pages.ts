import { z } from 'zod';
import type { PageFile } from '../ports.ts';
import type { DocumentReply } from '../reply/reply.ts';
import { NoParams } from './list-reply.ts';
import { defineRoute, type Route } from './route.ts';

/** Headers of every file of the pages; the browser revalidates its copy and gets "not modified". */
const ALWAYS = {
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const;

const NoQuery = z.object({});
const Text = z.string();

/** The files of the pages, each at its own address: a file that is not in the list is not served. */
export function pageRoutes(files: readonly PageFile[]): readonly Route[] {
  return files.map((file) =>
    defineRoute({
      method: 'GET',
      path: file.path,
      operationId: `getPage${file.path}`,
      tag: 'Pages',
      access: 'page',
      summary: 'A file of the pages.',
      params: NoParams,
      query: NoQuery,
      body: null,
      replies: [{ status: 200, description: 'The file.', mediaType: file.mediaType, schema: Text }],
      refusals: [],
      handler: (_input, { header }) => replyOf(file, header('if-none-match')),
    }),
  );
}

function replyOf(file: PageFile, known: string | undefined): DocumentReply {
  const headers = { ...ALWAYS, etag: file.etag, 'content-security-policy': file.policy };
  const isKnown = known?.split(',').some((tag) => tag.trim() === file.etag);
  if (isKnown) return { kind: 'document', status: 304, headers, body: '' };
  return {
    kind: 'document',
    status: 200,
    headers: { ...headers, 'content-type': file.mediaType },
    body: file.text,
  };
}
