/** @type {typeof import('./outcomes.en.js').outcomes} */
export const outcomes = {
  waiting: {
    title: 'Wartet auf das Terminal',
    charged: 'Dem Kunden wurde bisher nichts abgebucht.',
    now: 'Warten Sie. Starten Sie nicht noch einmal.',
  },
  working: {
    title: 'Das Terminal arbeitet',
    charged: 'Es ist noch nicht bekannt, ob dem Kunden etwas abgebucht wurde.',
    now: 'Warten Sie auf das Ergebnis. Starten Sie nicht noch einmal.',
  },
  cancelling: {
    title: 'Abbruch angefordert',
    charged: 'Es ist noch nicht bekannt, ob dem Kunden etwas abgebucht wurde.',
    now: 'Das Terminal entscheidet. Drücken Sie dort die Stopp-Taste und warten Sie.',
  },
  doubt_asking: {
    title: 'Noch nicht klar',
    charged: 'Es ist noch nicht bekannt, ob dem Kunden etwas abgebucht wurde.',
    now: 'Das Terminal wird gefragt. Warten Sie, und kassieren Sie diese Zahlung nicht noch einmal.',
  },
  doubt_person: {
    title: 'Bitte schauen Sie auf das Terminal{which}',
    charged: 'Es ist noch nicht bekannt, ob dem Kunden etwas abgebucht wurde.',
    now: 'Sehen Sie sich den letzten Beleg am Terminal{which} an und beantworten Sie die Frage. Kassieren Sie vorher nicht noch einmal.',
  },
  paid: {
    title: 'Bezahlt: {paid}',
    charged: 'Der Kunde HAT {paid} bezahlt.',
    now: 'Geben Sie die Ware heraus.',
  },
  paid_cash: {
    title: 'Bezahlt: {paid}',
    charged: 'Der Kunde HAT {paid} bezahlt.',
    now: 'Geben Sie die Ware und {cash} in bar heraus.',
  },
  paid_tip: {
    title: 'Bezahlt: {paid}',
    charged: 'Der Kunde HAT {paid} bezahlt, davon {tip} Trinkgeld.',
    now: 'Geben Sie die Ware heraus.',
  },
  paid_late: {
    title: 'Abbruch kam zu spät',
    charged: 'Der Kunde HAT {paid} bezahlt.',
    now: 'Geben Sie die Ware heraus oder erstatten Sie.',
  },
  paid_more: {
    title: 'Bezahlt: {paid}, {more} mehr als verlangt',
    charged: 'Der Kunde HAT {paid} bezahlt, obwohl {asked} verlangt waren.',
    now: 'Geben Sie die Ware heraus und vergleichen Sie den Beleg. Erstatten Sie {more}, wenn der Kunde nicht zugestimmt hat.',
  },
  paid_part: {
    title: 'Nur TEILWEISE bezahlt: {paid} von {asked}',
    charged: 'Dem Kunden WURDEN {paid} abgebucht, nicht der ganze Betrag.',
    now: 'Kassieren Sie den Rest von {rest}, oder erstatten Sie, was bezahlt ist. Geben Sie vorher keine Ware heraus.',
  },
  paid_correction: {
    title: 'Doch bezahlt: {paid}',
    charged: 'Der Kunde HAT {paid} bezahlt: Ein neuerer Nachweis zeigt es.',
    now: 'Erstatten Sie, oder belassen Sie es dabei und geben Sie die Ware heraus. Kassieren Sie nicht noch einmal.',
  },
  paid_going_back: {
    title: 'Wird zurückgegeben',
    charged: 'Der Kunde HAT {paid} bezahlt, davon werden gerade {going} zurückgegeben.',
    now: 'Warten Sie das Ergebnis ab, bevor Sie etwas herausgeben oder mehr zurückgeben.',
  },
  paid_back_part: {
    title: 'Bezahlt: {paid}, zurückgegeben: {back}',
    charged: 'Der Kunde HAT {paid} bezahlt, davon WURDEN {back} zurückgegeben: {rest} bleiben.',
    now: 'Es ist nichts weiter zu tun. Höchstens {rest} können noch zurückgegeben werden.',
  },
  paid_back_all: {
    title: 'Alles zurückgegeben',
    charged: 'Der Kunde hatte {paid} bezahlt, und ALLES WURDE zurückgegeben.',
    now: 'Es ist nichts weiter zu tun. Geben Sie Ware nur gegen eine neue Zahlung heraus.',
  },
  declined: {
    title: 'Abgelehnt',
    charged: 'Dem Kunden wurde NICHTS abgebucht.',
    now: 'Versuchen Sie eine andere Karte oder eine andere Zahlungsart.',
  },
  cancelled: {
    title: 'Abgebrochen',
    charged: 'Dem Kunden wurde NICHTS abgebucht.',
    now: 'Starten Sie neu, wenn es noch gewünscht ist.',
  },
  failed: {
    title: 'Es hat nicht geklappt',
    charged: 'Dem Kunden wurde NICHTS abgebucht.',
    now: 'Schauen Sie auf das Terminal und versuchen Sie es dann noch einmal.',
  },
  corrected_yes: {
    title: 'Doch bezahlt',
    charged: 'Ein neuerer Nachweis widerspricht der früheren Anzeige: Dem Kunden WURDE abgebucht.',
    now: 'Erstatten Sie, oder belassen Sie es dabei und geben Sie die Ware heraus, falls nicht schon geschehen. Kassieren Sie nicht noch einmal.',
  },
  corrected_no: {
    title: 'Doch nicht bezahlt',
    charged: 'Ein neuerer Nachweis widerspricht der früheren Anzeige: Dem Kunden wurde NICHTS abgebucht.',
    now: 'Geben Sie die Ware nur gegen eine neue Zahlung heraus.',
  },
  corrected_unknown: {
    title: 'Die Aufzeichnungen widersprechen sich',
    charged:
      'Es ist nicht bekannt, ob dem Kunden etwas abgebucht wurde: Die Aufzeichnungen des Terminals widersprechen dem Ergebnis dieser Zahlung.',
    now: 'Vergleichen Sie das Journal des Terminals mit dem Beleg. Kassieren Sie vorher nicht noch einmal.',
  },
  back_waiting: {
    title: 'Wartet auf das Terminal',
    charged: 'Bisher wurde kein Geld zurückgegeben.',
    now: 'Warten Sie. Starten Sie nicht noch einmal.',
  },
  back_working: {
    title: 'Das Terminal gibt Geld zurück',
    charged: 'Es ist noch nicht bekannt, ob Geld zurückgegeben wurde.',
    now: 'Warten Sie auf das Ergebnis. Starten Sie nicht noch einmal.',
  },
  back_cancelling: {
    title: 'Abbruch angefordert',
    charged: 'Es ist noch nicht bekannt, ob Geld zurückgegeben wurde.',
    now: 'Das Terminal entscheidet. Drücken Sie dort die Stopp-Taste und warten Sie.',
  },
  back_late_now: {
    title: 'Die Zahlung wird rückgängig gemacht',
    charged:
      'Der Abbruch kam zu spät, dem Kunden wurde abgebucht. Es ist noch nicht bekannt, ob das rückgängig gemacht ist.',
    now: 'Warten Sie auf das Ergebnis. Geben Sie die Ware noch nicht heraus.',
  },
  back_partial_now: {
    title: 'Der Teilbetrag wird rückgängig gemacht',
    charged:
      'Nur ein Teil wurde genehmigt und abgebucht. Es ist noch nicht bekannt, ob das rückgängig gemacht ist.',
    now: 'Warten Sie auf das Ergebnis. Geben Sie die Ware noch nicht heraus.',
  },
  back_doubt_asking: {
    title: 'Noch nicht klar',
    charged: 'Es ist noch nicht bekannt, ob Geld zurückgegeben wurde.',
    now: 'Das Terminal wird gefragt. Warten Sie, und geben Sie dieses Geld nicht noch einmal zurück.',
  },
  back_doubt_person: {
    title: 'Bitte schauen Sie auf das Terminal{which}',
    charged: 'Es ist noch nicht bekannt, ob Geld zurückgegeben wurde.',
    now: 'Sehen Sie sich den letzten Beleg am Terminal{which} an und beantworten Sie die Frage. Geben Sie das Geld vorher nicht noch einmal zurück.',
  },
  back_done: {
    title: 'Zurückgegeben: {paid}',
    charged: 'Dem Kunden WURDEN {paid} zurückgegeben.',
    now: 'Es ist nichts weiter zu tun.',
  },
  back_part: {
    title: 'Nur {paid} zurückgegeben',
    charged: 'Dem Kunden WURDEN nur {paid} zurückgegeben, nicht der ganze Betrag.',
    now: 'Geben Sie den Rest von {rest} zurück, oder fragen Sie den Kunden.',
  },
  back_correction: {
    title: 'Doch zurückgegeben: {paid}',
    charged: 'Dem Kunden WURDEN {paid} zurückgegeben: Ein neuerer Nachweis zeigt es.',
    now: 'Geben Sie es nicht noch einmal zurück.',
  },
  back_late_done: {
    title: 'Die Zahlung ist rückgängig gemacht',
    charged: 'Der Abbruch kam zu spät, aber {paid} WURDEN zurückgegeben: Der Kunde zahlt nichts.',
    now: 'Geben Sie die Ware nicht heraus.',
  },
  back_partial_done: {
    title: 'Der Teilbetrag ist rückgängig gemacht',
    charged: 'Nur ein Teil war genehmigt, und {paid} WURDEN zurückgegeben: Der Kunde zahlt nichts.',
    now: 'Kassieren Sie den ganzen Betrag neu, bevor Sie die Ware herausgeben.',
  },
  back_late_failed: {
    title: 'Die Zahlung bleibt bestehen',
    charged: 'Hiermit wurde KEIN Geld zurückgegeben: Der Abbruch kam zu spät.',
    now: 'Sehen Sie sich die ursprüngliche Zahlung an: Geben Sie die Ware heraus, oder erstatten Sie.',
  },
  back_partial_failed: {
    title: 'Der Teilbetrag bleibt bestehen',
    charged: 'Hiermit wurde KEIN Geld zurückgegeben: Nur ein Teil wurde genehmigt.',
    now: 'Sehen Sie sich die ursprüngliche Zahlung an: Kassieren Sie den Rest, oder erstatten Sie den Teil.',
  },
  back_declined: {
    title: 'Erstattung abgelehnt',
    charged: 'Hiermit wurde KEIN Geld zurückgegeben.',
    now: 'Versuchen Sie die Erstattung noch einmal, oder geben Sie das Geld anders zurück.',
  },
  back_cancelled: {
    title: 'Abgebrochen',
    charged: 'Hiermit wurde KEIN Geld zurückgegeben.',
    now: 'Starten Sie neu, wenn es noch gewünscht ist.',
  },
  back_failed: {
    title: 'Die Erstattung hat nicht geklappt',
    charged: 'Hiermit wurde KEIN Geld zurückgegeben.',
    now: 'Schauen Sie auf das Terminal und versuchen Sie die Erstattung dann noch einmal.',
  },
  void_failed: {
    title: 'Der Storno war nicht möglich',
    charged: 'Hiermit wurde KEIN Geld zurückgegeben.',
    now: 'Erstatten Sie die Zahlung stattdessen, falls nicht schon geschehen.',
  },
  back_corrected_yes: {
    title: 'Doch zurückgegeben',
    charged: 'Ein neuerer Nachweis widerspricht der früheren Anzeige: Das Geld WURDE zurückgegeben.',
    now: 'Geben Sie es nicht noch einmal zurück.',
  },
  back_corrected_no: {
    title: 'Doch nicht zurückgegeben',
    charged: 'Ein neuerer Nachweis widerspricht der früheren Anzeige: Das Geld wurde NICHT zurückgegeben.',
    now: 'Geben Sie es noch einmal oder auf anderem Weg zurück.',
  },
  back_corrected_unknown: {
    title: 'Die Aufzeichnungen widersprechen sich',
    charged:
      'Es ist nicht bekannt, ob Geld zurückgegeben wurde: Die Aufzeichnungen des Terminals widersprechen diesem Ergebnis.',
    now: 'Vergleichen Sie das Journal des Terminals mit dem Beleg. Geben Sie das Geld vorher nicht noch einmal zurück.',
  },
  doubt_replaced: {
    title: 'Das Terminal{which} wurde ausgetauscht',
    charged: 'Es ist noch nicht bekannt, ob dem Kunden etwas abgebucht wurde.',
    now: 'Sehen Sie auf dem Beleg des Kunden, in der Abrechnung des Zahlungsdienstleisters oder in dessen Journal des alten Terminals nach und beantworten Sie die Frage. Kassieren Sie vorher nicht noch einmal.',
  },
  back_doubt_replaced: {
    title: 'Das Terminal{which} wurde ausgetauscht',
    charged: 'Es ist noch nicht bekannt, ob Geld zurückgegeben wurde.',
    now: 'Sehen Sie auf dem Beleg des Kunden, in der Abrechnung des Zahlungsdienstleisters oder in dessen Journal des alten Terminals nach und beantworten Sie die Frage. Geben Sie das Geld vorher nicht noch einmal zurück.',
  },
  doubt_not_believed: {
    title: 'Die Genehmigung ist nicht glaubhaft',
    charged: 'Es ist nicht bekannt, ob dem Kunden etwas abgebucht wurde.',
    now: 'Geben Sie keine Ware heraus, nur weil dieses Terminal es sagt. Sehen Sie auf dem Beleg des Kunden, in der Abrechnung des Zahlungsdienstleisters oder in dessen Journal des Terminals nach und beantworten Sie die Frage. Kassieren Sie vorher nicht noch einmal.',
  },
  back_doubt_not_believed: {
    title: 'Die Genehmigung ist nicht glaubhaft',
    charged: 'Es ist nicht bekannt, ob Geld zurückgegeben wurde.',
    now: 'Sehen Sie auf dem Beleg des Kunden, in der Abrechnung des Zahlungsdienstleisters oder in dessen Journal des Terminals nach und beantworten Sie die Frage. Geben Sie das Geld vorher nicht noch einmal zurück.',
  },
  written_off: {
    title: 'Es wurde nie geklärt',
    charged: 'Es wurde nie geklärt, ob dem Kunden etwas abgebucht wurde.',
    now: 'Behandeln Sie es als abgebucht: Kassieren Sie diesen Einkauf nicht noch einmal. Zeigt der Kunde eine Abrechnung mit der Buchung, tragen Sie sie als bezahlt ein.',
  },
  back_written_off: {
    title: 'Es wurde nie geklärt',
    charged: 'Es wurde nie geklärt, ob Geld zurückgegeben wurde.',
    now: 'Behandeln Sie es als zurückgegeben: Geben Sie das Geld nicht noch einmal zurück. Zeigt eine Abrechnung die Rückgabe, tragen Sie sie als zurückgegeben ein.',
  },
  back_paid_after_all: {
    title: 'Doch bezahlt: {paid}',
    charged:
      'Das Geld wurde NICHT zurückgegeben: Ein neuerer Nachweis zeigt, dass der Kunde doch {paid} bezahlt hat.',
    now: 'Sehen Sie sich die Zahlung an, die gilt: Erstatten Sie sie, oder belassen Sie es dabei und geben Sie die Ware heraus, falls das nicht schon geschehen ist. Kassieren Sie nicht noch einmal.',
  },
  back_never_paid: {
    title: 'Doch nicht bezahlt: {paid}',
    charged:
      'Dem Kunden wurden {paid} NICHT abgebucht, oder er hat sie zurück: Ein neuerer Nachweis zeigt es.',
    now: 'Kassieren Sie noch einmal, wenn die Ware herausgegeben wurde, oder belassen Sie es dabei. Geben Sie es nicht noch einmal zurück.',
  },
  back_more: {
    title: 'Zurückgegeben: {paid}, {more} mehr als verlangt',
    charged: 'Dem Kunden WURDEN {paid} zurückgegeben, obwohl {asked} verlangt waren.',
    now: 'Vergleichen Sie den Beleg des Terminals, bevor Sie weiter zurückgeben oder kassieren.',
  },
};
