import { newestEntryAt, shapeOf } from '../../../store/inspection/checks.ts';
import { hasSealedIn } from '../../../store/inspection/upkeep-questions.ts';
import { isUnfinished } from '../state-files.ts';
import { checkArchive } from './archive.ts';
import { checkAuditTrail } from './audit-trail.ts';
import { checkBackup } from './backups.ts';
import type { CheckResult } from './check-result.ts';
import { checkConfig, checkConfigFile, checkSettings } from './configuration.ts';
import { checkCredentials, checkHookSecret, checkProxy, checkSealKey } from './credentials.ts';
import { askDaemon } from './daemon.ts';
import {
  checkDurability,
  checkOpens,
  checkPages,
  checkRecovery,
  checkSchema,
  checkUnread,
  checkVersion,
} from './database.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';
import { checkDiskSpace, checkFileSystem, checkLogSize, checkReserveFile } from './disk.ts';
import { checkFleetSettings } from './fleet.ts';
import {
  checkHolder,
  checkLeftovers,
  checkPermissions,
  checkStateFolder,
  checkWritableState,
} from './folder.ts';
import { checkIdentity } from './identity.ts';
import { checkIntegrations, checkMirror } from './integrations.ts';
import { checkChain, checkEpochNote } from './journal.ts';
import { checkLan } from './lan.ts';
import { checkCertificate, checkListen, checkSocket, checkSocketPath } from './listeners.ts';
import { checkLogFile } from './log-file.ts';
import { checkDoubts, checkOutbox, checkPendingCreates, checkTasks, checkWrittenOff } from './money.ts';
import { checkCreateLocal, checkReach } from './offline.ts';
import { checkMonth, checkWritable } from './offline-room.ts';
import { checkPorts } from './ports.ts';
import { checkService } from './service.ts';
import { checkClock, checkRuntime, checkTimeZone } from './surroundings.ts';
import { checkTerminalNetwork } from './terminal-network.ts';
import { checkTerminals } from './terminals.ts';
import { checkUnit } from './unit.ts';
import { checkKeys, checkWebhooks } from './webhooks.ts';

/** One check. An error that it throws is a check result, too. */
export type Check = (
  context: DiagnosticContext,
) => CheckResult | readonly CheckResult[] | Promise<CheckResult | readonly CheckResult[]>;

/** Each under the id of its results, or of the first of them. */
export const CHECKS: readonly (readonly [id: string, check: Check])[] = [
  ['config', checkConfig],
  ['config-file', checkConfigFile],
  ['settings', checkSettings],
  ['fleet-settings', checkFleetSettings],
  ['state-folder', checkStateFolder],
  ['permissions', checkPermissions],
  ['writable', checkWritableState],
  ['holder', checkHolder],
  ['socket-path', checkSocketPath],
  ['socket', checkSocket],
  ['listen', checkListen],
  ['certificate', checkCertificate],
  ['lan-authority', checkLan],
  ['credentials', checkCredentials],
  ['hook-secret', checkHookSecret],
  ['seal-key', (context) => checkSealKey({ ...context, isNeeded: hasSealed(context) })],
  ['clock', (context) => checkClock(context, newestEntryOf(context))],
  ['time-zone', checkTimeZone],
  ['node', checkRuntime],
  ['unit', checkUnit],
  ['disk-space', checkDiskSpace],
  ['file-system', checkFileSystem],
  ['log-size', checkLogSize],
  ['log-file', checkLogFile],
  ['ballast', checkReserveFile],
  ['epoch', checkEpochNote],
  ['database', checkOpens],
  ['identity', checkIdentity],
  ['database-version', checkVersion],
  ['database-schema', checkSchema],
  ['database-pages', checkPages],
  ['unread-pages', checkUnread],
  ['recovery', checkRecovery],
  ['durability', checkDurability],
  ['journal-chain', checkChain],
  ['audit-trail', checkAuditTrail],
  ['archive', checkArchive],
  ['backup', checkBackup],
  ['in-doubt', checkDoubts],
  ['written-off', checkWrittenOff],
  ['outbox', checkOutbox],
  ['owed-reports', checkPendingCreates],
  ['tasks', checkTasks],
  ['webhooks', checkWebhooks],
  ['api-keys', checkKeys],
  ['leftovers', checkLeftovers],
  ['port', checkPorts],
  ['terminal', checkTerminals],
  ['terminal-network', checkTerminalNetwork],
  ['proxy', checkProxy],
  ['service', checkService],
  ['integrations', checkIntegrations],
  ['mirror', checkMirror],
  ['offline-writable', checkWritable],
  ['offline-room', checkMonth],
  ['offline-reports', checkCreateLocal],
  ['offline-terminals', checkReach],
  ['daemon', askDaemon],
];

/** Checks that ask another process or host. */
export const ASKED = new Set(['service', 'terminal', 'daemon']);
const WITHOUT_FOLDER = new Set([
  'config',
  'config-file',
  'settings',
  'state-folder',
  'socket-path',
  'certificate',
  'clock',
  'time-zone',
  'node',
  'unit',
  'port',
  'proxy',
  'service',
]);
/** Checks that need the current database schema. */
const OF_DATABASE = new Set([
  'offline-room',
  'database',
  'identity',
  'database-version',
  'database-schema',
  'database-pages',
  'durability',
  'journal-chain',
  'audit-trail',
  'archive',
  'backup',
  'in-doubt',
  'written-off',
  'outbox',
  'owed-reports',
  'tasks',
  'webhooks',
  'api-keys',
  'integrations',
]);
/** Checks that also work where the database cannot be opened. */
const OF_ANY_DATABASE = new Set(['database', 'journal-chain', 'durability']);
/** Checks of tables that an older release did not have; the next start creates them. */
const OF_THIS_SHAPE = new Set(['archive', 'webhooks', 'api-keys', 'integrations']);

/** Whether a check is applicable after the results so far. */
export function applies(id: string, context: DiagnosticContext, sofar: readonly CheckResult[]): boolean {
  const failed = (other: string) => sofar.some((finding) => finding.id === other && finding.level === 'fail');
  if (failed('state-folder')) return WITHOUT_FOLDER.has(id);
  if (isUnfinished(context.files)) return !OF_DATABASE.has(id) && id !== 'epoch';
  if (!OF_DATABASE.has(id)) return true;
  if (!context.hasDatabase || (failed('database') && !OF_ANY_DATABASE.has(id))) return false;
  return !OF_THIS_SHAPE.has(id) || isOfThisShape(context);
}

function isOfThisShape({ database }: DiagnosticContext): boolean {
  const { version, ours } = shapeOf(database());
  return version === ours;
}

function newestEntryOf({ hasDatabase, database }: DiagnosticContext): number | null {
  try {
    return hasDatabase ? newestEntryAt(database()) : null;
  } catch {
    return null;
  }
}

function hasSealed({ hasDatabase, database }: DiagnosticContext): boolean {
  try {
    return hasDatabase && hasSealedIn(database());
  } catch {
    return false;
  }
}
