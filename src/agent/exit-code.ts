import { AppError } from '../base/errors.ts';

/**
 * Exit codes of the daemon: 2 asks a person to correct the call, the config, the release or the file system; systemd waits ten seconds before it starts
 * tilld again. After 1 it does so at once: a new process reads a failed disk again.
 */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

const FOR_A_PERSON =
  /^(USAGE|CONFIG_|CREDENTIAL_|LISTEN_|LOG_FILE_|SOCKET_|STATE_FOLDER_|STORAGE_TOO_NEW|RESTORE_|SANDBOX_LISTEN_FAILED|SANDBOX_PORT_TAKEN)/;

/** The exit code for the error that stopped the start. */
export function exitCodeOf(error: unknown): number {
  return error instanceof AppError && FOR_A_PERSON.test(error.code) ? EXIT.usage : EXIT.failed;
}

/**
 * How to correct it, for the errors that have a remedy.
 * @param call how tilld was started, without `--listen`: `npm start -- --config my.jsonc`
 */
export function mendOf(error: unknown, call: string): string | null {
  if (!(error instanceof AppError)) return null;
  switch (error.code) {
    case 'LISTEN_PORT_TAKEN':
    case 'SANDBOX_LISTEN_FAILED':
      return `fix: ${call} --listen 127.0.0.1:0`;
    case 'LISTEN_NEEDS_TLS':
      return `fix: set "tls" in the configuration, or: ${call} --listen 127.0.0.1:8480`;
    case 'STATE_FOLDER_HELD':
    case 'SOCKET_IN_USE':
      return 'fix: use the one that runs (tillctl status), or stop it where it was started: Ctrl-C, kill, or systemctl stop tilld.socket tilld';
    case 'STATE_FOLDER_UNUSABLE':
      return error.context['isFolder'] === true
        ? 'fix: give the folder, and all that is in it, to the user who starts tilld: chown -R USER FOLDER'
        : `fix: ${call} --state-dir OTHER_FOLDER`;
    case 'STATE_FOLDER_READ_ONLY':
      return 'fix: the system log says why (a disk that fails is often made read-only: back up, replace it), then: mount -o remount,rw its mount point';
    case 'STORAGE_TOO_NEW':
      return 'fix: install that release again; what it wrote is as it left it';
    case 'LOG_FILE_UNUSABLE':
      return 'fix: make its folder for the user of tilld (install -d -o tilld -g tilld -m 750 FOLDER), or take "log.file" out of the configuration';
    case 'SOCKET_PATH_TOO_LONG':
      return `fix: move the folder to a shorter path, if there is one, then: ${call} --state-dir SHORTER_PATH`;
    case 'CONFIG_NOT_FOUND':
      return 'fix: start with --config FILE; config/tilld.example.jsonc explains every key';
    case 'CONFIG_INVALID':
      return 'fix: change the file, then: tillctl config check FILE';
    default:
      return null;
  }
}
