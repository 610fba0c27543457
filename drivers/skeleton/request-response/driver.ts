import { openIdentified, type TerminalDriver } from '../../../src/driver-kit/terminal.ts';
import { SampleSession } from './session.ts';
import { options } from './settings.ts';

export const driver: TerminalDriver = {
  open: (link, context, signal) =>
    openIdentified(
      new SampleSession(link, context, options.parse(context.options ?? {})),
      signal,
      () =>
        'what answers there is no such terminal: check "driver", the address, "path", and whether the link needs "tls"',
    ),
};
