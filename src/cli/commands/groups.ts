import type { Command } from 'commander';

const SALE = '0198f1c2-7a10-7c3e-9a41-2f6c1e0b7d55';

/**
 * The groups of the help in their order, and for each verb what its help shows below its options: command lines to copy, without `tillctl`. A verb
 * with verbs of its own has theirs.
 */
const GROUPS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Payments: {
    pay: [
      'pay --device "Counter 1" --amount 12.34',
      'pay --device "Counter 1" --invoice INV-2026-0042',
      'pay --device "Counter 1" --amount 1500 --yes',
    ],
    refund: [`refund ${SALE}`, `refund ${SALE} --amount 5.00`],
    void: [`void ${SALE}`],
    cancel: [`cancel ${SALE}`],
    resolve: [
      `resolve ${SALE} --as succeeded --by Anna --reason "the slip is in the drawer" --shown 0042`,
      `resolve ${SALE} --as not_charged --by Anna --reason "the terminal shows the sale before" --shown 0041`,
    ],
    payments: [
      'payments --in-doubt',
      'payments --on yesterday --card 4242',
      'payments --contains 2026-004',
      'payments --device "Counter 1" --status succeeded --limit 100',
    ],
    'report day': ['report day', 'report day yesterday', 'report day 2026-11-02 --csv > takings.csv'],
    explain: [`explain ${SALE}`],
    tasks: ['tasks'],
    'task-done': [`task-done ${SALE} --by Anna --note "the paper roll was changed"`],
    'task-perform': [`task-perform ${SALE} --by Anna`],
    'task-decline': [`task-decline ${SALE} --by Anna --reason "we count the drawer first"`],
  },
  Terminals: {
    devices: ['devices'],
    'devices show': ['devices show "Counter 1"'],
    'devices pair': ['devices pair'],
    'devices paired': ['devices paired'],
    'devices withdraw': ['devices withdraw "Tablet 2"'],
    'devices adopt': ['devices adopt "Counter 1" --by Anna'],
    'end-of-day': ['end-of-day "Counter 1"'],
    reconcile: ['reconcile "Counter 1"'],
    reprint: ['reprint "Counter 1"'],
    drain: ['drain --wait --within 120', 'drain --end'],
  },
  Integrations: {
    integrations: ['integrations --streams', 'integrations provider_a --runs'],
    sync: ['sync provider_a --full-resync --wait', 'sync provider_a --dry-run --records'],
    parked: ['parked provider_a', 'parked provider_a --cause mapping'],
    'retry-parked': ['retry-parked provider_a --cause mapping'],
    approve: ['approve provider_a customers'],
    resume: ['resume provider_a'],
    toggle: ['toggle provider_a off'],
    lookback: ['lookback provider_a 400'],
    'mapping-policy': ['mapping-policy provider_a --require on'],
    activate: ['activate provider_a --api-key-file shop.key --base-url https://shop.example'],
    deactivate: ['deactivate provider_a'],
    rotate: ['rotate provider_a --api-key-file new.key'],
    authorize: ['authorize provider_a --api-key-file client'],
    test: ['test provider_a'],
    credentials: ['credentials provider_a'],
    'webhook-secret': ['webhook-secret provider_a --secret-file webhook.secret'],
    mappings: [
      'mappings provider_a edit',
      'mappings provider_a diff mappings.json',
      'mappings provider_a apply mappings.json',
    ],
    'recipe try': ['recipe try ./shop.json --api-key-file shop.key --base-url https://shop.example'],
    'recipe check': ['recipe check ./shop.json'],
    'recipe new': ['recipe new --from openapi.json > shop.json'],
  },
  Service: {
    'outbox list': ['outbox list --status parked'],
    'outbox retry': [`outbox retry ${SALE} --by Anna`],
    'outbox drop': [`outbox drop ${SALE} --reason "entered by hand" --by Anna`],
    mirror: ['mirror customers --search "anna mu"'],
    'webhooks add': ['webhooks add https://till.example/hooks --event terminal_payment.succeeded'],
    'webhooks list': ['webhooks list'],
    'webhooks remove': ['webhooks remove https://till.example/hooks'],
    'webhooks roll-secret': ['webhooks roll-secret https://till.example/hooks'],
    'webhooks deliveries': ['webhooks deliveries --status failed --endpoint https://till.example/hooks'],
    'webhooks redeliver': [`webhooks redeliver ${SALE}`],
  },
  Operations: {
    setup: ['setup'],
    status: ['status'],
    doctor: ['doctor', 'doctor --offline', 'doctor --socket /run/other/tilld.sock'],
    'people add': ['people add "Anna Schmidt" --role lead --user anna'],
    'people list': ['people list'],
    'people disable': ['people disable "Anna Schmidt"'],
    'people audit': ['people audit'],
    'sign-in': ['sign-in --person "Anna Schmidt"', 'sign-in --role lead'],
    'keys create': ['keys create --name "till 3" --scope payments:read --scope payments:write'],
    'keys list': ['keys list --stale'],
    'keys roll': ['keys roll "till 3" --overlap 48 --by Anna'],
    'keys revoke': ['keys revoke "till 3" --by Anna'],
    'keys audit': ['keys audit "till 3"'],
    backup: ['backup /media/usb/tilld-backup.db'],
    restore: ['restore /media/usb/tilld-backup.db'],
    'release-fits': ['release-fits 0.2.0'],
    'support-bundle': ['support-bundle tilld-support.tar.gz'],
    'fleet join': ['fleet join https://hub.example 7KQ2-M4XP-9TRC'],
    'fleet status': ['fleet status'],
    'fleet leave': ['fleet leave'],
    'config check': ['config check /etc/tilld/tilld.jsonc'],
  },
  Tools: {
    decode: ['decode --protocol zvt 06 00 00'],
    'simulate-terminal': ['simulate-terminal --protocol zvt --listen tcp:20007'],
    drivers: ['drivers', 'drivers zvt'],
    'driver new': ['driver new acme --kind request-response', 'driver new acme'],
    completion: ['completion bash > ~/.local/share/bash-completion/completions/tillctl'],
  },
};

/** Puts each verb into its group, and its examples below its options. */
export function group(root: Command): void {
  for (const [heading, verbs] of Object.entries(GROUPS))
    for (const [path, lines] of Object.entries(verbs)) {
      const words = path.split(' ');
      commandOf(root, words.slice(0, 1))?.helpGroup(`${heading}:`);
      const shown = lines.map((line) => `  tillctl ${line}`).join('\n');
      commandOf(root, words)?.addHelpText('after', `\nExample${lines.length > 1 ? 's' : ''}:\n${shown}`);
    }
}

function commandOf(root: Command, path: readonly string[]): Command | undefined {
  return path.reduce<Command | undefined>(
    (above, name) => above?.commands.find((command) => command.name() === name),
    root,
  );
}
