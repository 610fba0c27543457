import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { virtualZvt } from '../../../drivers/terminals/zvt/virtual.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Io } from '../../../src/cli/io.ts';
import { Questions } from '../../../src/cli/offline/setup/questions.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { startVirtualTerminal } from '../../../src/sandbox/terminal/start-virtual-terminal.ts';
import { aFolder } from '../../support/money-database.ts';
import { command } from './command-line.ts';

const TERMINAL = {
  name: 'counter-1',
  protocol: 'zvt',
  over: 'tcp',
  port: 0,
  currency: 'EUR',
  serial: '17F00001',
  terminalId: '52500038',
  autopilot: 'approve',
  autopilotMs: 5,
  missingAcknowledgement: 'keep',
  faults: [],
} as const;

/** A terminal that answers. @returns its address */
async function aTerminal(): Promise<string> {
  const terminal = await startVirtualTerminal(TERMINAL, virtualZvt, {
    clock: systemClock,
    log: silentLog,
    memory: { load: () => null, save: () => undefined },
  });
  onTestFinished(() => terminal.stop());
  return terminal.address.replace('tcp://', '');
}

function aPlace() {
  const folder = aFolder();
  const file = join(folder, 'tilld.jsonc');
  const setup = (
    answers: readonly string[],
    env: Readonly<Record<string, string>> = {},
    ...options: readonly string[]
  ) =>
    command(['setup', '--config', file, ...options], {
      cwd: folder,
      env,
      input: Readable.from([Buffer.from(answers.map((line) => `${line}\n`).join(''))]),
    });
  return { folder, file, setup };
}

