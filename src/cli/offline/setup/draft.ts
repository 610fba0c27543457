import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Language } from '../../../base/language.ts';
import { configFiles, parseConfig } from '../../../config/load.ts';
import type { Config } from '../../../config/schema.ts';
import type { Place } from './place.ts';

/** A terminal as the configuration names it. */
export interface DraftDevice {
  readonly id: string;
  readonly name: string;
  readonly driver: string;
  readonly currency: string;
  readonly link: Place;
  readonly options?: Readonly<Record<string, string>>;
}

/** What the answers say. */
export interface Draft {
  readonly environment: 'live' | 'sandbox';
  readonly language: Language;
  readonly devices: readonly DraftDevice[];
  /** Of the billing service; null: none yet. */
  readonly serviceUrl: string | null;
  /** Name of this machine, by which tablets of the shop open the pages; null: they do not. */
  readonly lan: string | null;
}

/** The text of a configuration: what was answered, and nothing that is a default. */
export function configText({ environment, language, devices, serviceUrl, lan }: Draft): string {
  const service = serviceUrl === null ? {} : { service: { url: serviceUrl, environment } };
  const listen = lan === null ? {} : { listen: { lan: { name: lan } } };
  const content = { version: 1, environment, language, ...listen, devices, ...service };
  return `// Written by tillctl setup. Every key: /usr/share/tilld/tilld.example.jsonc.
// After a change: tillctl config check && systemctl restart tilld
${JSON.stringify(content, null, 2)}
`;
}

/** The configuration that the text and the files of `conf.d` beside the file make. @throws CONFIG_INVALID */
export function checkedConfig(text: string, file: string): Config {
  const beside = configFiles(file).slice(0, -1);
  return parseConfig(
    text,
    file,
    beside.map((name) => ({ name, text: readFileSync(name, 'utf8') })),
  );
}

/** Puts a file in place in one step; what was there is kept as `FILE.before-setup`. */
export function putConfig(file: string, text: string): void {
  if (existsSync(file)) writeFileSync(`${file}.before-setup`, readFileSync(file));
  putFile(file, text, 0o644);
}

/** Secrets are readable by their owner alone. */
export function putFile(file: string, text: string, mode: number): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
  writeFileSync(`${file}.new`, text, { mode, flush: true });
  renameSync(`${file}.new`, file);
}
