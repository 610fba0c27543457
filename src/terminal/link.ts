/** Why a byte pipe ended. `unplugged`: the device is gone; `closed_by_peer`: an orderly end, which is normal for an idle terminal. */
export interface LinkLoss {
  readonly reason: 'closed_by_us' | 'closed_by_peer' | 'unplugged' | 'error';
  readonly detail: string;
}

/**
 * A byte pipe to one terminal: any segmentation, no framing. On `hid` each write is one output report: its id, then its bytes, padded by the driver to
 * the length that the device expects; input reports follow one another, with their ids in front where the device numbers them.
 * It is opened exclusively and used by one dialogue at a time.
 */
export interface Link {
  readonly kind: 'serial' | 'tcp' | 'hid';
  /** Resolves once, when the pipe has ended for any reason; never rejects. */
  readonly closed: Promise<LinkLoss>;
  /** The bytes that the terminal sends; ends when the pipe ends. One reader only. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /**
   * Hands bytes to the operating system.
   * @throws LINK_CLOSED when the pipe had ended before: no byte was handed over (`moneyMoved: no`).
   * @throws LINK_LOST when it ended while writing: some bytes may have left (`moneyMoved: unknown`).
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Closes the pipe in order; idempotent. */
  close(): Promise<void>;
  /**
   * Closes the pipe at once and discards what has not left this machine; idempotent.
   * Why: a money command that waits in a send buffer would reach the terminal after recovery has said "not charged".
   */
  abandon(): Promise<void>;
}

/**
 * Opens the pipe to a terminal.
 * @throws LINK_REFUSED when there is no answer at the address, or another process holds the port.
 */
export type OpenLink = (signal: AbortSignal) => Promise<Link>;

/** `host` is a name or an IP address, an IPv6 one without brackets. */
export interface NetworkAddress {
  readonly host: string;
  readonly port: number;
}

/** A port that may lead to the terminal; identification proves which terminal is there, never a money command. */
export interface Way {
  /** The path of the port, for people. */
  readonly where: string;
  readonly open: OpenLink;
}

/** Which terminal answered at a port: the one that serves this device, or another one. */
export type Answered = 'ours' | 'stranger';

/**
 * Finds the port that a terminal is connected to, again after each plug.
 * Why: a USB port may get another number after every plug, and the device that has the old number then may be a scale.
 */
export interface PortSearch {
  /**
   * The ports that may be asked, the likeliest first; at least one. Nothing is written to any port for this.
   * `isIdentifiable`: the terminal was connected before and identifies itself, so that a wrong one is noticed; else there must be only one choice.
   * @throws LINK_REFUSED (retry safe) when there is none; the message lists the ports that were seen and why each was skipped.
   */
  ways(isIdentifiable: boolean): Promise<readonly Way[]>;
  /** Records which terminal answered at the port, so that the port is recognised under another number. */
  learn(way: Way, who: Answered): void;
  /** Discards what was recorded: another terminal is to serve this device. */
  forget(): void;
  /** Calls `onChange` when a port may have come or gone; the returned function ends that. A call may be needless or late. */
  watch(onChange: () => void): () => void;
}
