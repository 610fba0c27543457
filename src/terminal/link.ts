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
