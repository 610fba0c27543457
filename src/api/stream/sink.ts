/** Where a stream's text goes. */
export interface Sink {
  /** Takes text; what the peer has not taken yet is kept in memory and counted in `buffered`. */
  write(text: string): void;
  /** Bytes that the peer has not taken yet. */
  readonly buffered: number;
  /** Called each time the buffer has run empty; one listener. */
  onDrain(listener: () => void): void;
  /** Called once when the peer has gone or the stream has ended; one listener. */
  onClose(listener: () => void): void;
  /** Ends it after what is buffered. */
  end(): void;
  /** Ends it at once; what is buffered is lost. */
  cut(): void;
}
