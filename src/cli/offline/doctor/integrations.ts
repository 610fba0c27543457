import { existsSync, statSync } from 'node:fs';
import { checkedIntegrations } from '../../../agent/served-integrations.ts';
import { counted } from '../../../base/counted.ts';
import { messageOf } from '../../../base/errors.ts';
import { scheduleOf } from '../../../config/resource-schedule.ts';
import type { Config } from '../../../config/schema.ts';
import type { ConfiguredProvider } from '../../../driver-kit/provider.ts';
import { type Errors, FORBIDDEN } from '../../../integration/integration.ts';
import { heldWords } from '../../../integration/run/engine.ts';
import { isOutage } from '../../../integration/schedule/auto-probe.ts';
import { atInterval, isStale } from '../../../integration/schedule/timetable.ts';
import { timetableOf } from '../../../runtime/timetable.ts';
import {
  errorsIn,
  integrationsIn,
  type KnownIntegration,
  pausedStreamsIn,
  refusedPaymentsIn,
  webhookSecretsIn,
} from '../../../store/inspection/upkeep-questions.ts';
import { lossWords, mirrorLossIn } from '../../../store/mirror/mirror-loss.ts';
import { type KnownStream, mirrorFlaw, streamsIn } from '../../../store/mirror/mirror-questions.ts';
import type { Readable } from '../../../store/read-only-database.ts';
import { renewalOf as renewalStep } from '../../provider.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

type ProviderName = keyof Config['integrations'];
const NAMES: readonly ProviderName[] = ['provider_a', 'provider_b', 'terminal', 'provider_d'];
const WHY = 'what the service and this shop know of it grows old';

/** Why an integration is paused, and what is missing. */
export async function checkIntegrations({
  configuration,
  database,
}: DiagnosticContext): Promise<readonly CheckResult[]> {
  if (configuration.config === null) return [];
  const { config, refused, file } = configuration;
  const { served } = await checkedIntegrations(config, file, refused);
  const wayOf = (integration: string) => served.find(({ name }) => name === integration)?.configured;
  const isRefused = (integration: string) =>
    refused.some(({ name }) => name === integration || name === 'integrations');
  const known = integrationsIn(database());
  const configured = NAMES.filter((name) => config.integrations[name] !== undefined);
  const findings = [
    ...known
      .filter(({ integration, isActive }) => isActive === 1 && !isRefused(integration))
      .flatMap((integration) => {
        const { integration: name } = integration;
        return integrationFindings(integration, config, {
          way: wayOf(name),
          errors: errorsIn(database(), name),
        });
      }),
    ...pausedStreamsIn(database(), FORBIDDEN)
      .filter(({ integration }) => !isRefused(integration))
      .map((stream) => pausedStreamFinding(stream, renewalOf(stream.integration, wayOf(stream.integration)))),
    ...configured.flatMap((name) => folderFindings(name, config)),
    ...refusedPaymentsIn(database()).map(refusedPaymentFinding),
    ...(config.listen.webhooks ? [] : webhookSecretsIn(database()).map(unheardWebhookFinding)),
  ];
  return findings.length > 0
    ? findings
    : [
        ok(
          'integrations',
          `${counted(configured.length, 'integration is', 'integrations are')} configured, none is paused`,
        ),
      ];
}

/** How a provider gets a credential; absent: its connector is not known. */
type Way = Pick<ConfiguredProvider, 'needs' | 'authorisedBy'> | undefined;

/** The command that gives a provider a new credential. `missing`: parts of it that are not stored. */
function renewalOf(name: string, way: Way, missing: readonly string[] = []): string {
  const step = renewalStep(name, {
    missing_credentials: [...missing],
    authorised_by: way?.authorisedBy ?? 'key',
  });
  return step.replaceAll('`', '');
}

