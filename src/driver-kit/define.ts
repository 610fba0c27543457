import type { z } from 'zod';
import type { UsbFingerprint } from '../terminal/port-facts.ts';
import type { Capabilities, TerminalDriver } from '../terminal/ports.ts';

/** One decoded packet, as `tillctl decode` prints it; card numbers masked. Field names are those of the protocol's fact sheet. */
export interface DecodedPart {
  readonly layer: 'frame' | 'apdu' | 'message' | 'stream';
  readonly kind: string;
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly checksum: { readonly mode: string; readonly ok: boolean } | null;
  readonly parts: readonly DecodedPart[];
}

/**
 * Decodes recorded bytes for support. `layer` undefined: detected. `context` is the request that the bytes answer.
 * @throws AppError DECODE_CHECKSUM | DECODE_MALFORMED | DECODE_INCOMPLETE | DECODE_TRAILING_BYTES, `context.offset` is the position.
 */
export type Decoder = (
  bytes: Uint8Array,
  layer: DecodedPart['layer'] | undefined,
  context: Uint8Array | undefined,
) => DecodedPart;

/** A terminal family as data: its name and its capabilities, without loading it. */
export interface TerminalManifest<Options extends z.ZodType = z.ZodType> {
  /** The name in the config: `zvt`. */
  readonly id: string;
  readonly name: string;
  readonly apiVersion: 1;
  /** Revision of the specification that the driver implements. */
  readonly specification: string;
  readonly transports: readonly ('serial' | 'tcp' | 'hid')[];
  readonly defaults: {
    readonly tcpPort?: number;
    readonly baudRate?: number;
    readonly stopBits?: 1 | 2;
    /** The heartbeat of an idle terminal, ms, where the usual one is too frequent for it. */
    readonly heartbeatMs?: number;
  };
  /**
   * `per_exchange`: the terminal closes the connection after each answer, so every exchange has a connection of its own, which the driver opens
   * (`DriverContext.dial`); the end of a connection then says nothing of the terminal. TCP only: a serial line is always kept.
   */
  readonly connection?: 'kept' | 'per_exchange';
  /**
   * USB ids that are published for such terminals: `"path": "auto"` asks the ports that have them. Families of one maker share ids; the answer decides.
   * No adapter cables: any device may be connected to those.
   */
  readonly usbFingerprints?: readonly UsbFingerprint[];
  /** The smallest amount that such terminals accept, in minor units; default 1. */
  readonly minAmountMinor?: number;
  /** The largest amount the protocol can carry, in minor units. */
  readonly maxAmountMinor: number;
  readonly capabilities: Capabilities;
  /** The schema of a device's `options`. */
  readonly options: Options;
  /**
   * Options that are still accepted and have no effect any more, `quirks.capture` for one inside of another: why, and what to do instead, one line
   * for the owner of the shop.
   */
  readonly withdrawnOptions?: Readonly<Record<string, string>>;
  readonly load: () => Promise<TerminalDriver>;
  /** For `tillctl decode`, which reads recorded bytes of drivers of the source tree; a package needs none. */
  readonly loadDecoder?: () => Promise<Decoder>;
}

/** Declares a terminal driver; the list is `drivers/index.ts`. */
export function defineTerminal<Options extends z.ZodType>(
  manifest: TerminalManifest<Options>,
): TerminalManifest<Options> {
  return manifest;
}
