import { approvedMinor } from '../attempt/amounts.ts';
import type { Attempt } from '../attempt/attempt.ts';
import { newestEvidence } from '../attempt/newest-evidence.ts';
import { wrongVoid } from '../follow-up.ts';
import type { PaymentStore } from '../ports.ts';

type ChargeStore = Pick<PaymentStore, 'findAttempt' | 'correctionOf' | 'childrenOf'>;

/** A sale that was charged by the newest evidence, and was not given back as a whole. */
export interface StandingSale {
  /** As it was requested. */
  readonly sale: Attempt;
  /** The record of its charge: itself, or its newest correction. */
  readonly charge: Attempt;
}

/** The sale that an attempt belongs to: itself, the sale that it corrects, or that of the refund or void that it corrects. */
export function standingSaleOf(attempt: Attempt, store: ChargeStore): StandingSale | null {
  const sale = saleOf(attempt, store);
  if (newestEvidence(sale, store).charged !== 'yes') return null;
  const correction = store.correctionOf(sale.id);
  const charge = correction?.type === 'sale' ? correction : sale;
  const givenBack = [...new Set([sale.id, charge.id])]
    .flatMap((id) => store.childrenOf(id))
    .filter((child) => child.corrects === null && wrongVoid(child) === null)
    .filter((child) => newestEvidence(child, store).charged === 'yes')
    .reduce((sum, child) => sum + approvedMinor(child), 0);
  return givenBack < approvedMinor(charge) ? { sale, charge } : null;
}

/**
 * Refunds and voids of a charge. A correction that records a charge anew has those of its sale as well, but for the one that said that it was not
 * charged: what went back went back once.
 */
export function childrenOfCharge(charge: Attempt, store: ChargeStore): readonly Attempt[] {
  const own = store.childrenOf(charge.id);
  const root = charge.corrects === null ? null : store.findAttempt(newestEvidence(charge, store).rootId);
  if (root?.type !== 'sale') return own;
  return [...store.childrenOf(root.id).filter(({ corrects }) => corrects !== root.id), ...own];
}

function saleOf(attempt: Attempt, store: ChargeStore): Attempt {
  const root = store.findAttempt(newestEvidence(attempt, store).rootId) ?? attempt;
  const parent = root.parentId === null ? null : store.findAttempt(root.parentId);
  return parent === null ? root : saleOf(parent, store);
}
