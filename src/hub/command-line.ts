import { Command, Option } from 'commander';
import {
  addOperatorOf,
  addTenant,
  inviteShop,
  listOperators,
  listShops,
  removeOperatorOf,
  runMigrations,
} from './administration.ts';
import { addAgents } from './agents/command-line.ts';
import { addCommands } from './commands/command-line.ts';
import { doctor } from './doctor.ts';
import { addReleases } from './releases/command-line.ts';
import { addRollouts } from './rollouts/command-line.ts';
import { type ServeOptions, serve } from './serve.ts';

const DATABASE = [
  '--database <url>',
  'PostgreSQL 15 or later, like postgres://hub@host1,host2/tillhub; default: TILLHUB_DATABASE',
] as const;

/** The commands of `tillhub`; each prints for people, and with `--json` one document. */
export function commandLine(version: string): Command {
  const hub = new Command('tillhub')
    .description('many shops, one view: the hub of a fleet of tilld agents')
    .version(version)
    .showHelpAfterError();
  hub
    .command('migrate')
    .description('bring the tables of the database up to date; its user becomes their owner')
    .option(...DATABASE)
    .action(runMigrations);
  hub
    .command('serve')
    .description('answer agents; any number of hubs may use one database')
    .option(...DATABASE)
    .addOption(new Option('--listen <address>', 'host:port').default('127.0.0.1:8490').env('TILLHUB_LISTEN'))
    .addOption(tlsCert())
    .addOption(new Option('--tls-key <file>', 'PEM').env('TILLHUB_TLS_KEY'))
    .addOption(
      new Option(
        '--metrics <address>',
        'host:port of this machine where Prometheus reads /metrics, like 127.0.0.1:9490',
      ).env('TILLHUB_METRICS'),
    )
    .addOption(
      new Option(
        '--webhook-networks <ranges>',
        'addresses that are not of the internet and may receive alerts, like 10.1.0.0/16,127.0.0.1',
      ).env('TILLHUB_WEBHOOK_NETWORKS'),
    )
    .action((options: ServeOptions) => serve(options));
  hub
    .command('doctor')
    .description('look at the database and the certificate; 1 where something fails')
    .option(...DATABASE)
    .addOption(tlsCert())
    .option('--json', 'one JSON document')
    .action(doctor);
  hub
    .command('tenants')
    .description('merchants, who never see one another')
    .command('add <name>')
    .option(...DATABASE)
    .action(addTenant);
  shopCommands(hub);
  addAgents(hub, DATABASE);
  addCommands(hub, DATABASE);
  addRollouts(hub, DATABASE);
  addReleases(hub, DATABASE);
  operatorCommands(hub);
  return hub;
}

function tlsCert(): Option {
  const words = 'PEM; without it a proxy must end TLS, and the hub listens on loopback only';
  return new Option('--tls-cert <file>', words).env('TILLHUB_TLS_CERT');
}

function shopCommands(hub: Command): void {
  const shops = hub.command('shops').description('shops of a merchant');
  shops
    .command('invite <name>')
    .description('print a code by which one agent joins as this shop: 15 minutes, once')
    .requiredOption('--tenant <name>', 'the merchant')
    .option('--json', 'one JSON document')
    .option(...DATABASE)
    .addHelpText('after', '\nExample:\n  tillhub shops invite "Berlin 1" --tenant Bakery')
    .action(inviteShop);
  shops
    .command('list')
    .description('shops, their agents, and when each was seen')
    .requiredOption('--tenant <name>', 'the merchant')
    .option('--agents', 'the agents that are joined, one a line, for tillhub configuration sign --agents')
    .option('--json', 'one JSON document')
    .option(...DATABASE)
    .action(listShops);
}

function operatorCommands(hub: Command): void {
  const operators = hub.command('operators').description('people and scripts that see a fleet');
  operators
    .command('add <name>')
    .description('print the token of a new operator, once')
    .requiredOption('--tenant <name>', 'the merchant')
    .option('--role <role>', 'viewer, operator or admin', 'viewer')
    .option('--json', 'one JSON document')
    .option(...DATABASE)
    .addHelpText('after', '\nExample:\n  tillhub operators add Anna --tenant Bakery --role operator')
    .action(addOperatorOf);
  operators
    .command('list')
    .description('operators and their roles')
    .requiredOption('--tenant <name>', 'the merchant')
    .option('--json', 'one JSON document')
    .option(...DATABASE)
    .action(listOperators);
  operators
    .command('remove <name>')
    .description('end the token and the sessions of an operator')
    .requiredOption('--tenant <name>', 'the merchant')
    .option(...DATABASE)
    .action(removeOperatorOf);
}