describe('tillctl setup', () => {
  it('asks, meets the terminal, and writes a configuration that tilld takes', async () => {
    const { file, setup } = aPlace();
    const terminal = await aTerminal();
    const wrong = ['live', 'fr', terminal, '', 'Till & co', 'chf', 'change'];
    const { err, out } = await setup([...wrong, terminal, '', 'Till & co', 'eur', 'no', '', '']);
    expect(err).toContain('wrong currency');
    expect(err).toMatch(/Till & co answers: .*17F00001/);
    expect(err).toContain(`next: tilld --config ${file}`);
    expect(out).toMatch(/^Still missing:\n- /);
    const { environment, language, devices, service } = loadConfig(file);
    expect([environment, language, service?.url]).toEqual(['live', 'fr', undefined]);
    const [host, port] = terminal.split(':');
    expect(devices).toMatchObject([
      {
        name: 'Till & co',
        driver: 'zvt',
        currency: 'EUR',
        link: { type: 'tcp', host, port: Number(port) },
        options: { receipt_language: 'en' },
      },
    ]);
  });

  it('asks for one terminal after the other, each with a place and a name of its own', async () => {
    const { file, setup } = aPlace();
    const [one, other] = [await aTerminal(), await aTerminal()];
    const first = ['live', 'de', one, '', 'Bar', '', 'perhaps', 'yes'];
    const second = [one, other, '', 'Bar', '', '', 'no', '', ''];
    const { err } = await setup([...first, ...second]);
    expect(err).toContain('it must be yes or no');
    expect(err).toContain('another terminal of this list is there');
    expect(err).toContain('another place has this name');
    const { devices } = loadConfig(file);
    expect(devices.map(({ name }) => name)).toEqual(['Bar', 'Counter 2']);
    expect(new Set(devices.map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    [{ LANG: 'de_DE.UTF-8' }, 'de'],
    [{ LANG: 'de_DE.UTF-8', LC_ALL: 'fr_FR.UTF-8' }, 'fr'],
    [{ LANG: 'C.UTF-8' }, 'en'],
  ])('offers the language of this machine: %j', async (env, language) => {
    const { setup } = aPlace();
    expect((await setup(['live'], env)).err).toContain(`Language of the pages (en, de, fr) [${language}]: `);
  });

  it('asks again after an answer that is none, and says why', async () => {
    const { file, setup } = aPlace();
    const terminal = await aTerminal();
    const wrong = [
      'maybe',
      'sandbox',
      'latin',
      'en',
      '???',
      terminal,
      'smoke',
      'zvt',
      '',
      'DOGE',
      'EUR',
      '',
      'http://x',
      '',
      'Shop!',
      'till-7',
    ];
    const { err } = await setup(wrong);
    for (const words of [
      'live or sandbox',
      'en, de or fr',
      'must be an address like',
      'zvt, ',
      'ISO 4217',
      'https://',
      'small letters',
      'tablets of the shop: https://till-7.local:8443. The first one: tillctl devices pair',
    ])
      expect(err).toContain(words);
    expect(loadConfig(file)).toMatchObject({
      environment: 'sandbox',
      listen: { lan: { name: 'till-7', port: 8443 } },
      devices: [{ name: 'Counter 1' }],
    });
  });

  it('needs no question where each has its option, and keeps the key of the service for its owner', async () => {
    const { folder, file, setup } = aPlace();
    writeFileSync(join(folder, 'key'), 'sk_live_secret\n');
    const terminal = ['--terminal', await aTerminal(), '--driver', 'zvt'];
    const counter = ['--environment', 'live', '--language', 'de', '--name', 'Counter 1', '--currency', 'eur'];
    const service = [
      '--service-url',
      'https://api.service.example',
      '--service-key-file',
      'key',
      '--lan',
      '',
    ];
    const { err, exit } = await setup([], {}, ...terminal, ...counter, ...service);
    expect([exit, err.includes('secret')]).toEqual([1, false]);
    expect(loadConfig(file).service?.url).toBe('https://api.service.example');
    expect(loadConfig(file).listen.lan).toBeUndefined();
    expect(readFileSync(join(folder, '.tilld/credentials/service-key'), 'utf8')).toBe('sk_live_secret\n');
  });

  it('leaves a configuration with terminals as it is', async () => {
    const { file, setup } = aPlace();
    await setup(['live', '', await aTerminal(), '', '', '', '', '', '']);
    const before = readFileSync(file, 'utf8');
    const { err } = await setup(['live', '192.0.2.1', '', '', '', '']);
    expect(err).toContain('names a terminal already');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('keeps a configuration without terminals beside the new one, and changes none that it cannot read', async () => {
    const { file, setup } = aPlace();
    writeFileSync(file, '// mine\n{ "version": 1, "environment": "live" }');
    await setup(['live', '', await aTerminal(), '', '', '', '', '', '']);
    expect(readFileSync(`${file}.before-setup`, 'utf8')).toContain('// mine');
    writeFileSync(file, '{ "version": 1, ');
    const { exit } = await setup(['live', '192.0.2.1', '', '', '', '']);
    expect([exit, readFileSync(file, 'utf8')]).toEqual([2, '{ "version": 1, ']);
  });

  it.each([
    ['when the input ends', ['live'], 'the input ended'],
    ['when the person ends it', ['live', '', '127.0.0.1:1', '', '', '', 'end'], 'nothing was changed'],
  ])('changes nothing %s', async (_name, answers, words) => {
    const { file, setup } = aPlace();
    const { exit, err } = await setup(answers);
    expect([exit, existsSync(file)]).toEqual([2, false]);
    expect(err).toContain(words);
  });

  it('goes on without a terminal that does not answer, where the person says so', async () => {
    const { file, setup } = aPlace();
    const { err } = await setup(['live', '', '127.0.0.1:1', '', '', '', 'again', 'on', '', '', '']);
    expect(err.match(/Counter 1: asking who it is/g)).toHaveLength(2);
    expect(loadConfig(file).devices).toHaveLength(1);
  });

  it.each(['192.168.1.20:0', '192.168.1.20:99999', 'a b', '::1:20007:x', ''])(
    'takes no %j for a place',
    async (place) => {
      const { file, setup } = aPlace();
      const { exit } = await setup(['live', ''], {}, '--terminal', place);
      expect([exit, existsSync(file)]).toEqual([2, false]);
    },
  );

  it('keeps to a folder that it may not write to in words', async () => {
    const { folder, setup } = aPlace();
    mkdirSync(join(folder, 'tilld.jsonc.new'));
    const { exit, err } = await setup(['live', '', await aTerminal(), '', '', '', '', '', '']);
    expect(exit).not.toBe(0);
    expect(err).not.toMatch(/at .*\.ts:\d+/);
  });
});

describe('the questions of setup', () => {
  const question = { words: 'Your name', otherwise: '', given: undefined, read: (answer: string) => answer };
  const asking = () => new Questions({ input: Readable.from([]), err: () => undefined } as unknown as Io);

  it('end with the input while nothing is changed', async () => {
    await expect(asking().ask(question)).rejects.toThrow('nothing was changed');
  });

  it('go on without it once the configuration is written: the service is started, and what is missing is said', async () => {
    const questions = asking();
    questions.goOnWithoutInput();
    expect([await questions.ask(question), await questions.ask(question)]).toEqual(['', '']);
  });
});
