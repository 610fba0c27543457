/** Kinds of protocol: JSON over HTTP, frames between STX and ETX, lines of text. */
export const PACKAGE_KINDS = ['request-response', 'stx', 'lines'] as const;
export type PackageKind = (typeof PACKAGE_KINDS)[number];
