import type { Attempt } from '../../src/payment/attempt/attempt.ts';

/**
 * What forgotten lives did with the same work of the service, or the very payment that this one was made of: who looks at the receipts
 * finds their charge.
 */
export function sameWorkOf(
  attemptId: string,
  { attempts, forgotten }: Record<'attempts' | 'forgotten', ReadonlyMap<string, Attempt>>,
): readonly string[] {
  const attempt = attempts.get(attemptId);
  if (forgotten.size === 0 || attempt?.origin.kind !== 'service') return [];
  const echo: unknown = Reflect.get(Object(attempt.metadata['tilld']), 'attempt');
  const { serviceId } = attempt.origin;
  return [...forgotten.values()].flatMap(({ id, origin }) => {
    const isSame = origin.kind === 'service' && origin.serviceId === serviceId;
    return id !== attemptId && (isSame || id === serviceId || id === echo) ? [id] : [];
  });
}
