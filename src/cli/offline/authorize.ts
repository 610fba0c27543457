import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { checkedIntegrations } from '../../agent/served-integrations.ts';
import { Integration } from '../../api/contract/integration.ts';
import { dataOf } from '../../api/contract/primitives.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import { silentLog } from '../../base/log.ts';
import { loadSellingConfig } from '../../config/load.ts';
import type { ConfiguredProvider } from '../../driver-kit/provider.ts';
import type { OAuthClient, ProviderCredentials } from '../../integration/connector.ts';
import { isSourceError } from '../../integration/failure/source-error.ts';
import { type Authorisation, beginAuthorisation } from '../../net/oauth-authorisation.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { textOf } from '../input-file.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { integrationPath, withNextStep } from '../provider.ts';
import { addressText } from '../show/credentials.ts';
import { integrationText } from '../show/integration.ts';
import { plain } from '../show/plain.ts';
import { storedAddress } from '../verbs/credentials.ts';
import { usualConfig } from './state-files.ts';

export interface AuthorizeOptions extends GlobalOptions {
  readonly provider: string;
  /** Holds `id` or `id:secret` of the OAuth client. */
  readonly apiKeyFile?: string;
  readonly baseUrl?: string;
  readonly config?: string;
  /** Of the redirect address; 0 takes any free one. */
  readonly port: number;
}

const MOST_KEY_BYTES = 4096;
const WITHIN_MS = 600_000;
const HOST = '127.0.0.1';
const PATH = '/callback';

/** `tillctl authorize P --api-key-file F`: a person authorises tilld at the provider in a browser; tilld keeps what comes of it. */
export async function authorize(options: AuthorizeOptions, io: Io): Promise<ExitCode> {
  const path = integrationPath(options.provider);
  const daemon = connect(options, io);
  await daemon.call({ path }, dataOf(Integration));
  const baseUrl = options.baseUrl ?? (await storedAddress(options.provider, daemon)) ?? '';
  const { client, allowPlainHttp } = await clientOf({ ...options, baseUrl }, io);
  const server = await listening(options.port);
  try {
    const { port } = server.address() as AddressInfo;
    const redirectUri = `http://${HOST}:${port}${PATH}`;
    const authorisation = await beginAuthorisation(client, { redirectUri, allowPlainHttp, log: silentLog });
    io.err(
      `Open this address in a browser on this machine, and authorise tilld there:\n\n${authorisation.url}\n\n`,
    );
    io.err(`The provider then leads back to ${redirectUri}. Waiting, ten minutes at most; Ctrl-C ends it.\n`);
    const refreshToken = await answered(server, authorisation, io);
    const apiKey = [client.id, client.secret, refreshToken].map(encodeURIComponent).join(':');
    const credentials = { apiKey, ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }) };
    const call = {
      method: 'POST',
      path: integrationPath(options.provider, 'rotate'),
      body: { credentials },
    } as const;
    const { body, value } = await withNextStep(options.provider, daemon, () =>
      daemon.call(call, dataOf(Integration)),
    );
    if (options.json) printDocument(io, body);
    else io.out(integrationText(value.data) + (baseUrl === '' ? '' : addressText(baseUrl)));
    if (!value.data.active) io.err(`It is not active yet. Next: \`tillctl activate ${options.provider}\`\n`);
    return EXIT.done;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** @throws USAGE, CONFIG_INVALID */
async function clientOf(
  { provider, apiKeyFile, baseUrl, config }: AuthorizeOptions & { readonly baseUrl: string },
  io: Io,
): Promise<{ readonly client: OAuthClient; readonly allowPlainHttp: boolean }> {
  if (apiKeyFile === undefined)
    throw new AppError(
      'USAGE',
      '--api-key-file FILE is needed: it holds id:secret of the OAuth client, or its id alone',
    );
  const file = config === undefined ? usualConfig(io.cwd) : resolve(io.cwd, config);
  const selling = loadSellingConfig(file);
  const { served } = await checkedIntegrations(selling.config, file, selling.refused);
  const integration = served.find(({ name }) => name === provider);
  if (!integration)
    throw new AppError(
      'USAGE',
      `${provider} has no connector in ${file} that can run: tillctl config check ${file}`,
    );
  const key = (await textOf(apiKeyFile, io, MOST_KEY_BYTES)).trim();
  const [id = '', secret = '', more] = key.split(':');
  if (id === '' || more !== undefined)
    throw new AppError(
      'USAGE',
      'the key file must hold id:secret of the OAuth client, or its id alone, on one line',
    );
  if (baseUrl === '' && integration.configured.needs.includes('baseUrl'))
    throw new AppError(
      'USAGE',
      `--base-url ADDRESS is needed: the recipe of ${provider} has none, and none is stored`,
    );
  const client = personsClient(integration.configured, { ...NO_NAMES, baseUrl, apiKey: `${id}:${secret}` });
  if (client === null)
    throw new AppError(
      'USAGE',
      `the recipe of ${provider} needs "auth" of the type "oauth2" with the grant "refresh_token" and an "authorizeUrl"`,
    );
  return { client, allowPlainHttp: integration.config.allow_plain_http };
}

const NO_NAMES = { appName: 'tilld', appEmail: 'tilld@localhost' };

/** Null: no person authorises tilld there. @throws SOURCE_REFUSED where the address is missing */
function personsClient(configured: ConfiguredProvider, own: ProviderCredentials): OAuthClient | null {
  try {
    const client = configured.access({ ...own, apiKey: `${own.apiKey}:pending` })?.oauth;
    return client?.grant === 'refresh_token' && client.authorizeUrl !== '' ? client : null;
  } catch (error) {
    // A key of two parts is enough: the client acts for itself.
    configured.access(own);
    if (isSourceError(error)) return null;
    throw error;
  }
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };

function listening(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((done, failed) => {
    const refused = (error: Error) =>
      failed(new AppError('USAGE', `port ${port} cannot be used: ${messageOf(error)}`));
    server.once('error', refused).listen(port, HOST, () => done(server.off('error', refused)));
  });
}

/** Waits for the one request that answers; any other is none. */
function answered(server: Server, authorisation: Authorisation, io: Io): Promise<string> {
  return new Promise((done, failed) => {
    const end = (work: () => void) => {
      clearTimeout(late);
      forget();
      work();
    };
    const late = setTimeout(
      () => end(() => failed(unanswered('no answer came within ten minutes'))),
      WITHIN_MS,
    );
    const forget = io.onInterrupt(() => end(() => failed(unanswered('it was ended'))));
    let isTaken = false;
    server.on('request', (request, response) => {
      const url = URL.parse(request.url ?? '', `http://${HOST}`);
      const isAnswer =
        request.method === 'GET' && url?.pathname === PATH && authorisation.isAnswer(url.searchParams);
      if (!url || !isAnswer || isTaken) return void response.writeHead(404).end();
      isTaken = true;
      // The token may come late, and after the window was closed: it counts all the same.
      clearTimeout(late);
      const shown = (status: number, words: string, work: () => void) => {
        if (response.destroyed) return end(work);
        response.once('close', () => end(work));
        response.writeHead(status, TEXT).end(`${words}\n`);
      };
      authorisation.finish(url.searchParams).then(
        (token) => shown(200, 'tilld is authorised. You can close this window.', () => done(token)),
        (error: unknown) => shown(400, plain(messageOf(error)), () => failed(error)),
      );
    });
  });
}

function unanswered(why: string): AppError {
  return new AppError('AUTHORISATION_REFUSED', `nothing was stored: ${why}`);
}
