import type { TransactionRecord } from '../../../src/sandbox/terminal/ledger.ts';
import { bcd, concat, container, tlv } from './virtual-apdu.ts';
import type { Command } from './virtual-commands.ts';
import type { Dialogue } from './virtual-dialogue.ts';
import { deliver } from './virtual-payment.ts';
import { approvalCode } from './virtual-status.ts';

type BookingRequest = Extract<Command, { kind: 'reservation' }>;

const CODE = { wrongAmount: 0xb7, openOnes: 0xb8, reversed: 0xb4, impossible: 0xb5 };
const NO_RESERVATION = [0xff, 0xff];

/** A reserved amount on a card. */
interface Reservation {
  /** Its entry in the ledger, of zero: a reservation charges no amount. */
  readonly record: TransactionRecord;
  readonly amountMinor: number;
  readonly open: boolean;
}

/**
 * The reservations that are neither booked nor released. They survive a power loss, not the process.
 * Why not in the ledger: the ledger has the real charges, and a reservation is not a charge.
 */
export class Reservations {
  readonly #byNumber = new Map<string, Reservation>();

  open(record: TransactionRecord, amountMinor: number): void {
    this.#byNumber.set(record.receiptNumber, { record, amountMinor, open: true });
  }

  /** The terminal reversed the reservation itself. */
  forget(record: TransactionRecord): void {
    this.#byNumber.delete(record.receiptNumber);
  }

  find(receipt: string): Reservation | undefined {
    return this.#byNumber.get(receipt);
  }

  /** Closes a reservation that was booked or released, or reopens it when that was reversed. */
  setOpen(reservation: Reservation, open: boolean): void {
    this.#byNumber.set(reservation.record.receiptNumber, { ...reservation, open });
  }

  openNumbers(): readonly string[] {
    return [...this.#byNumber].flatMap(([number, { open }]) => (open ? [number] : []));
  }

  /** The reserved amount of a ledger entry, if it is a reservation. */
  reservedBy(record: TransactionRecord): number | undefined {
    const known = this.#byNumber.get(record.receiptNumber);
    return known?.record.sequence === record.sequence ? known.amountMinor : undefined;
  }
}

/** Books a reservation in whole or in part, or releases it; needs no card. */
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

/** `06 1E B8` with one open receipt number (FF FF: none), or with all of them (TLV 23). */
export async function sendOpen(dialogue: Dialogue, reservations: Reservations): Promise<void> {
  const numbers = reservations.openNumbers();
  const first = numbers.at(0);
  const one = concat([0x87], first === undefined ? NO_RESERVATION : bcd(first, 2));
  const all = container(tlv(0x23, ...numbers.map((number) => tlv(0x08, bcd(number, 2)))));
  await dialogue.fail(CODE.openOnes, dialogue.options.reservations === 'list' ? all : one);
}

/** Minor units that this request charges, or the code of its refusal. */
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
