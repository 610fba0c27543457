import type { Language } from '../../base/language.ts';
import type { TerminalPayment } from '../contract/terminal-payment.ts';

/** The receipt on a customer's phone. `{amount}`, `{until}`: as the language writes them. */
export interface ReceiptWords {
  /** For numbers and times. */
  readonly locale: string;
  readonly titles: Readonly<Record<TerminalPayment['type'], string>>;
  readonly copy: string;
  readonly facts: Readonly<Record<ReceiptFact, string>>;
  readonly keep: string;
  readonly gone: string;
  readonly goneNow: string;
  readonly busyNow: string;
}

/** What stands on a receipt of which the terminal gave no text. */
export type ReceiptFact = 'card' | 'receipt_number' | 'auth_code' | 'terminal_id';

const EN: ReceiptWords = {
  locale: 'en-GB',
  titles: { sale: 'Paid: {amount}', refund: 'Refunded: {amount}', void: 'Voided: {amount}' },
  copy: 'Receipt',
  facts: {
    card: 'Card',
    receipt_number: 'Receipt number',
    auth_code: 'Authorisation code',
    terminal_id: 'Terminal ID',
  },
  keep: 'This page opens until {until}. Take a screenshot or print it to keep the receipt.',
  gone: 'This receipt cannot be opened',
  goneNow:
    'Its link has expired or is incomplete. Ask the staff for the receipt: they can show a new QR code.',
  busyNow: 'Too many requests came from here. Wait a minute, then open it again.',
};

const DE: ReceiptWords = {
  locale: 'de-DE',
  titles: { sale: 'Bezahlt: {amount}', refund: 'Erstattet: {amount}', void: 'Storniert: {amount}' },
  copy: 'Beleg',
  facts: {
    card: 'Karte',
    receipt_number: 'Belegnummer',
    auth_code: 'Genehmigungsnummer',
    terminal_id: 'Terminal-ID',
  },
  keep: 'Diese Seite lässt sich bis {until} öffnen. Machen Sie ein Bildschirmfoto oder drucken Sie sie, um den Beleg zu behalten.',
  gone: 'Dieser Beleg lässt sich nicht öffnen',
  goneNow:
    'Der Link ist abgelaufen oder unvollständig. Fragen Sie das Personal nach dem Beleg: Es kann einen neuen QR-Code zeigen.',
  busyNow:
    'Von hier kamen zu viele Anfragen. Warten Sie eine Minute und öffnen Sie den Beleg dann noch einmal.',
};

const FR: ReceiptWords = {
  locale: 'fr-FR',
  titles: { sale: 'Payé : {amount}', refund: 'Remboursé : {amount}', void: 'Annulé : {amount}' },
  copy: 'Ticket',
  facts: {
    card: 'Carte',
    receipt_number: 'Numéro de ticket',
    auth_code: 'Numéro d’autorisation',
    terminal_id: 'ID du terminal',
  },
  keep: 'Cette page s’ouvre jusqu’à {until}. Faites une capture d’écran ou imprimez-la pour garder le ticket.',
  gone: 'Ce ticket ne peut pas être ouvert',
  goneNow:
    'Le lien a expiré ou n’est pas complet. Demandez le ticket au personnel : il peut afficher un nouveau code QR.',
  busyNow: 'Trop de demandes sont venues d’ici. Attendez une minute, puis ouvrez-le à nouveau.',
};

export const RECEIPT_WORDS: Readonly<Record<Language, ReceiptWords>> = { en: EN, de: DE, fr: FR };
