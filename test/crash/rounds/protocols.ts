import { terminalDrivers } from '../../../drivers/index.ts';
import { virtualTerminals } from '../../../drivers/virtual.ts';
import type { Currency } from '../../../src/base/money.ts';
import type { TerminalManifest } from '../../../src/driver-kit/define.ts';
import type { VirtualDialect } from '../../../src/sandbox/terminal/dialect.ts';
import type { Capabilities } from '../../../src/terminal/ports.ts';

/** How a terminal is connected. */
export const LINKS = ['tcp', 'serial'] as const;
export type LinkKind = (typeof LINKS)[number];

/** The protocols that rounds are played with: those of the drivers, by the names that the config has for them. */
export const PROTOCOLS: readonly string[] = terminalDrivers.map(({ id }) => id);

/** What a scenario asks of a terminal, beside sales. */
export type Ability = 'refund' | 'void' | 'endOfDay';

/** Whether some terminal of these capabilities can do it. */
export function isAble(capabilities: Capabilities, ability: Ability): boolean {
  return ability === 'void' ? capabilities.void !== 'none' : capabilities[ability];
}

/** @throws Error when no driver has this name */
export function manifestOf(protocol: string): TerminalManifest {
  const manifest = terminalDrivers.find(({ id }) => id === protocol);
  if (!manifest) throw new Error(`no driver is called ${protocol}`);
  return manifest;
}

/** @throws Error when no virtual terminal speaks it; ZodError when the habits are none of its options */
export function dialectOf(protocol: string, habits: object): Promise<VirtualDialect> {
  const family = virtualTerminals.find((one) => one.protocol === protocol);
  if (!family) throw new Error(`no virtual terminal speaks ${protocol}`);
  return family.load(habits);
}

/** The links of `available` over which this protocol is spoken. */
export function linksOf(protocol: string, available: readonly LinkKind[]): readonly LinkKind[] {
  const { transports } = manifestOf(protocol);
  return available.filter((link) => transports.includes(link));
}

/** What is paid with at its terminals. The amounts of the baskets fit either. */
export function currencyOf(protocol: string): Currency {
  return protocol === 'transbank' ? 'CLP' : 'EUR';
}
