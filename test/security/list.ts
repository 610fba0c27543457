import type { Attack } from './attack.ts';
import { CREDENTIALS } from './attacks/credentials.ts';
import { DRIVER_PACKAGES } from './attacks/driver-packages.ts';
import { ENDLESS_SENDERS } from './attacks/endless.ts';
import { FLOODS } from './attacks/floods.ts';
import { FOREIGN_PAGES } from './attacks/foreign-pages.ts';
import { FRAMING } from './attacks/framing.ts';
import { LAN_LISTENER } from './attacks/lan.ts';
import { MACHINE } from './attacks/machine.ts';
import { PATHS } from './attacks/paths.ts';
import { PEOPLE_ATTACKS } from './attacks/people.ts';
import { PROVIDER_WEBHOOKS } from './attacks/provider-webhooks.ts';
import { REACH } from './attacks/reach.ts';
import { SIZES } from './attacks/sizes.ts';
import { SLOW_CLIENTS } from './attacks/slow.ts';
import { TLS_LISTENER } from './attacks/tls.ts';
import { VALUES } from './attacks/values.ts';

/** Every attack, in the order of the table; the search for secrets comes when all have been made. */
export const ATTACKS: readonly Attack[] = [
  ...FOREIGN_PAGES,
  ...CREDENTIALS,
  ...SIZES,
  ...ENDLESS_SENDERS,
  ...FRAMING,
  ...PATHS,
  ...VALUES,
  ...REACH,
  ...PEOPLE_ATTACKS,
  ...LAN_LISTENER,
  ...PROVIDER_WEBHOOKS,
  ...TLS_LISTENER,
  ...SLOW_CLIENTS,
  ...FLOODS,
  ...DRIVER_PACKAGES,
  ...MACHINE,
];
