import { statSync } from 'node:fs';
import { findIdentity } from '../../../agent/state-identity.ts';
import { COPY_WORDS } from '../../../payment/recovery/database-identity.ts';
import { machineIdentity } from '../../../runtime/machine-identity.ts';
import type { WitnessPlace } from '../../../runtime/witness-place.ts';
import { hasOpenComparison, type IdentityFacts, identityFacts } from '../../../store/epoch/identity-facts.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

const ID = 'identity';
const COMPARE =
  'make sure that no other machine runs tilld with these books, start it here, and compare what each terminal shows: tillctl tasks, then tillctl task-done ID --by NAME --note TEXT';
const TWICE =
  'what was sold in another place, or after the copy, is not in these books: it could be charged again, and two machines could take the same payment of the service';

/** Whether the database is used on the machine of its last use, by facts that a copy does not include. */
export function checkIdentity({ database, machine, io }: DiagnosticContext): CheckResult {
  const facts = identityFacts(database());
  if (facts === null) return ok(ID, 'the next start stores which machine uses these books');
  const credentials = io.env['CREDENTIALS_DIRECTORY'] ?? null;
  const here = machineIdentity({ etc: machine.etc, sys: machine.sys, credentials });
  const place = positionOf(facts);
  const { finding, outside } = findIdentity(database(), { ...here, place });
  if (finding.kind === 'copied') return copiedFinding(COPY_WORDS[finding.reason]);
  if (outside === 'older') return copiedFinding(`the note in ${facts.outside} knows of a newer journal`);
  if (facts.copied !== null && hasOpenComparison(database()))
    return copiedFinding(`${COPY_WORDS[facts.copied]} (found at a start)`);
  return facts.lack === null && facts.outside !== null ? machineFinding(facts) : lackFinding(facts.lack);
}

function copiedFinding(what: string): CheckResult {
  return fail(ID, { what: `these books may be a copy or an older state: ${what}`, why: TWICE, fix: COMPARE });
}

function machineFinding({ machine, hardware, outside }: IdentityFacts): CheckResult {
  if (machine !== null || hardware !== null)
    return ok(ID, `these books belong to this machine, and ${outside} says so, too`);
  return warn(ID, {
    what: 'this machine has no identity that tilld can read (/etc/machine-id)',
    why: 'a copy of the disk on a second machine would not be found out at its start',
    fix: 'systemd-machine-id-setup, in a container: mount /etc/machine-id of its host read-only; then: systemctl restart tilld',
  });
}

function lackFinding(lack: string | null): CheckResult {
  return warn(ID, {
    what: `nothing outside the state folder is noted about these books: ${lack ?? 'there was no place for it'}`,
    why: 'an old copy of the whole folder is found out by the service and the terminals alone',
    fix: 'install -d -m 750 -o tilld -g tilld /var/lib/tilld-witness, name it as "witness_dir" in the configuration, then: systemctl restart tilld',
  });
}

/** A fact that this user may not read proves nothing. */
function positionOf({ outside, lack }: IdentityFacts): WitnessPlace {
  if (outside === null) return { kind: 'none', why: lack ?? '' };
  try {
    statSync(outside);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isGone) return { kind: 'none', why: 'this user may not read it' };
  }
  return { kind: 'file', path: outside };
}
