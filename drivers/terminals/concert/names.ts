/** V3, tag CC: the application that took the payment. */
const APPLICATIONS: Readonly<Record<string, string>> = {
  '001': 'CB',
  '002': 'American Express',
  '003': 'CB enseigne',
  '004': 'Cetelem',
  '005': 'Cofinoga',
  '006': 'Diners',
  '007': 'Pass',
  '008': 'Franfinance',
  '009': 'JCB',
  '00A': 'Accord',
  '00B': 'CB',
  '00C': 'cheque',
  '00D': 'American Express',
  '00E': 'Conecs',
  '10E': 'Conecs',
  '00F': 'DCC',
  '00G': 'QuickPass',
  '00I': 'CPEI',
  '00S': 'Sofinco',
  '00U': 'UnionPay',
};

/** E+: the payment mode, offset 11 of both messages. */
const MODES: Readonly<Record<string, string>> = {
  '2': 'American Express',
  '3': 'Cetelem',
  '5': 'Cofinoga',
  '6': 'Diners',
  '8': 'Franfinance',
  '9': 'JCB',
  A: 'Accord',
  C: 'cheque',
  F: 'Fintrax',
  O: 'Moneo',
  U: 'UnionPay',
};

/** V3, tag CI. */
const ENTRY_MODES = { '1': 'chip', '2': 'contactless', '3': 'magstripe', '4': 'manual' } as const;

/** V3, tag CD. */
const ACTIONS: Readonly<Record<string, string>> = {
  '0': 'Debit',
  '1': 'Credit',
  '2': 'Cancellation',
  '3': 'Duplicate',
  '7': 'Deferred debit',
  B: 'Telecollection',
  I: 'Identification',
  P: 'Print',
  R: 'Restart',
  T: 'Transaction status',
};

export function applicationName(code: string | undefined): string | undefined {
  return APPLICATIONS[code ?? ''];
}

/** A mode without a name here is a bank card. */
export function modeName(mode: string): string | undefined {
  return MODES[mode];
}

export function entryModeOf(
  code: string | undefined,
): 'chip' | 'contactless' | 'magstripe' | 'manual' | undefined {
  switch (code) {
    case '1':
    case '2':
    case '3':
    case '4':
      return ENTRY_MODES[code];
    default:
      return undefined;
  }
}

export function actionName(code: string | undefined): string {
  if (code === undefined) return 'Message';
  return ACTIONS[code] ?? 'Unknown action';
}