function integrationFindings(
  integration: KnownIntegration,
  { integrations }: Config,
  { way, errors }: { readonly way: Way; readonly errors: readonly Errors[] },
): readonly CheckResult[] {
  const { integration: name, pausedFor, hasCredentials, unmapped, lastError } = integration;
  const id = 'integrations';
  const because = lastError === null ? '' : `: ${lastError}`;
  const section = NAMES.filter((one) => one === name).map((one) => integrations[one])[0];
  const findings: CheckResult[] = [];
  if (section === undefined)
    findings.push(
      warn(id, {
        what: `${name} is active, and the configuration has no connector for it`,
        why: WHY,
        fix: `add "integrations.${name}" to the configuration, then: tillctl config check (or: tillctl deactivate ${name})`,
      }),
    );
  if (pausedFor === 'credentials')
    findings.push(
      fail(id, {
        what: `${name} is paused: its source refuses the credential${because}`,
        why: WHY,
        fix: `${renewalOf(name, way)}, then: tillctl resume ${name}`,
      }),
    );
  if (pausedFor === 'errors')
    findings.push(
      fail(id, {
        what: `${name} is paused: too many runs in a row have failed${because}`,
        why: WHY,
        fix: probesItself(integration, errors, section?.max_errors)
          ? `nothing must be done: tilld tries again by itself, every six hours at least. To try now: tillctl resume ${name}`
          : `tillctl integrations ${name} shows what failed; then: tillctl resume ${name}`,
      }),
    );
  const needs = way?.needs ?? [];
  if (needs.length > 0 && hasCredentials === 0)
    findings.push(
      fail(id, {
        what: `${name} is active, and there is no credential for its source`,
        why: WHY,
        fix: renewalOf(name, way, needs),
      }),
    );
  if (unmapped > 0)
    findings.push(
      warn('mappings', {
        what: `${counted(unmapped, `product of ${name} is`, `products of ${name} are`)} mapped to nothing and not ignored`,
        why: 'records with them are parked and are not delivered',
        fix: `tillctl mappings ${name} show, then: tillctl mappings ${name} apply FILE`,
      }),
    );
  return findings;
}

/** Only an integration that is switched on and has a connector does. */
function probesItself(
  { isEnabled }: KnownIntegration,
  errors: readonly Errors[],
  maxErrors: number | undefined,
): boolean {
  return isEnabled === 1 && maxErrors !== undefined && isOutage(errors, maxErrors);
}

function pausedStreamFinding(
  { integration, resource, message }: ReturnType<typeof pausedStreamsIn>[number],
  renewal: string,
): CheckResult {
  return warn('integrations', {
    what: `${integration}/${resource} is paused, the others go on: ${message}`,
    why: WHY,
    fix: `give the credential this permission at the provider, then: tillctl sync ${integration} --resource ${resource} --wait (or a credential that has it: ${renewal})`,
  });
}

function refusedPaymentFinding({
  provider,
  count,
  error,
}: ReturnType<typeof refusedPaymentsIn>[number]): CheckResult {
  return warn('integrations', {
    what: `${provider} refused to record ${counted(count, 'payment', 'payments')} of its invoices${error === null ? '' : `: ${error}`}`,
    why: 'the customers have paid, and their invoices are still open there',
    fix: `correct the section "payments" of its recipe, or enter them there by hand; then: tillctl resume ${provider} sends them again`,
  });
}

function unheardWebhookFinding(name: string): CheckResult {
  return warn('integrations', {
    what: `${name} has the secret of its webhooks, and nothing listens for them`,
    why: 'its syncs run at their interval only, and the provider sees its webhooks fail',
    fix: `add "listen": { "webhooks": {} } to the configuration, then: systemctl restart tilld (or: tillctl webhook-secret ${name} --remove)`,
  });
}

/** File connectors whose folder does not exist. */
function folderFindings(name: ProviderName, { integrations }: Config): readonly CheckResult[] {
  const folder = integrations[name]?.folder;
  if (folder === undefined) return [];
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return [
    fail('integrations', {
      what: `${name} reads the folder ${folder}, which is not there`,
      why: WHY,
      fix: `mount it, or: install -d -o tilld -g tilld ${folder}`,
    }),
  ];
}

