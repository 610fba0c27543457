import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { AppError, messageOf } from '../../base/errors.ts';
import { LANGUAGES } from '../../base/language.ts';
import { loadSellingConfig } from '../../config/load.ts';
import { type Config, LAN_NAME } from '../../config/schema.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { GlobalOptions, Io } from '../io.ts';
import { plain } from '../show/plain.ts';
import { examine } from './doctor.ts';
import { checkedConfig, configText, type Draft, putConfig, putFile } from './setup/draft.ts';
import { firstSale } from './setup/first-sale.ts';
import { oneOf, Questions } from './setup/questions.ts';
import { type TerminalOptions, terminalsOf } from './setup/terminals.ts';

const INSTALLED = '/etc/tilld/tilld.jsonc';
const SERVICE_KEY = '/etc/credstore/tilld.service-key';

/** Each of these answers one question beforehand. */
export interface SetupOptions extends GlobalOptions, TerminalOptions {
  readonly config?: string;
  readonly environment?: string;
  readonly language?: string;
  readonly serviceUrl?: string;
  readonly serviceKeyFile?: string;
  readonly lan?: string;
  readonly person?: string;
  readonly testAmount?: string;
}

/**
 * `tillctl setup`: from the package to the first sale. It asks for the terminals, meets each, writes the configuration in one step, and where tilld is a
 * service starts it with that, adds the first person and takes a first payment; then it says what is missing. Nothing is changed before the
 * last question about the configuration is answered, and a configuration with terminals is never changed.
 */
export async function setup(options: SetupOptions, io: Io): Promise<ExitCode> {
  const file = resolve(io.cwd, options.config ?? INSTALLED);
  const questions = new Questions(io);
  const present = presentConfig(file);
  if (present && present.devices.length > 0) {
    io.err(`${file} names a terminal already: setup leaves it as it is.\n`);
    return missing(file, options, io);
  }
  const draft = await answers(file, options, { questions, io });
  const text = configText(draft);
  const config = checkedConfig(text, file);
  const key = draft.serviceUrl === null ? null : await serviceKey(options, questions, io);
  putConfig(file, text);
  questions.goOnWithoutInput();
  io.err(`written: ${file}\n`);
  if (key !== null) {
    const place =
      file === INSTALLED ? SERVICE_KEY : resolve(io.cwd, config.state_dir, 'credentials/service-key');
    putFile(place, key, 0o600);
    io.err(`written: ${place}\n`);
  }
  const [first] = draft.devices;
  if (first && file === INSTALLED && existsSync('/run/systemd/system'))
    await firstSale(first, options, { questions, io });
  else io.err(`next: tilld --config ${file}\n`);
  if (draft.lan !== null)
    io.err(`tablets of the shop: https://${draft.lan}.local:8443. The first one: tillctl devices pair\n`);
  return missing(file, options, io);
}

function presentConfig(file: string): Config | null {
  try {
    return loadSellingConfig(file).config;
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFIG_NOT_FOUND') return null;
    throw error;
  }
}

async function answers(file: string, options: SetupOptions, asking: Asking): Promise<Draft> {
  const { questions, io } = asking;
  const environment = await questions.ask({
    words: 'Real money (live), or a try (sandbox)',
    otherwise: 'live',
    given: options.environment,
    read: (answer) => oneOf(['live', 'sandbox'], answer),
  });
  const language = await questions.ask({
    words: `Language of the pages (${LANGUAGES.join(', ')})`,
    otherwise: spokenHere(io.env),
    given: options.language,
    read: (answer) => oneOf(LANGUAGES, answer),
  });
  const shop = { environment, language, serviceUrl: null, lan: null };
  const devices = await terminalsOf(options, { ...asking, file, shop });
  const serviceUrl = await questions.ask({
    words: 'Address of the billing service; none: reports wait until there is one',
    otherwise: '',
    given: options.serviceUrl,
    read: (answer) => {
      if (answer === '' || URL.parse(answer)?.protocol === 'https:') return answer === '' ? null : answer;
      throw new AppError('USAGE', 'the address must be like https://api.service.example');
    },
  });
  return { ...shop, devices, serviceUrl, lan: await lanName(options, questions) };
}

/** The language of this machine's user, where the pages have it. */
function spokenHere({ LC_ALL, LC_MESSAGES, LANG }: Io['env']): Draft['language'] {
  const named = LC_ALL || LC_MESSAGES || LANG || '';
  return LANGUAGES.find((language) => named.startsWith(language)) ?? 'en';
}

interface Asking {
  readonly questions: Questions;
  readonly io: Io;
}

/** The name at which tablets of the shop are served; null: nothing listens in the network. */
async function lanName(options: SetupOptions, questions: Questions): Promise<string | null> {
  const own = hostname().split('.')[0]?.toLowerCase() ?? '';
  return questions.ask({
    words: `Tablets of the shop open the pages at https://NAME.local:8443. NAME (this machine is called ${plain(own)}); none: nothing listens in the network`,
    otherwise: '',
    given: options.lan,
    read: (answer) => {
      if (answer === '' || LAN_NAME.test(answer)) return answer === '' ? null : answer;
      throw new AppError('USAGE', 'the name must be 1 to 32 small letters, digits and hyphens');
    },
  });
}

async function serviceKey(options: SetupOptions, questions: Questions, io: Io): Promise<string | null> {
  return questions.ask({
    words: 'File that holds the API key of the service; none: later',
    otherwise: '',
    given: options.serviceKeyFile,
    read: (answer) => {
      if (answer === '') return null;
      try {
        return `${readFileSync(resolve(io.cwd, answer), 'utf8').trim()}\n`;
      } catch (error) {
        throw new AppError('USAGE', `the key cannot be read: ${messageOf(error)}`);
      }
    },
  });
}

/** What doctor would not call in order. */
async function missing(file: string, options: SetupOptions, io: Io): Promise<ExitCode> {
  const findings = await examine({ ...options, config: file }, io, Date.now());
  const open = findings.filter(({ level }) => level !== 'ok');
  if (open.length === 0) io.out('Nothing is missing.\n');
  else
    io.out(
      `Still missing:\n${open.map(({ what, fix }) => `- ${plain(what)}\n  ${plain(fix ?? '')}\n`).join('')}`,
    );
  return open.some(({ level }) => level === 'fail') ? EXIT.no : EXIT.done;
}
