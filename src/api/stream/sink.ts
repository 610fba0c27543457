/** The destination of a stream's text. */
export interface Sink {
  /** Accepts text; text that the peer has not read yet is kept in memory and counted in `buffered`. */
  write(text: string): void;
  /** Bytes that the peer has not read yet. */
  readonly buffered: number;
  /** Called each time the buffer is empty again; one listener. */
  onDrain(listener: () => void): void;
  /** Called once when the peer has gone or the stream has ended; one listener. */
  onClose(listener: () => void): void;
  /** Ends it after the buffered text. */
  end(): void;
  /** Ends it at once; the buffered text is lost. */
  cut(): void;
}
