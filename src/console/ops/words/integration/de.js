/** The texts of one integration: what it holds, its source and its credential. `{name}` is filled in. */
export const integration = {
  held_why_resync: 'Grund: in einem Vollabgleich nicht gefunden.',
  held_why_deletes: 'Grund: in der Quelle gelöscht oder in zwei vollständigen Durchgängen nicht gefunden.',
  held_ids: 'Kennungen in der Quelle: {ids}',
  held_ids_more: 'Kennungen in der Quelle: {ids} und {count} weitere',
  held_ids_more_one: 'Kennungen in der Quelle: {ids} und {count} weitere',
  save: 'Speichern',
  lookback_change: 'Tage ändern',
  lookback_title: 'Wie weit zurück liest der erste Abgleich die Rechnungen?',
  lookback_days: 'Tage',
  lookback_words:
    'Das gilt für den ersten Abgleich der Rechnungen. Gelesenes bleibt; ein Vollabgleich liest Rechnungen jeden Alters.',
  credential: 'Zugangsdaten',
  credential_part_apiKey: 'Schlüssel',
  credential_part_baseUrl: 'Adresse',
  credential_part_appName: 'Unser Name dort',
  credential_part_appEmail: 'Unsere E-Mail-Adresse dort',
  credential_kept: 'gespeichert, wird nie gezeigt',
  credential_none: 'nicht gespeichert',
  credential_missing: 'Fehlt noch',
  credential_unreadable:
    'Das Gespeicherte lässt sich mit dem Siegelschlüssel dieses Rechners nicht öffnen. Ersetzen Sie es.',
  credential_person: 'Sie werden am Rechner in einem Browser erneuert:',
};
