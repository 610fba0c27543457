import { type DebPackage, NODE_NEEDS } from './deb.ts';
import { APPARMOR } from './staging.ts';
import { debianFile } from './text-files.ts';

/** The package `tilld`. `sqlite3` recovers pages of a damaged database; the others are what the maintainer scripts call. */
export const tilldDeb = (version: string): DebPackage => ({
  name: 'tilld',
  relations: `Pre-Depends: init-system-helpers (>= 1.54~)
Depends: ${NODE_NEEDS}, systemd | systemd-standalone-sysusers | systemd-sysusers
Recommends: sqlite3
Suggests: udev, avahi-daemon, libusb-1.0-0`,
  description: `agent between tills and card terminals
 tilld takes card-present payments: it stands between the tills of a shop and
 its card terminals (ZVT, Concert, ECR17, Transbank), sees to it that a
 customer is charged once, finds out how an interrupted payment ended, and
 reports each outcome to the billing service exactly once.`,
  conffiles: [APPARMOR],
  scripts: Object.fromEntries(
    ['preinst', 'postinst', 'prerm', 'postrm'].map((name) => [name, maintainerScript(name, version)]),
  ),
});

/** dpkg keeps each script alone: what they share stands in each. */
function maintainerScript(name: string, version: string): string {
  return debianFile(name)
    .replace('@COMMON@\n', () => debianFile('common'))
    .replaceAll('@VERSION@', version);
}
