import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Answered, OpenLink, PortSearch, Way } from './link.ts';
import {
  isSameKind,
  type PortFacts,
  type PreferredPort,
  plugOf,
  portInWords,
  type UsbFacts,
} from './port-facts.ts';
import { type RatedPort, ratePorts } from './rate-ports.ts';

/** Most ports that one search returns. */
const MAX_WAYS = 6;
/** Most ports that an error names. */
const MAX_IN_WORDS = 3;

export interface PortSearchDeps {
  readonly preferred: PreferredPort;
  /** Every serial port of the machine, seen without opening it; includes `named` if anything is at that path. */
  readonly list: (named: string | null) => Promise<readonly PortFacts[]>;
  readonly open: (path: string) => OpenLink;
  readonly watch: (onChange: () => void) => () => void;
  readonly log: Log;
}

/**
 * Searches the port of one terminal.
 *
 * INVARIANTS:
 * - a port that is rated 0 is never opened;
 * - a terminal that cannot be distinguished from others is connected only where there is no choice.
 */
export class PreferredPortSearch implements PortSearch {
  readonly #deps: PortSearchDeps;
  #ours: PortFacts | null = null;
  #kinds: readonly UsbFacts[] = [];
  #asked = new Map<Way, PortFacts>();

  constructor(deps: PortSearchDeps) {
    this.#deps = deps;
  }

  async ways(isIdentifiable: boolean): Promise<readonly Way[]> {
    const { preferred, list, log } = this.#deps;
    const found = await list(preferred.kind === 'path' ? preferred.path : null);
    const rated = ratePorts(preferred, found, { ours: this.#ours, kinds: this.#kinds });
    const likely = rated.filter(({ score }) => score > 0);
    const chosen = isIdentifiable ? likely.slice(0, MAX_WAYS) : beyondDoubt(likely, this.#ours !== null);
    if (chosen.length === 0) throw nothingToAsk(preferred, rated);
    log.debug(
      { ports: chosen.map(({ port, score, reasons }) => ({ port: port.path, score, reasons })) },
      'ports',
    );
    this.#asked = new Map(chosen.map(({ port }) => [this.#way(port), port]));
    return [...this.#asked.keys()];
  }

  learn(way: Way, who: Answered): void {
    const port = this.#asked.get(way);
    if (!port) return;
    if (who === 'ours') {
      this.#ours = port;
      this.#kinds = [];
    } else if (port.usb && !this.#kinds.some((kind) => port.usb && isSameKind(kind, port.usb))) {
      this.#kinds = [...this.#kinds, port.usb];
    }
  }

  forget(): void {
    this.#ours = null;
    this.#kinds = [];
  }

  watch(onChange: () => void): () => void {
    return this.#deps.watch(onChange);
  }

  #way(port: PortFacts): Way {
    return { where: port.path, open: this.#deps.open(port.path) };
  }
}

/**
 * The answering terminal is accepted without proof here, so the choice must not depend on the order of ports or on which cable was quicker.
 * Once a port was proved, a terminal that does not identify itself stays with its USB serial number or its socket.
 */
function beyondDoubt(likely: readonly RatedPort[], wasProved: boolean): readonly RatedPort[] {
  const certain = likely.filter(({ isNamed, isOurs }) => isOurs === 'yes' || (isNamed && isOurs !== 'no'));
  if (certain.length > 0 || wasProved) return certain;
  if (new Set(likely.map(({ port }) => deviceOf(port))).size <= 1) return likely;
  const words = likely.slice(0, MAX_IN_WORDS).map(({ port }) => portInWords(port));
  throw new AppError(
    'LINK_REFUSED',
    `several ports may be the terminal's (${words.join(', ')}) and it was never met before: ` +
      'unplug all but one until it is ready, or give its path, USB serial number or USB port in the configuration',
    { retry: 'safe' },
  );
}

/** Several ports of one USB device count as one choice. */
function deviceOf(port: PortFacts): string {
  return plugOf(port) ?? port.path;
}

function nothingToAsk(preferred: PreferredPort, rated: readonly RatedPort[]): AppError {
  const named = rated.find(({ isNamed }) => isNamed);
  const message = named
    ? `${portInWords(named.port)} is left alone: ${named.reasons.join(', ')}`
    : `${lackInWords(preferred)} (is the terminal plugged in and on?)${othersInWords(rated)}`;
  return new AppError('LINK_REFUSED', message, { retry: 'safe' });
}

function lackInWords(preferred: PreferredPort): string {
  if (preferred.kind === 'path') return `cannot open ${preferred.path}: there is no such port`;
  if (preferred.kind === 'auto') return 'no port is known as that of such a terminal';
  const serial = preferred.serial === null ? '' : ` and serial number ${preferred.serial}`;
  const plug = preferred.plug === null ? '' : ` in the USB port ${preferred.plug}`;
  return `there is no port with USB ids ${preferred.vendorId}:${preferred.productId}${serial}${plug}`;
}

function othersInWords(rated: readonly RatedPort[]): string {
  const free = rated.filter(({ port }) => port.usb !== null && port.openedBy === null);
  const usb = free.slice(0, MAX_IN_WORDS);
  if (usb.length === 0) return '';
  return `; left alone: ${usb.map(({ port, reasons }) => `${portInWords(port)}: ${reasons.join(', ')}`).join('; ')}`;
}
