import { X509Certificate } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ShopTls } from '../../certificates/shop-certificate.ts';
import type { PageFile } from '../ports.ts';
import { mobileConfig } from './mobile-config.ts';
import { deviceOf, languageOf, trustPage } from './trust-page.ts';

/** All that plain HTTP ever gets. */
const STYLE_AND_SCRIPT: Readonly<Record<string, string>> = {
  '/trust/theme.css': '/console/style/theme.css',
  '/trust/page.css': '/console/trust/page.css',
  '/trust/page.js': '/console/trust/page.js',
};
const MAX_HEADER_BYTES = 8_192;

export interface TrustSiteDeps {
  readonly shop: () => ShopTls;
  /** `https://shop.local:8443` */
  readonly address: () => string;
  readonly files: readonly PageFile[];
  /** After this time a connection is cut. */
  readonly withinMs: number;
}

interface Document {
  readonly type: string;
  readonly body: string | Buffer;
  /** Name of the file that it is saved as. */
  readonly saveAs?: string;
}

/**
 * What a device that does not trust the shop yet reads over plain HTTP, on the port of the shop's TLS: one page, the certificate in two forms,
 * its style and its script. All of it is public, none of it depends on who asks, and nothing that is sent here is used. Any other request is
 * answered that this port speaks TLS.
 * Why plain HTTP: over TLS the first thing a person would learn is to go past the browser's warning.
 * It does not listen by itself: connections are handed to it.
 */
export function createTrustSite(deps: TrustSiteDeps): Server {
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) =>
    answer(request, response, deps),
  );
  server.on('connection', (socket: Socket) => {
    const cut = setTimeout(() => socket.destroy(), deps.withinMs).unref();
    socket.once('close', () => clearTimeout(cut));
  });
  return server;
}

function answer(request: IncomingMessage, response: ServerResponse, deps: TrustSiteDeps): void {
  const address = deps.address();
  const document = request.method === 'GET' ? documentOf(request, deps) : null;
  response.setHeader('connection', 'close');
  response.setHeader('x-content-type-options', 'nosniff');
  if (!document) {
    const words = `This port speaks TLS: use ${address}. A device that does not trust the shop yet begins at ${plain(address)}/trust\n`;
    response.writeHead(426, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(words),
      upgrade: 'TLS/1.2',
      connection: 'Upgrade, close',
    });
    response.end(words);
    return;
  }
  const { type, body, saveAs } = document;
  response.writeHead(200, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'self'; connect-src ${address}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    ...(saveAs === undefined ? {} : { 'content-disposition': `attachment; filename="${saveAs}"` }),
  });
  response.end(body);
}

function documentOf({ url = '', headers }: IncomingMessage, deps: TrustSiteDeps): Document | null {
  const [path = '', query = ''] = url.split('?');
  const { host, fingerprint, authority } = deps.shop();
  const der = new X509Certificate(authority).raw;
  switch (path) {
    case '/':
    case '/trust': {
      const language = languageOf(new URLSearchParams(query).get('lang'), headers['accept-language']);
      const device = deviceOf(headers['user-agent']);
      const body = trustPage({ host, fingerprint, address: deps.address(), language, device });
      return { type: 'text/html; charset=utf-8', body };
    }
    case '/trust/ca.crt':
      return { type: 'application/x-x509-ca-cert', body: der, saveAs: `${host}.crt` };
    case '/trust/ca.mobileconfig': {
      const body = mobileConfig(host, der, fingerprint);
      return { type: 'application/x-apple-aspen-config', body, saveAs: `${host}.mobileconfig` };
    }
    default: {
      const file = deps.files.find((one) => one.path === STYLE_AND_SCRIPT[path]);
      return file ? { type: file.mediaType, body: file.text } : null;
    }
  }
}

/** The same port without TLS. */
export function plain(address: string): string {
  return address.replace(/^https:/, 'http:');
}
