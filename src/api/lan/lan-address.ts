/** How the shop's own devices reach tilld. */
export interface LanAddress {
  /** `https://shop.local:8443` */
  readonly url: string;
  /** The page by which a device comes to trust the shop; plain HTTP. */
  readonly trustUrl: string;
  /** SHA-256 of what it trusts then. */
  readonly fingerprint: string;
}