/** The mirror: whether it is readable, and whether it is fresh. */
export function checkMirror(context: DiagnosticContext): readonly CheckResult[] {
  const id = 'mirror';
  const { files } = context;
  if (!existsSync(files.mirror)) return [ok(id, 'nothing was mirrored yet')];
  try {
    const mirror = context.mirror();
    const flaw = mirror && mirrorFlaw(mirror);
    if (mirror && flaw === null)
      return [readableFinding(mirror, files.mirror), ...streamFindings(streamsIn(mirror), context)];
    return [flawFinding(files.mirror, flaw ?? 'it cannot be opened')];
  } catch (error) {
    return [flawFinding(files.mirror, messageOf(error))];
  }
}

function readableFinding(mirror: Readable, path: string): CheckResult {
  const loss = mirrorLossIn(mirror);
  return ok('mirror', loss === null ? `${path} can be read` : `${path} can be read. ${lossWords(loss)}`);
}

function flawFinding(path: string, flaw: string): CheckResult {
  return warn('mirror', {
    what: `${path} cannot be used: ${flaw}`,
    why: 'lists and searches may lack records until it is read again; payments do not need it: no customer was charged, and none was not charged, because of it',
    fix: `nothing must be done: tilld sets the file aside and reads everything again as soon as it meets the damage. To have that at once: systemctl stop tilld.socket tilld; rm -rf ${path} ${path}-wal ${path}-shm; systemctl start tilld.socket tilld`,
  });
}

function streamFindings(streams: readonly KnownStream[], context: DiagnosticContext): readonly CheckResult[] {
  const findings = streams.flatMap((stream) => [...staleFinding(stream, context), ...heldFindings(stream)]);
  return findings.length > 0
    ? findings
    : [ok('sync', `${counted(streams.length, 'stream is', 'streams are')} complete, none is held or parked`)];
}

/** Another result reports a stream whose integration is removed, switched off or paused. */
function staleFinding(
  { integration, resource, freshAt, outcome, message }: KnownStream,
  { configuration, now }: DiagnosticContext,
): readonly CheckResult[] {
  const { config } = configuration;
  const section = NAMES.filter((one) => one === integration).map((one) => config?.integrations[one])[0];
  const mirrored =
    integration === 'service' && config ? atInterval(config.mirror.interval_s * 1_000) : undefined;
  const timetable = section ? timetableOf(scheduleOf(section, resource)) : mirrored;
  if (!timetable || freshAt === null || !isStale(timetable, freshAt, freshAt, now)) return [];
  const last = outcome === 'complete' || message === null ? '' : `; its last run: ${message}`;
  return [
    warn('sync', {
      what: `${integration}/${resource} is complete only until ${new Date(freshAt).toISOString()}${last}`,
      why: WHY,
      fix:
        integration === 'service'
          ? 'tillctl status says why the service cannot be read'
          : `tillctl sync ${integration} --resource ${resource} --wait`,
    }),
  ];
}

function heldFindings({
  integration,
  resource,
  held,
  parked,
  unmapped,
  reason,
}: KnownStream): readonly CheckResult[] {
  const findings: CheckResult[] = [];
  if (held !== null)
    findings.push(
      warn('sync-held', {
        what: `${integration}/${resource} holds deletes back: ${heldWords(held)}`,
        why: 'either the source lost records, or they are really gone: a person must say which',
        fix: `tillctl integrations ${integration} shows which, and why; look at the source, and if they are really gone: tillctl approve ${integration} ${resource}`,
      }),
    );
  if (parked > 0)
    findings.push(
      warn('sync-parked', {
        what: `${counted(parked, `record of ${integration}/${resource} is`, `records of ${integration}/${resource} are`)} parked${reason === null ? '' : `; the newest because: ${reason}`}`,
        why: 'they could not be understood, or were refused, and are not delivered',
        fix: `tillctl parked ${integration}`,
      }),
    );
  if (unmapped > 0)
    findings.push(
      warn('mappings', {
        what: `${counted(unmapped, `record of ${integration}/${resource} waits`, `records of ${integration}/${resource} wait`)} for a product mapping`,
        why: 'they are not delivered until their product is mapped or ignored',
        fix: `tillctl mappings ${integration} show, then: tillctl mappings ${integration} apply FILE`,
      }),
    );
  return findings;
}
