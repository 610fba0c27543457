/** @type {typeof import('./en.js').en} */
export const de = {
  title: 'Störungen',
  reading: 'Einen Moment …',
  all_well: 'Alles in Ordnung: Es ist nichts zu tun.',
  not_examined:
    'Zahlungen, Meldungen und Abgleiche sind in Ordnung. Dieser Rechner ist noch nicht untersucht: Das macht tilld von selbst einige Minuten nach dem Start, wenn keine Zahlung läuft.',
  mine: 'Sie können {count} Dinge beheben',
  mine_one: 'Sie können {count} Sache beheben',
  others: 'Andere können {count} Dinge beheben',
  others_one: 'Andere können {count} Sache beheben',
  who: 'Das kann eine Person mit der Rolle „{role}“ beheben.',
  level_error: 'Fehler',
  level_warning: 'Warnung',
  a_terminal: 'ein Terminal',
  task: 'Zu tun',
  open_question: 'Frage beantworten',
  open_payment: 'Zahlung ansehen',
  task_done: 'Erledigt …',
  task_done_title: 'Was ist dabei herausgekommen?',
  task_done_submit: 'Erledigt',
  task_note: 'Was Sie getan haben',
  your_name: 'Ihr Name',
  asked_end_of_day: 'Tag abschließen',
  asked_retry_report: 'Noch einmal senden',
  asked_drop_report: 'Meldung verwerfen',
  asked_decline: 'Ablehnen …',
  asked_decline_title: 'Warum wird es abgelehnt?',
  asked_decline_reason: 'Der Grund, den die Flotte erhält',
  asked_decline_submit: 'Ablehnen',
  asked_why: 'Warum',
  refused: '{count} abgelehnte Meldungen',
  refused_one: '{count} abgelehnte Meldung',
  refused_words:
    'Was den Kunden abgebucht wurde, steht richtig in den Zahlungen; nur der Dienst weiß es noch nicht. Beheben Sie die Ursache, dann senden Sie neu.',
  reports_more: 'und {count} weitere Meldungen, die hier nicht stehen.',
  reports_more_one: 'und {count} weitere Meldung, die hier nicht steht.',
  reports_others: 'Meldungen, die hier nicht stehen',
  reports_causes: 'Alle abgelehnten Meldungen nach Ursache:',
  refused_waiting: 'Dahinter warten {count} weitere Meldungen.',
  refused_waiting_one: 'Dahinter wartet {count} weitere Meldung.',
  cause_refused: 'Der Dienst hat abgelehnt, was ihm gesendet wurde.',
  cause_key_mismatch: 'Der Dienst hat unter demselben Schlüssel etwas anderes.',
  cause_not_at_service: 'Der Dienst hat die Zahlung nicht, um die es geht.',
  cause_parent_not_at_service: 'Der Dienst hat den Verkauf nicht, dessen Geld zurückgegeben wird.',
  cause_answer_names_parent: 'Der Dienst hat mit dem Verkauf geantwortet, nicht mit Erstattung oder Storno.',
  cause_rejected: 'Der Dienst hat ein anderes Ergebnis als das Terminal.',
  cause_other: 'Der Dienst hat es nicht angenommen.',
  retry: 'Alle {count} neu senden',
  retry_one: 'Neu senden',
  open_reports: 'Meldungen ansehen',
  terminal_offline: '{name} ist nicht verbunden',
  terminal_offline_words:
    'Dort ist keine Zahlung möglich. Prüfen Sie Strom und Kabel; es verbindet sich von selbst wieder. Nehmen Sie solange ein anderes Terminal.',
  terminal_needs: '{name} braucht Hilfe',
  terminal_needs_words: 'Bis dahin ist dort keine Zahlung möglich. Nehmen Sie solange ein anderes Terminal.',
  terminal_paper: 'Papier oder Deckel von {name}',
  terminal_paper_words:
    'Dort ist keine Zahlung möglich. Legen Sie eine neue Rolle ein und schließen Sie den Deckel; das Terminal macht von selbst weiter. Nehmen Sie solange ein anderes Terminal.',
  terminal_wrong: 'Ein anderes Terminal antwortet als {name}',
  terminal_wrong_words:
    'Es bekommt keine Zahlung: Dort wurde nichts abgebucht. Schließen Sie das bisherige Terminal wieder an, oder übernehmen Sie das neue.',
  adopt: 'Terminal übernehmen',
  open_terminals: 'Terminals ansehen',
  service: 'Verbindung zum Dienst',
  open_connection: 'Verbindung ansehen',
  shop: 'Dieses Geschäft',
  open_doctor: 'Diagnose öffnen',
  open_place: 'Zur passenden Seite',
  at_machine: 'Beheben Sie das am Rechner, auf dem tilld läuft; die Diagnose sagt, wie.',
  finding_payments:
    'Eine Zahlung wartet auf eine Entscheidung. Kassieren Sie sie nicht noch einmal, bevor die Frage beantwortet ist.',
  finding_reports:
    'Meldungen warten, die der Dienst längst haben sollte. Abgebucht ist, was die Zahlungen zeigen, und nichts geht verloren. Sehen Sie nach, worauf die Meldungen warten.',
  finding_terminal:
    'Ein Terminal passt nicht zu dem, was die Konfiguration oder der Dienst darüber sagt: Zahlungen dort werden vielleicht abgewiesen oder nicht gemeldet. Vergleichen Sie beides vor der nächsten Zahlung dort.',
  finding_port:
    'Der Anschluss eines Terminals fehlt, ist für tilld gesperrt oder wird von einem anderen Programm benutzt: Zahlungen dort schlagen vielleicht fehl. Prüfen Sie zuerst das Kabel; die Diagnose sagt, was am Rechner zu ändern ist.',
  finding_certificate:
    'Ein Zertifikat fehlt, ist falsch oder läuft bald ab. Ohne ein gültiges verbinden sich andere Geräte nicht mit tilld; an diesem Rechner wird weiter kassiert. Lassen Sie es am Rechner erneuern, bevor tilld neu gestartet wird.',
  finding_disk:
    'Auf der Festplatte ist wenig Platz, oder tilld kann nicht so darauf schreiben, wie es muss. Ist sie voll, wird keine Zahlung mehr angenommen. Schaffen Sie am Rechner Platz; die Diagnose sagt, wo.',
  finding_clock:
    'Die Uhr oder die Zeitzone dieses Rechners ist falsch, oder seine Zeit weicht von der des Dienstes ab. Beträge stimmen; Zeiten in Listen, Belegen und Meldungen vielleicht nicht. Lassen Sie die Uhr am Rechner stellen.',
  finding_service:
    'Der Dienst ist nicht so erreichbar, wie er sein sollte. Kassieren geht weiter; gemeldet wird später. Sehen Sie sich die Verbindung an.',
  finding_credentials:
    'Ein Schlüssel oder Zugangsdaten fehlen oder werden abgewiesen. Kassieren geht weiter; die Meldungen, Abgleiche oder Webhooks, die sie brauchen, warten. Lassen Sie am Rechner die richtigen eintragen.',
  finding_database:
    'Die Datenbank der Zahlungen ist vielleicht beschädigt, eine Kopie oder nach einem Schaden schwer zu retten. Die Zahlungen in den Listen bleiben, wie sie sind. Lesen Sie die Diagnose, bevor tilld neu gestartet wird.',
  finding_journal:
    'Das Journal, das belegt, was abgebucht wurde, ist nicht schlüssig oder wurde länger nicht bestätigt. Kassieren geht weiter. Bewahren Sie eine Kopie der Datenbank auf, und vergleichen Sie die Zahlungen mit den Belegen des Terminals.',
  finding_archive:
    'Alte Zahlungen lassen sich nicht lesen oder werden nicht mehr archiviert. Kassieren geht weiter. Die Diagnose sagt, was am Rechner zu tun ist.',
  finding_backup:
    'Von den Zahlungen gibt es keine aktuelle Sicherung. Fällt die Festplatte dieses Rechners aus, ist hier nicht mehr bekannt, was seit der letzten Sicherung abgebucht wurde. Lassen Sie am Rechner eine Sicherung machen.',
  finding_sync:
    'Daten eines Anbieters werden nicht gelesen, sind unvollständig oder werden nicht zurückgemeldet. Kassieren geht weiter. Sehen Sie sich die Anbindung an.',
  finding_mappings:
    'Produkte eines Anbieters sind nicht zugeordnet, deshalb warten Datensätze mit ihnen. Kassieren geht weiter. Wählen Sie für jedes ein Produkt.',
  finding_webhooks:
    'Ein anderes Programm bekommt die Ereignisse dieser Kasse nicht. Kassieren geht weiter. Die Diagnose nennt seine Adresse; lassen Sie dort nachsehen.',
  finding_api_keys:
    'Ein API-Schlüssel ist abgelaufen oder läuft bald ab; die Kasse, die ihn benutzt, wird dann abgewiesen. Lassen Sie am Rechner einen neuen erstellen, und tragen Sie ihn an dieser Kasse ein.',
  finding_network:
    'Andere Geräte des Geschäfts finden oder erreichen tilld vielleicht nicht. An diesem Rechner wird weiter kassiert. Die Diagnose sagt, was am Rechner oder im Netz zu ändern ist.',
  finding_configuration:
    'Die Konfiguration ist falsch oder ungewöhnlich, und vielleicht startet tilld nicht noch einmal mit ihr. Kassieren geht solange weiter. Lassen Sie sie am Rechner berichtigen, bevor tilld neu gestartet wird.',
  finding_machine:
    'Dieser Rechner oder die Installation von tilld ist nicht so, wie sie sein sollte. Kassieren geht jetzt weiter, nach einem Neustart oder Stromausfall vielleicht nicht. Die Diagnose sagt, was am Rechner zu ändern ist.',
  integration_paused: '{provider} ist angehalten',
  integration_refused: '{provider} läuft nicht',
  integration_errors_words:
    'Zu viele Läufe sind in Folge gescheitert, darum wird von dort nichts Neues gelesen. Zahlungen gehen weiter. Beheben Sie die Ursache, dann setzen Sie fort.',
  integration_credentials_words:
    'Der Anbieter lehnt die Zugangsdaten ab, darum wird von dort nichts Neues gelesen. Zahlungen gehen weiter. Ersetzen Sie die Zugangsdaten; danach geht es von selbst weiter.',
  integration_refused_words:
    'Die Konfiguration ist falsch, darum wird von dort nichts gelesen. Zahlungen gehen weiter. Berichtigen Sie sie am Rechner, dann starten Sie tilld neu.',
  recipe_changed: 'Das Rezept von {provider} wurde geändert',
  resume: 'Fortsetzen',
  replace_credential: 'Zugangsdaten ersetzen',
  open_integration: 'Anbindung öffnen',
  stream_paused: '{name} ist angehalten',
  stream_paused_words:
    'Der Anbieter lässt diese Liste mit diesen Zugangsdaten nicht lesen; die anderen Listen laufen weiter, Zahlungen auch. Geben Sie beim Anbieter das Recht, dann gleichen Sie ab.',
  stream_held: '{name}: Löschungen warten auf eine Entscheidung',
  stream_held_words:
    'Mehr Datensätze als üblich würden gelöscht, darum wurde nichts gelöscht. Sehen Sie in der Quelle nach, dann entscheiden Sie.',
  stream_stale: '{name} ist nicht aktuell',
  stream_stale_words: 'Diese Liste wurde zu lange nicht vollständig gelesen. Zahlungen gehen weiter.',
  decide_deletions: 'Nachsehen und entscheiden',
  sync_now: 'Jetzt abgleichen',
  on_hold: '{count} Datensätze zurückgestellt',
  on_hold_one: '{count} Datensatz zurückgestellt',
  on_hold_words_one:
    'Der Abgleich läuft ohne ihn weiter. Öffnen Sie die Anbindung, um zu sehen, worauf er wartet, oder versuchen Sie es neu.',
  on_hold_words:
    'Der Abgleich läuft ohne sie weiter. Öffnen Sie die Anbindung, um zu sehen, worauf sie warten, oder versuchen Sie es neu.',
  on_hold_all_words:
    'Nichts an einer Liste ist aktuell, weil alle ihre Datensätze zurückgestellt sind. Öffnen Sie die Anbindung, um zu sehen, worauf sie warten, oder versuchen Sie es neu.',
  retry_on_hold: 'Alle {count} neu versuchen',
  retry_on_hold_one: 'Neu versuchen',
  examine: 'Untersuchen',
  examining: 'Wird untersucht …',
  examined: 'Letzte Diagnose vor {age}.',
  never_examined: 'Keine Diagnose seit dem Start von tilld.',
  examined_in_vain: 'Die letzte Untersuchung war nicht möglich; die Diagnose nennt den Grund.',
  area_payments: 'Offene Zahlungen',
  area_reports: 'Meldungen an den Dienst',
  area_terminal: 'Terminals',
  area_port: 'Serielle Anschlüsse',
  area_certificate: 'Zertifikate',
  area_disk: 'Speicherplatz',
  area_clock: 'Uhr',
  area_service: 'Verbindung zum Dienst',
  area_database: 'Datenbank',
  area_journal: 'Journal',
  area_backup: 'Sicherung',
  area_sync: 'Abgleiche',
  area_credentials: 'Schlüssel und Zugangsdaten',
  area_archive: 'Archiv alter Zahlungen',
  area_mappings: 'Produktzuordnung',
  area_webhooks: 'Webhooks',
  area_api_keys: 'API-Schlüssel',
  area_network: 'Netz',
  area_configuration: 'Konfiguration',
  area_machine: 'Dieser Rechner',
  open_list: 'Ansehen, was nicht stimmt',
};
