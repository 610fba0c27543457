import { AppError, messageOf } from '../base/errors.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { plain } from './show/plain.ts';

/** The envelope that `--json` prints for an error. */
export interface FailureDocument {
  readonly error: {
    readonly type: string;
    readonly code: string;
    readonly message: string;
    readonly [more: string]: unknown;
  };
}

/** The result of a failed command. */
export interface Failure {
  readonly exit: ExitCode;
  readonly document: FailureDocument;
  /** For people: one or several lines. */
  readonly words: string;
}

const KINDS: Readonly<Record<string, readonly [exit: ExitCode, type: string, code: string]>> = {
  USAGE: [EXIT.usage, 'invalid_request_error', 'usage'],
  AMOUNT_INVALID: [EXIT.usage, 'invalid_request_error', 'amount_invalid'],
  CONFIG_INVALID: [EXIT.usage, 'invalid_request_error', 'config_invalid'],
  CONFIG_NOT_FOUND: [EXIT.usage, 'invalid_request_error', 'config_not_found'],
  CONFIG_TLS: [EXIT.usage, 'invalid_request_error', 'config_tls'],
  CREDENTIAL_INVALID: [EXIT.usage, 'invalid_request_error', 'credential_invalid'],
  CREDENTIAL_WRONG_ENVIRONMENT: [EXIT.usage, 'invalid_request_error', 'credential_wrong_environment'],
  NO_DAEMON: [EXIT.noDaemon, 'api_error', 'no_daemon'],
  SOCKET_FOREIGN: [EXIT.noDaemon, 'api_error', 'no_daemon'],
  CONNECTION_LOST: [EXIT.noDaemon, 'api_error', 'connection_lost'],
  ANSWER_INVALID: [EXIT.no, 'api_error', 'answer_invalid'],
  OUTCOME_UNKNOWN: [EXIT.unknownOutcome, 'api_error', 'outcome_unknown'],
  INTERRUPTED: [EXIT.interrupted, 'api_error', 'interrupted'],
};

/** Converts an error of a verb to its exit code, its document and its text. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof AppError)) return made(EXIT.no, 'api_error', 'internal_error', messageOf(error));
  const refusal = error.code === 'REFUSED' ? error.context['document'] : undefined;
  if (isFailureDocument(refusal))
    return { exit: EXIT.no, document: refusal, words: refusalWords(refusal) + nextStep(error) };
  const [exit, type, code] = KINDS[error.code] ?? [EXIT.no, 'api_error', error.code.toLowerCase()];
  return made(exit, type, code, error.message, error.context);
}

/** The person's next step, where the verb knows it. */
function nextStep({ context }: AppError): string {
  const next = context['next'];
  return typeof next === 'string' ? `\n${plain(next)}` : '';
}

/** True for `{error: {type, code, message}}`. */
export function isFailureDocument(value: unknown): value is FailureDocument {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false;
  const { error } = value;
  if (
    typeof error !== 'object' ||
    error === null ||
    !('type' in error && 'code' in error && 'message' in error)
  ) {
    return false;
  }
  return (
    typeof error.type === 'string' && typeof error.code === 'string' && typeof error.message === 'string'
  );
}

function made(
  exit: ExitCode,
  type: string,
  code: string,
  message: string,
  context: Readonly<Record<string, unknown>> = {},
): Failure {
  const details = Object.keys(context).length > 0 ? { details: context } : {};
  return { exit, document: { error: { type, code, message, ...details } }, words: message };
}

function refusalWords({ error }: FailureDocument): string {
  const lines = [`${error.message} (${error.code})`];
  const details = error['details'];
  if (typeof details === 'object' && details !== null) {
    for (const [name, value] of Object.entries(details)) {
      lines.push(`  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
    }
  }
  return plain(lines.join('\n'));
}
