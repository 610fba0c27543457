/** Whether the caller may try again: never, safely, or only after recovery has proved what happened. */
export type Retry = 'never' | 'safe' | 'after_recovery';

/** Whether money can have moved when this error was raised. */
export type MoneyMoved = 'no' | 'unknown';

export interface AppErrorOptions {
  readonly retry?: Retry;
  readonly moneyMoved?: MoneyMoved;
  /** Facts for the log; never a card number, a credential or a raw frame. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * The only error class that crosses a folder's border.
 * `code` is public and stable (`TERMINAL_LINK_LOST`): match the code, never the text.
 */
export class AppError extends Error {
  readonly code: string;
  readonly retry: Retry;
  readonly moneyMoved: MoneyMoved;
  readonly context: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.retry = options.retry ?? 'never';
    this.moneyMoved = options.moneyMoved ?? 'no';
    this.context = options.context ?? {};
  }
}

/** True when `error` is an {@link AppError} with this code. */
export function hasCode(error: unknown, code: string): error is AppError {
  return error instanceof AppError && error.code === code;
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
