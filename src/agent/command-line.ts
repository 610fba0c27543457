import { parseArgs } from 'node:util';
import { AppError, messageOf } from '../base/errors.ts';

/** The command line of the daemon. */
export type Command =
  | {
      readonly kind: 'run';
      readonly config: string;
      readonly stateDir: string | null;
      readonly listen: ListenAddress | null;
      /** null: the folder beside the program. */
      readonly driverPackages: string | null;
    }
  | { readonly kind: 'print'; readonly text: string };

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

const HELP = `tilld [--config FILE] [--state-dir DIR] [--listen HOST:PORT] [--driver-packages DIR]

  --config FILE       configuration (default /etc/tilld/tilld.jsonc)
  --state-dir DIR     folder of the database, the socket and the credentials (default: what the configuration says)
  --listen HOST:PORT  address of the local interface; port 0 takes any free one, for the sandbox too
  --driver-packages DIR
                      folder in which driver packages are installed (default: driver-packages beside the program)
  --version, --help

Prints "tilld ready URL" on standard output once a payment could be taken; the log goes to standard error.`;

/**
 * Reads the daemon's arguments; the last of a repeated argument counts, so that `npm start -- --config FILE` works.
 * @throws USAGE
 */
export function readCommandLine(args: readonly string[], version: string): Command {
  const values = parsed(args);
  if (values.help) return { kind: 'print', text: HELP };
  if (values.version) return { kind: 'print', text: version };
  return {
    kind: 'run',
    config: values.config ?? '/etc/tilld/tilld.jsonc',
    stateDir: values['state-dir'] ?? null,
    listen: values.listen === undefined ? null : listenAddress(values.listen),
    driverPackages: values['driver-packages'] ?? null,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        config: { type: 'string' },
        'state-dir': { type: 'string' },
        listen: { type: 'string' },
        'driver-packages': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'V' },
      },
      strict: true,
    }).values;
  } catch (error) {
    throw new AppError('USAGE', `${messageOf(error)}\n\n${HELP}`);
  }
}

/** `127.0.0.1:8480`, `[::1]:8480`, `localhost:0`. */
function listenAddress(text: string): ListenAddress {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (!match?.[1] || port > 65535)
    throw new AppError('USAGE', `--listen takes HOST:PORT, like 127.0.0.1:8480, not "${text}"`);
  return { host: match[1].replace(/^\[|\]$/g, ''), port };
}
