import type { TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import { bcd, concat, container, tlv } from './virtual-apdu.ts';
import type { Command } from './virtual-commands.ts';
import type { Dialogue } from './virtual-dialogue.ts';
import { deliver } from './virtual-payment.ts';
import { approvalCode } from './virtual-status.ts';

type BookingRequest = Extract<Command, { kind: 'reservation' }>;

const CODE = { wrongAmount: 0xb7, openOnes: 0xb8, reversed: 0xb4, impossible: 0xb5 };
const NOBODY = [0xff, 0xff];

/** Money that is kept ready on a card. */
interface Reservation {
  /** Its entry in the ledger, of nothing: a reservation charges nobody. */
  readonly record: TransactionRecord;
  readonly amountMinor: number;
  readonly open: boolean;
}

/**
 * What a terminal has reserved and neither booked nor freed. It outlives a power loss, not the process.
 * Why beside the ledger: that one tells what really happened to the customers' money, and nothing has yet.
 */
export class Reservations {
  readonly #byNumber = new Map<string, Reservation>();

  open(record: TransactionRecord, amountMinor: number): void {
    this.#byNumber.set(record.receiptNumber, { record, amountMinor, open: true });
  }

  /** The terminal took the reservation itself back. */
  forget(record: TransactionRecord): void {
    this.#byNumber.delete(record.receiptNumber);
  }

  find(receipt: string): Reservation | undefined {
    return this.#byNumber.get(receipt);
  }

  /** Booked or freed; or, when that was taken back, neither. */
  setOpen(reservation: Reservation, open: boolean): void {
    this.#byNumber.set(reservation.record.receiptNumber, { ...reservation, open });
  }

  openNumbers(): readonly string[] {
    return [...this.#byNumber].flatMap(([number, { open }]) => (open ? [number] : []));
  }

  /** What an entry of the ledger reserved, if it is a reservation. */
  reservedBy(record: TransactionRecord): number | undefined {
    const known = this.#byNumber.get(record.receiptNumber);
    return known?.record.sequence === record.sequence ? known.amountMinor : undefined;
  }
}

/** Books a reservation in whole or in part, or frees it; needs no card. */
export async function book(
  dialogue: Dialogue,
  request: BookingRequest,
  reservations: Reservations,
): Promise<void> {
  const { ledger, clock } = dialogue.device;
  await dialogue.reach('command');
  dialogue.accept();
  const reservation = reservations.find(request.receipt);
  const charge = reservation ? chargedBy(request, reservation) : { refusal: CODE.impossible };
  if (!reservation || typeof charge !== 'number') {
    await dialogue.reach('completion');
    return dialogue.fail(typeof charge === 'number' ? CODE.impossible : charge.refusal);
  }
  await dialogue.reach('customer');
  await dialogue.progress(0x06, 'Nachbuchung');
  await dialogue.host();
  const { record: original, amountMinor: reservedMinor } = reservation;
  const isRelease = request.how === 'release';
  const trace = ledger.nextTrace();
  const record = ledger.enter({
    kind: isRelease ? 'void' : 'sale',
    amountMinor: charge,
    currency: original.currency,
    result: 'approved',
    at: clock.now(),
    trace,
    cardId: original.cardId,
    authCode: approvalCode(trace),
    stored: true,
    unsettled: true,
    undoes: original,
  });
  reservations.setOpen(reservation, false);
  await deliver(dialogue, record, {
    sentCurrency: request.sentCurrency,
    about: {
      title: isRelease ? 'release' : 'booking',
      amountMinor: isRelease ? reservedMinor : charge,
    },
    takenBack: () => reservations.setOpen(reservation, true),
  });
}

/** `06 1E B8` with one receipt number that is open (FF FF: none), or with all of them (TLV 23). */
export async function tellOpen(dialogue: Dialogue, reservations: Reservations): Promise<void> {
  const numbers = reservations.openNumbers();
  const first = numbers.at(0);
  const one = concat([0x87], first === undefined ? NOBODY : bcd(first, 2));
  const all = container(tlv(0x23, ...numbers.map((number) => tlv(0x08, bcd(number, 2)))));
  await dialogue.fail(CODE.openOnes, dialogue.options.reservations === 'list' ? all : one);
}

/** Minor units that this request charges, or why it is refused. */
function chargedBy(
  { how, amountMinor }: BookingRequest,
  { amountMinor: reservedMinor, open }: Reservation,
): number | { readonly refusal: number } {
  if (!open) return { refusal: CODE.reversed };
  if (how === 'release')
    return (amountMinor ?? reservedMinor) === reservedMinor ? 0 : { refusal: CODE.wrongAmount };
  const asked = amountMinor ?? 0;
  const charged = how === 'book' ? asked : reservedMinor - asked;
  return charged > 0 && charged <= reservedMinor ? charged : { refusal: CODE.wrongAmount };
}
