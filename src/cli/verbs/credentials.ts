import { Credentials, Integration, TestedCredentials } from '../../api/contract/integration.ts';
import { dataOf, listOf } from '../../api/contract/primitives.ts';
import { ResourceTest, StoredCredentials } from '../../api/contract/sync.ts';
import { AppError } from '../../base/errors.ts';
import type { DaemonClient } from '../client.ts';
import { connect } from '../connect.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { textOf } from '../input-file.ts';
import { type GlobalOptions, type Io, printDocument } from '../io.ts';
import { integrationPath, moreOf, renewalOf, type Way, wayAt, withNextStep } from '../provider.ts';
import { addressText, credentialText, resourceTestTable, unreadableText } from '../show/credentials.ts';
import { integrationText } from '../show/integration.ts';
import { plain } from '../show/plain.ts';

export interface CredentialOptions extends GlobalOptions {
  readonly provider: string;
  /** The key itself is never on the command line: other users of this machine could read it there. */
  readonly apiKeyFile?: string;
  readonly baseUrl?: string;
  readonly appName?: string;
  readonly appEmail?: string;
  /** False: the key is stored without a question to its provider. */
  readonly test?: boolean;
}

/** A key is a line; a longer file is another file. */
const MOST_KEY_BYTES = 4096;
/** A provider may be slow to reject a key. */
const TEST_WITHIN_MS = 60_000;

/** `tillctl activate P [--api-key-file F …]` */
export async function activate(options: CredentialOptions, io: Io): Promise<ExitCode> {
  const path = integrationPath(options.provider, 'activate');
  if (options.apiKeyFile === undefined) return shown(options, io, path, withoutKey(options));
  return shown(options, io, path, { credentials: await triedKey('activate', options, io) });
}

/** `tillctl rotate P --api-key-file F` */
export async function rotate(options: CredentialOptions, io: Io): Promise<ExitCode> {
  const path = integrationPath(options.provider, 'rotate');
  return shown(options, io, path, { credentials: await triedKey('rotate', options, io) });
}

/** `tillctl test P [--api-key-file F]`: without a file the stored key. */
export async function test(options: CredentialOptions, io: Io): Promise<ExitCode> {
  const { provider, apiKeyFile, json } = options;
  if (apiKeyFile === undefined) withoutKey(options);
  const credentials = apiKeyFile === undefined ? null : await keyOf(options, io);
  const verdict = credentials && (await verdictOn(credentials, options, io)).value;
  if (verdict && !verdict.valid) {
    if (json) printDocument(io, { ...verdict, resources: [] });
    else io.out(`Refused: ${plain(verdict.error)}\n`);
    return EXIT.no;
  }
  const resources = await testedResources(credentials, options, io);
  const { valid, error } = verdict ?? ofStored(resources);
  if (json) printDocument(io, { valid, error, resources });
  else
    io.out(
      (valid ? `${provider} accepts the key.\n` : `Refused: ${plain(error)}\n`) +
        resourceTestTable(resources),
    );
  return valid && resources.every(({ readable }) => readable) ? EXIT.done : EXIT.no;
}

/** `tillctl credentials P show` */
export async function credentials(options: CredentialOptions, io: Io): Promise<ExitCode> {
  const path = integrationPath(options.provider, 'credentials');
  const client = connect(options, io);
  const { body, value } = await client.call({ path }, dataOf(StoredCredentials));
  const { provider } = options;
  if (options.json) printDocument(io, body);
  else if (value.data.readable) io.out(credentialText(value.data));
  else
    io.out(credentialText(value.data) + unreadableText(renewalOf(provider, await wayAt(provider, client))));
  return EXIT.done;
}

async function testedResources(
  wanted: Credentials | null,
  options: CredentialOptions,
  io: Io,
): Promise<readonly ResourceTest[]> {
  const path = integrationPath(options.provider, 'test-resources');
  const body = wanted === null ? {} : { credentials: wanted };
  const client = connect(options, io, TEST_WITHIN_MS + 5_000);
  const answer = await withNextStep(options.provider, client, () =>
    client.call({ method: 'POST', path, body }, listOf(ResourceTest)),
  );
  return answer.value.data;
}

/** A key that some resource accepts is a good one; a resource that it may not read has its own line. */
function ofStored(resources: readonly ResourceTest[]): TestedCredentials {
  const refused = resources.find(({ code }) => code === 'source_unauthorised');
  const isGood = refused === undefined || resources.some(({ readable }) => readable);
  return { valid: isGood, error: isGood ? '' : (refused.error ?? '') };
}

