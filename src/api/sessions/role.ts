import { AppError } from '../../base/errors.ts';
import { Scope } from '../contract/key.ts';
import { Role } from '../contract/session.ts';

const STAFF: readonly Scope[] = [
  'payments:read',
  'payments:write',
  'invoices:read',
  'customers:read',
  'products:read',
  'subscriptions:read',
  'webhooks:read',
];

/** The scopes of each role. `webhooks:read` is that of the event stream. */
const SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  staff: STAFF,
  lead: STAFF,
  ops: Scope.options,
};

const HOUR_MS = 3_600_000;
/** A working day; shorter for the role that can change the settings. */
const LIFE_MS: Readonly<Record<Role, number>> = { staff: 12 * HOUR_MS, lead: 12 * HOUR_MS, ops: 4 * HOUR_MS };

export function scopesOf(role: Role): readonly Scope[] {
  return SCOPES[role];
}

/** How long a session of this role lasts, in ms. */
export function lifeOf(role: Role): number {
  return LIFE_MS[role];
}

/** Whether a role includes the rights of `least`. */
export function isAtLeast(role: Role, least: Role): boolean {
  return Role.options.indexOf(role) >= Role.options.indexOf(least);
}

/** @throws ROLE_MISSING */
export function requireRole(role: Role, least: Role): void {
  if (isAtLeast(role, least)) return;
  throw new AppError('ROLE_MISSING', `This needs a person who is signed in as ${least}`, {
    context: { details: { required: [least] } },
  });
}
