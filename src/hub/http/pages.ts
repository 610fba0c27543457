import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const FOLDER = fileURLToPath(new URL('../pages/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Headers of every file: nothing from elsewhere, nothing inline, no frame; the browser revalidates its copy. */
const ALWAYS = {
  'content-security-policy':
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};

/** The pages for operators, as they are: each file is read once at the start, `index.html` is at `/`, and what is no page is not served. */
export function addPages(hub: FastifyInstance): void {
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((one) => extname(one) in TYPES)) {
    const text = readFileSync(`${FOLDER}${name}`, 'utf8');
    const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
    hub.get(name === 'index.html' ? '/' : `/pages/${name}`, (request, reply) => {
      reply.headers({ ...ALWAYS, etag });
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type(TYPES[extname(name)] ?? '').send(text);
    });
  }
}

/** A file from memory costs nothing: it is served also while the hub has too much to do, and the page says so. */
export function isPage({ routeOptions: { url = '' } }: FastifyRequest): boolean {
  return url === '/' || url.startsWith('/pages/');
}