function verdictOn(credentials: Credentials, options: CredentialOptions, io: Io) {
  const path = integrationPath(options.provider, 'test');
  const client = connect(options, io, TEST_WITHIN_MS);
  return withNextStep(options.provider, client, () =>
    client.call({ method: 'POST', path, body: { credentials } }, TestedCredentials),
  );
}

/** A key that its provider does not accept never takes the place of one that works. @throws REFUSED with the provider's words */
async function triedKey(verb: string, options: CredentialOptions, io: Io): Promise<Credentials> {
  const credentials = await keyOf(options, io);
  if (options.test === false) return credentials;
  const { valid, error } = (await verdictOn(credentials, options, io)).value;
  if (valid) return credentials;
  const { provider } = options;
  const way = await wayAt(provider, connect(options, io));
  const message = `nothing was stored, because ${provider} does not work with this key: ${error}`;
  const document = { error: { type: 'invalid_request_error', code: 'credential_not_accepted', message } };
  const next = `Next: ${way.authorised_by === 'person' ? authorised(verb, provider, way) : again(verb, credentials, provider, way)}`;
  throw new AppError('REFUSED', message, { context: { document, next } });
}

function authorised(verb: string, provider: string, way: Way): string {
  const renewal = renewalOf(provider, way);
  return verb === 'activate' ? `${renewal}, then \`tillctl activate ${provider}\`` : renewal;
}

function again(verb: string, credentials: Credentials, provider: string, way: Way): string {
  const missing = way.missing_credentials.filter(
    (part) => credentials[CREDENTIAL_PARTS.find((one) => one === part) ?? 'apiKey'] === undefined,
  );
  const command = `\`tillctl ${verb} ${provider} --api-key-file FILE${moreOf(missing)}\``;
  return missing.length > 0
    ? command
    : `${command} with a key that works; --no-test stores one that cannot be tried now`;
}

const CREDENTIAL_PARTS = ['baseUrl', 'appName', 'appEmail'] as const;

async function shown(options: CredentialOptions, io: Io, path: string, body: object): Promise<ExitCode> {
  const call = { method: 'POST', path, body } as const;
  const client = connect(options, io);
  const answer = await withNextStep(options.provider, client, () => client.call(call, dataOf(Integration)));
  if (options.json) {
    printDocument(io, answer.body);
    return EXIT.done;
  }
  const address = await storedAddress(options.provider, client);
  io.out(integrationText(answer.value.data) + (address === null ? '' : addressText(address)));
  return EXIT.done;
}

/** Null: the recipe's own is asked. */
export async function storedAddress(
  provider: string,
  client: Pick<DaemonClient, 'call'>,
): Promise<string | null> {
  const path = integrationPath(provider, 'credentials');
  return (await client.call({ path }, dataOf(StoredCredentials))).value.data.base_url;
}

/** The stored key is used unchanged; options that only a new key allows are an error. */
export function withoutKey({ baseUrl, appName, appEmail }: CredentialOptions): object {
  if (baseUrl === undefined && appName === undefined && appEmail === undefined) return {};
  throw new AppError('USAGE', '--base-url, --app-name and --app-email belong to --api-key-file');
}

/** @throws USAGE */
export async function keyOf(options: CredentialOptions, io: Io): Promise<Credentials> {
  const { apiKeyFile, baseUrl, appName, appEmail } = options;
  if (apiKeyFile === undefined)
    throw new AppError('USAGE', '--api-key-file FILE is needed; - reads the key from standard input');
  const apiKey = (await textOf(apiKeyFile, io, MOST_KEY_BYTES)).trim();
  const wanted = Credentials.safeParse({ apiKey, baseUrl, appName, appEmail });
  if (wanted.success) return wanted.data;
  const [issue] = wanted.error.issues;
  throw new AppError('USAGE', usageOf(String(issue?.path[0]), issue?.message ?? ''));
}

/** Never the key itself. */
function usageOf(field: string, message: string): string {
  if (field === 'baseUrl') return `--base-url ${message}`;
  if (field === 'appName') return '--app-name must have 100 characters at most';
  if (field === 'appEmail') return '--app-email must be a mail address';
  return 'the key must be one line of 1 to 4096 printable characters';
}
