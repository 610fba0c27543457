/** Why a byte pipe ended. `unplugged`: the device is gone; `closed_by_peer`: an orderly end, which a terminal may do when idle. */
export interface LinkLoss {
  readonly reason: 'closed_by_us' | 'closed_by_peer' | 'unplugged' | 'error';
  readonly detail: string;
}

/**
 * A byte pipe to one terminal: any segmentation, no framing.
 * It is opened exclusively and used by one dialogue at a time.
 */
export interface Link {
  readonly kind: 'serial' | 'tcp';
  /** Resolves once, when the pipe has ended for whatever reason; never rejects. */
  readonly closed: Promise<LinkLoss>;
  /** What the terminal sends; ends when the pipe ends. One reader only. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /**
   * Hands bytes to the operating system.
   * @throws LINK_CLOSED when the pipe had ended before: no byte was handed over (`moneyMoved: no`).
   * @throws LINK_LOST when it ended while writing: some bytes may have left (`moneyMoved: unknown`).
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the pipe in order; idempotent. */
  close(): Promise<void>;
  /**
   * Ends the pipe at once and forgets what has not left this machine; idempotent.
   * Why: a money command that waits in a send buffer would reach the terminal after recovery has said "not charged".
   */
  abandon(): Promise<void>;
}

/**
 * Opens the pipe to a terminal.
 * @throws LINK_REFUSED when nobody answers at the address, or the port is held by somebody else.
 */
export type OpenLink = (signal: AbortSignal) => Promise<Link>;

/** A port that may lead to the terminal; who is there is proved by asking, never by money. */
export interface Way {
  /** For people: the path of the port. */
  readonly where: string;
  readonly open: OpenLink;
}

/** Who answered at the end of a way: the terminal that serves this device, or another one. */
export type Answered = 'ours' | 'stranger';

/**
 * Finds the port that a terminal hangs on, again and again.
 * Why: a USB port may have another number after every plug, and what has the old number then may be a scale.
 */
export interface PortSearch {
  /**
   * The ports that may be asked, the likeliest first; at least one. Nothing is written to any port for this.
   * `canBeTold`: the terminal was met before and says who it is, so that a wrong one is noticed; else there must be no choice.
   * @throws LINK_REFUSED (retry safe) when there is none, with what was seen and why it was left alone.
   */
  ways(canBeTold: boolean): Promise<readonly Way[]>;
  /** Tells who was met there, so that the port is known again under another number. */
  learn(way: Way, who: Answered): void;
  /** What was learned counts no more: another terminal is to serve here. */
  forget(): void;
  /** Calls `onChange` when a port may have come or gone; the result ends that. It may ring for nothing, or too late. */
  watch(onChange: () => void): () => void;
}
