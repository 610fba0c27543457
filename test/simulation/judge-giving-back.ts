import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import type { CaseFile, TillRequest } from './case-file.ts';
import type { Charge } from './charges.ts';

/** A void undid the very line of its sale, or a person is told so. */
export function judgeUndone(books: CaseFile, charge: Charge): void {
  const attempt = books.attempts.get(charge.causedBy ?? '');
  if (attempt?.type !== 'void' || attempt.state.name !== 'succeeded' || !books.charges.hasMoved(charge))
    return;
  if (isOfItsSale(books, charge)) return;
  const undone = books.charges.undoneBy(charge);
  if (books.wasAsked(attempt.id, 'void_mismatch')) return;
  books.accuse(
    'wrong_amounts',
    `${books.nameOf(attempt.id)} undid line ${undone?.line.sequence} of ${charge.terminal.name}, not its sale, and nobody was told`,
  );
}

/** Whether a void's line undid the line of the sale that the void belongs to. */
export function isOfItsSale(books: CaseFile, charge: Charge): boolean {
  const cause = charge.causedBy ?? '';
  const attempt = books.attempts.get(cause) ?? books.forgotten.get(cause);
  const undone = books.charges.undoneBy(charge);
  const sale = attempt ? rootSaleOf(books, attempt) : null;
  return undone !== undefined && sale !== null && lineOf(books, sale) === undone;
}

/** Never more goes back of a sale than was charged. */
export function judgeGivenBack(books: CaseFile, charge: Charge): void {
  if (charge.line.kind === 'sale' || charge.causedBy === null || !books.charges.hasMoved(charge)) return;
  const attempt = books.attempts.get(charge.causedBy);
  const sale = attempt && rootSaleOf(books, attempt);
  const line = sale ? lineOf(books, sale) : undefined;
  if (!attempt || !sale || !line) {
    if (books.forgotten.size > 0) return;
    const why = sale && books.isRequested(sale) ? ', of a sale that its terminal has taken back unseen' : '';
    books.accuse(
      'double_charges',
      `${books.nameOf(charge.causedBy)} gave back of nothing that was charged${why}`,
    );
    return;
  }
  const back = givenBackOf(books, sale, line) - (isUndoneByHand(books, line) ? line.line.amountMinor : 0);
  if (back > line.line.amountMinor)
    books.accuse(
      'double_charges',
      `${back} was given back of ${books.nameOf(sale)}, which was ${line.line.amountMinor}${byWrongVoid(books, sale, line)}`,
    );
}

/** A basket is paid once, net of what went back; a sum is given back once. */
export function judgeNet(books: CaseFile, charge: Charge): void {
  const request = books.requestOf(charge.causedBy ?? '');
  if (!request || request.once === 'any' || !books.charges.hasMoved(charge)) return;
  const moved = [...request.attempts].flatMap((id) =>
    books.charges.movedBy(id).map((line) => ({ id, line })),
  );
  const standing =
    request.once === 'refund'
      ? moved
      : moved.filter(
          ({ id, line }) =>
            line.line.amountMinor > givenBackOf(books, id, line) + forgottenRefunds(books, id),
        );
  if (standing.length > 1)
    books.accuse(
      'double_charges',
      `${request.name} happened ${standing.length} times, now by ${books.nameOf(charge.causedBy ?? '?')}${afterLoss(books, request)}${afterWrongVoid(books, request)}`,
    );
}

/** One of the two is not remembered. */
function afterLoss({ forgotten }: CaseFile, { attempts }: TillRequest): string {
  return [...attempts].some((id) => forgotten.has(id)) ? ', after the memory was lost' : '';
}

/** What went back of a sale's line: by its void, whoever made it, and by our refunds. */
function givenBackOf(books: CaseFile, saleId: string, sale: Charge): number {
  const undone = books.charges.undoerOf(sale) ? sale.line.amountMinor : 0;
  const refunds = familyOf(books, saleId).filter((one) => one.type === 'refund' && one.corrects === null);
  const lines = refunds.flatMap(({ id }) => books.charges.movedBy(id));
  return lines.reduce((sum, { line }) => sum + line.amountMinor, undone);
}

/** What lives that are lost had given back of it by refunds. */
function forgottenRefunds({ attempts, forgotten, charges }: CaseFile, saleId: string): number {
  const lost = [...forgotten.values()].filter(
    ({ id, type, parentId }) => type === 'refund' && parentId === saleId && !attempts.has(id),
  );
  const lines = lost.flatMap(({ id }) => charges.movedBy(id));
  return lines.reduce((sum, { line }) => sum + line.amountMinor, 0);
}

/** A void that should have undone it undid another sale, staff were told so, and the books take it for given back. */
function afterWrongVoid(books: CaseFile, { attempts }: TillRequest): string {
  const voids = [...attempts].flatMap((id) => books.childrenOf(id)).filter(({ type }) => type === 'void');
  return voids.some(({ id }) => books.wasAsked(id, 'void_mismatch'))
    ? ': its void had undone another sale'
    : '';
}

/** The void of another sale undid this one, and staff were told so. */
function byWrongVoid(books: CaseFile, saleId: string, sale: Charge): string {
  const undoer = books.attempts.get(books.charges.undoerOf(sale)?.causedBy ?? '');
  return undoer && undoer.parentId !== saleId ? ': the void of another sale had undone it' : '';
}

/** Staff undid it at the terminal itself: that is theirs. */
function isUndoneByHand({ charges }: CaseFile, sale: Charge): boolean {
  return charges.undoerOf(sale)?.causedBy === null;
}

/** By hand, by a void that nobody remembers, or by the void of another sale: the books learn of it from the terminal. */
export function isUndoneUnknown(books: CaseFile, sale: Charge): boolean {
  const undoer = books.charges.undoerOf(sale);
  const cause = undoer?.causedBy;
  const isForgotten = cause != null && books.forgotten.has(cause) && !books.attempts.has(cause);
  return isForgotten || isUndoneByHand(books, sale) || (undoer !== undefined && !isOfItsSale(books, undoer));
}

/** Everything that belongs to a sale, corrections and what belongs to those included. */
function familyOf(books: CaseFile, saleId: string): readonly Attempt[] {
  const children = books.childrenOf(saleId);
  const corrections = [saleId, ...children.map(({ id }) => id)].flatMap((id) => books.correctionOf(id) ?? []);
  const ofCorrections = corrections
    .filter((one) => one.type === 'sale')
    .flatMap(({ id }) => familyOf(books, id));
  return [...children, ...ofCorrections];
}

/** The sale that was sent to a terminal, from which everything of this attempt comes. */
function rootSaleOf(books: CaseFile, { id, type, parentId, corrects }: Attempt): string | null {
  if (type === 'sale' && corrects === null) return id;
  const above = corrects ?? parentId ?? '';
  const up = books.attempts.get(above) ?? books.forgotten.get(above);
  return up ? rootSaleOf(books, up) : null;
}

/** The line of a sale: its own, or the one it goes by. */
function lineOf(books: CaseFile, saleId: string): Charge | undefined {
  return books.charges.movedBy(saleId)[0] ?? books.claims.adoptedBy(saleId);
}
