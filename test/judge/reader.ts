/** The languages in which people are told. */
export const LANGUAGES = ['en', 'de', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Whether the money of this payment moved, as a text tells it. */
export type Claim = 'yes' | 'no' | 'unknown';
export const CLAIMS: readonly Claim[] = ['yes', 'no', 'unknown'];

/** What of a sale went back since: a part of it, all of it, or it is on its way. */
export type GoneBack = 'part' | 'all' | 'going';
const GONE_BACKS: readonly GoneBack[] = ['part', 'all', 'going'];

/** What a text speaks of: a sale charges, a refund or a void gives back. */
export type Kind = 'sale' | 'refund' | 'void';

/** What a reader takes from a text. A text that can be trusted claims exactly one thing. */
export interface Reading {
  readonly moved: readonly Claim[];
  readonly back: readonly GoneBack[];
  /** It says that less moved than was asked for. */
  readonly isPart: boolean;
  /** It says to treat the money as moved, because it is not going to be found out. */
  readonly isWrittenOff: boolean;
  readonly isToHandOver: boolean;
}

type InEach<T> = Readonly<Record<Language, T>>;
type Phrases<K extends string> = InEach<Readonly<Record<K, RegExp>>>;

/** How a reader of each language understands that the customer was charged, was not, or that it is not known. */
const SALE_SAYS: Phrases<Claim> = {
  en: {
    yes: /HAS paid|customer had paid|HAS been charged|WAS charged/,
    no: /NOT charged|NOT paid|has not been charged|: not charged/,
    unknown: /not known( yet)? whether the customer|never found out whether the customer/,
  },
  de: {
    yes: /Kunde HAT|Kunde hatte|WURDEN? .{0,40}abgebucht|WURDE abgebucht/,
    no: /NICHTS? abgebucht|bisher nichts abgebucht|: nicht abgebucht|: not charged/,
    unknown: /nicht bekannt, ob dem Kunden|nie geklärt, ob dem Kunden/,
  },
  fr: {
    yes: /client A payé|client avait payé|client A été débité/,
    no: /n’a PAS été débité|n’a pas été débité|pas de débit|: not charged/,
    unknown: /ne sait pas( encore)? si le client|jamais su si le client/,
  },
};

const BACK_SAYS: Phrases<Claim> = {
  en: {
    yes: /WAS given back/,
    no: /NO money was given back|NOT given back|No money has been given back/,
    unknown: /not known( yet)? whether (money|that)|never found out whether money/,
  },
  de: {
    yes: /WURDEN? .{0,40}zurückgegeben|WURDE zurückgegeben/,
    no: /KEIN Geld zurückgegeben|NICHT zurückgegeben|kein Geld zurückgegeben/,
    unknown: /nicht bekannt, ob (Geld|das)|nie geklärt, ob Geld/,
  },
  fr: {
    yes: /ONT été remboursés|l’argent A été remboursé|A été remboursé/,
    no: /RIEN n’a été remboursé|n’a PAS été remboursé|Rien n’a été remboursé/,
    unknown: /ne sait pas( encore)? si (l’argent|ce débit)|jamais su si l’argent/,
  },
};

const GONE_BACK: Phrases<GoneBack> = {
  en: {
    part: /WAS given back: .{4,12} stands/,
    all: /ALL of it WAS given back/,
    going: /being given back right now/,
  },
  de: {
    part: / bleiben\./,
    all: /ALLES WURDE zurückgegeben/,
    going: /werden gerade .{4,12} zurückgegeben/,
  },
  fr: { part: /il reste/, all: /TOUT A été remboursé/, going: /en train d’être remboursés/ },
};

const PART: InEach<RegExp> = {
  en: /not the whole amount/,
  de: /nicht der ganze Betrag/,
  fr: /pas (de )?la totalité/,
};

const COUNTS_AS_MOVED: InEach<RegExp> = {
  en: /Treat it as (charged|given back)/,
  de: /Behandeln Sie es als (abgebucht|zurückgegeben)/,
  fr: /Considérez-le comme (débité|remboursé)/,
};

const HAND_OVER: InEach<RegExp> = {
  en: /Hand over the goods\./,
  de: /Geben Sie die Ware heraus\./,
  fr: /Remettez la marchandise\./,
};

/** That the new request moved nothing is no word about the payment in its way. */
const NEW_REQUEST: InEach<RegExp> = {
  en: /^This request (charged the customer NOTHING|gave NO money back): it was not started\./,
  de: /^Durch diese Anfrage wurde (dem Kunden NICHTS abgebucht|KEIN Geld zurückgegeben): Sie wurde nicht gestartet\./,
  fr: /^Cette demande n’a RIEN (débité au client|remboursé)\s: elle n’a pas été lancée\./,
};

/** What a field of the interface says, written as one word. */
const FIELD = /^charged: (yes|no|unknown)$/;

/** The text begins with the sentence that the request itself moved nothing. */
export function isOfNewRequest(text: string, language: Language): boolean {
  return NEW_REQUEST[language].test(text);
}

/** Reads what a text tells of one payment, as a person does who knows the language and nothing of tilld. */
export function read(whole: string, language: Language, kind: Kind): Reading {
  const isSale = kind === 'sale';
  const says = (isSale ? SALE_SAYS : BACK_SAYS)[language];
  const text = whole.replace(NEW_REQUEST[language], '');
  const [, field] = FIELD.exec(text) ?? [];
  return {
    moved: CLAIMS.filter((claim) => claim === field || says[claim].test(text)),
    back: isSale ? GONE_BACKS.filter((back) => GONE_BACK[language][back].test(text)) : [],
    isPart: PART[language].test(text),
    isWrittenOff: COUNTS_AS_MOVED[language].test(text),
    isToHandOver: HAND_OVER[language].test(text),
  };
}
