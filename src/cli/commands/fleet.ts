import { type Command, InvalidArgumentError } from 'commander';
import type { JoinOptions } from '../verbs/fleet.ts';
import type { Does } from './does.ts';

/** The fleet that this shop belongs to. */
export function addFleet(root: Command, does: Does): void {
  const fleet = root.command('fleet').description('join a fleet of shops, see what its hub has, leave it');
  fleet
    .command('status', { isDefault: true })
    .description('the fleet that this shop belongs to, and what its hub has of the journal')
    .action(does(async () => (await import('../verbs/fleet.ts')).fleetStatus));
  fleet
    .command('join')
    .description('join the fleet of a hub by the code of an invitation')
    .argument('<url>', 'address of the hub, https://HOST')
    .argument('<code>', 'the code, good for 15 minutes, once')
    .option(
      '--operator-key <name=key>',
      'an operator whose commands this shop takes, as NAME=PUBLIC_KEY; may be repeated',
      operator,
    )
    .action(
      does(
        async () => (await import('../verbs/fleet.ts')).fleetJoin,
        ([url, code]) => ({ url, code }),
      ),
    );
  fleet
    .command('leave')
    .description('leave the fleet: nothing is reported to its hub any more')
    .action(does(async () => (await import('../verbs/fleet.ts')).fleetLeave));
}

/** The key has no `=`, the name may. */
function operator(
  value: string,
  earlier: NonNullable<JoinOptions['operatorKey']> = [],
): NonNullable<JoinOptions['operatorKey']> {
  const [, name, key] = /^(.+)=([A-Za-z0-9_-]{43})$/.exec(value) ?? [];
  if (name !== undefined && key !== undefined) return [...earlier, { name, key }];
  throw new InvalidArgumentError(
    'It must be NAME=PUBLIC_KEY: the name by which the operator signs, and what tillhub keys new has printed.',
  );
}
