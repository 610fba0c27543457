import { AppError } from '../base/errors.ts';

/** One error in a configuration. */
export interface Problem {
  /** Keys and indices from the top of the file. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A problem with its place in the file; `line` and `column` count from 1 and are absent where there is no text. */
export interface LocatedProblem {
  /** The file of `conf.d` that it stems from; absent: the configuration itself. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** `devices[0].link.port`; empty: the file itself. */
  readonly path: string;
  readonly message: string;
}

/** An integration that tilld does not run, because its part of the configuration is wrong; everything else runs. */
export interface RefusedIntegration {
  /** The key below `integrations`; `integrations` where the whole section is wrong. */
  readonly name: string;
  /** What the configuration has there, unchecked. */
  readonly section: unknown;
  readonly problems: readonly LocatedProblem[];
}

/** `devices[0].link.port`. */
export function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

/** The error that reports all problems at once: one line each in the text, and as `context.problems`. */
export function configInvalid(file: string, problems: readonly LocatedProblem[]): AppError {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const lines = problems.map((problem) => `  ${problemText(problem)}`);
  return new AppError('CONFIG_INVALID', `${file} has ${count}:\n${lines.join('\n')}`, {
    context: { file, problems },
  });
}

/** `recipes/shop.json:12:7 resources.invoices.id: …`, on one line. */
export function problemText({ file, line, column, path, message }: LocatedProblem): string {
  const at = line === undefined ? undefined : `${line}:${column ?? 1}`;
  const place = [file, at].filter((part) => part !== undefined).join(':');
  return `${place === '' ? '' : `${place} `}${path === '' ? '' : `${path}: `}${message}`;
}
