/**
 * A virtual terminal's byte pipe: any segmentation, no framing. The core's `Link` has this shape too,
 * so a simulation attaches one end of an in-memory pair.
 */
export interface BytePipe {
  readonly kind: 'serial' | 'tcp';
  /** What the till sends; ends when the pipe ends. One reader only. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Resolves once, when the pipe has ended. */
  readonly closed: Promise<unknown>;
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}
