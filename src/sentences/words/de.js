/** The texts for tilld's codes. */
export const de = {
  refusal_terminal_not_ready:
    'Das Terminal ist nicht bereit. Schauen Sie darauf, tun Sie, was es anzeigt, und versuchen Sie es noch einmal.',
  refusal_terminal_in_doubt:
    'Zuerst muss klar sein, was aus der Zahlung davor wurde. Beantworten Sie die offene Frage.',
  refusal_wrong_terminal:
    'An diesem Platz antwortet ein anderes Terminal. Nehmen Sie solange eine andere Kasse. Schließen Sie das Terminal wieder an, das hierher gehört, oder lassen Sie das neue von einer Person mit der Rolle „Betrieb“ übernehmen.',
  refusal_terminal_busy:
    'Am Terminal warten schon zu viele Zahlungen. Warten Sie, bis es frei ist, und versuchen Sie es noch einmal.',
  refusal_payment_already_open:
    'Dieselbe Zahlung läuft schon oder ist unklar. Sehen Sie sich jene an; starten Sie keine zweite.',
  refusal_payment_already_paid:
    'Dasselbe wurde vor Kurzem bezahlt. Sehen Sie sich diese Zahlung an, bevor Sie noch einmal kassieren.',
  refusal_payment_retried:
    'Das wurde schon noch einmal versucht, hier oder an einer anderen Kasse. Versuchen Sie diese Zahlung nicht noch einmal: Sehen Sie sich die andere an und tun Sie, was dort steht.',
  refusal_invoice_already_paid:
    'Diese Rechnung ist bezahlt. Jetzt wurde nichts abgebucht. Kassieren Sie nicht noch einmal; sehen Sie sich die Zahlung an, mit der sie bezahlt wurde.',
  refusal_invoice_already_voided:
    'Diese Rechnung wurde storniert. Es wurde nichts abgebucht. Kassieren Sie nichts dafür; bitten Sie das Büro um eine neue.',
  refusal_invoice_not_finalized:
    'Diese Rechnung ist noch ein Entwurf. Es wurde nichts abgebucht. Lassen Sie sie fertigstellen und versuchen Sie es noch einmal.',
  refusal_amount_exceeds_due:
    'Das ist mehr, als bei dieser Rechnung offen ist. Es wurde nichts abgebucht. Sehen Sie nach, was offen ist, und kassieren Sie höchstens so viel.',
  refusal_split_exceeded:
    'Das ist mehr, als vom geteilten Betrag noch fehlt; ein Teil, dessen Ergebnis noch nicht bekannt ist, zählt als bezahlt. Jetzt wurde nichts abgebucht. Sehen Sie nach, was noch fehlt, und kassieren Sie höchstens so viel.',
  refusal_currency_not_accepted:
    'Das Terminal oder die Rechnung hat eine andere Währung. Sehen Sie sich die Rechnung an, oder wählen Sie ein anderes Terminal.',
  refusal_amount_due_unknown:
    'Was bei dieser Rechnung offen ist, ist hier nicht bekannt. Es wurde nichts abgebucht. Geben Sie den Betrag ein.',
  refusal_entitlement_missing:
    'Der Kunde hat keinen Zugang zu dem, was dieser Verkauf voraussetzt. Es wurde nichts abgebucht. Sehen Sie nach, worauf er Anspruch hat.',
  refusal_amount_out_of_range:
    'Das Terminal nimmt diesen Betrag nicht an. Prüfen Sie ihn, oder teilen Sie die Zahlung auf.',
  refusal_memory_lost:
    'tilld weiß nicht, was vorher war. Vergleichen Sie den letzten Beleg, erledigen Sie die Aufgabe unter „Zu tun“ und versuchen Sie es noch einmal.',
  refusal_storage_full:
    'Die Festplatte der Kasse ist voll, es kann nichts aufgezeichnet werden. Nehmen Sie eine andere Zahlungsart und rufen Sie die Person, die sich um den Rechner kümmert.',
  refusal_service_unavailable:
    'tilld kann gerade nichts aufzeichnen. Nehmen Sie eine andere Zahlungsart und rufen Sie die Person, die sich um den Rechner kümmert.',
  refusal_rate_limit_exceeded:
    'Zu viele Anfragen auf einmal. Warten Sie einen Moment und versuchen Sie es noch einmal.',
  refusal_insufficient_permissions:
    'Ihre Rolle erlaubt das nicht. Bitten Sie eine Person mit der Rolle „Leitung“.',
  refusal_sign_in_paused:
    'Zu viele falsche PINs. Warten Sie eine Weile, oder melden Sie sich mit einem Passkey oder einem Code an.',
  refusal_pin_weak: 'Diese PIN ist zu leicht zu erraten. Nehmen Sie eine ohne Ziffernfolge.',
  refusal_passkey_refused: 'Der Passkey wurde nicht hinzugefügt. Versuchen Sie es noch einmal.',
  refusal_name_taken: 'Eine Person mit diesem Namen oder diesem Benutzer gibt es schon.',
  refusal_people_limit_reached:
    'Es gibt so viele Personen, wie es geben darf. Sperren Sie den Zugang einer Person, die nicht mehr hier arbeitet.',
  refusal_passkey_limit_reached: 'Sie haben so viele Passkeys, wie es geben darf. Entfernen Sie einen.',
  refusal_paired_device_limit_reached:
    'Es gibt so viele gekoppelte Geräte, wie es geben darf. Entkoppeln Sie eines.',
  refusal_sign_in_not_fresh:
    'Melden Sie sich erst ab und neu an: Passkeys und PIN werden innerhalb von zehn Minuten nach einer Anmeldung geändert. Es wurde nichts geändert.',
  refusal_person_required:
    'Diese Entscheidung braucht eine Person mit Namen. Melden Sie sich mit Ihrem eigenen Code an, nicht mit einem gemeinsamen.',
  refusal_payment_not_cancellable: 'Sie ist schon zu Ende. Sehen Sie sich das Ergebnis an.',
  refusal_payment_not_in_doubt: 'Es ist schon entschieden. Sehen Sie sich das Ergebnis an.',
  refusal_decision_too_early:
    'Für diese Antwort ist es zu früh: Das Terminal bucht vielleicht noch. Versuchen Sie es später; die Leitung kann sie spätestens fünfzehn Minuten nach Beginn des Zweifels geben.',
  refusal_receipt_unavailable:
    'Nur eine erfolgreiche Zahlung hat einen Beleg. Sehen Sie sich ihr Ergebnis an.',
  refusal_receipts_not_served: 'Kein Telefon erreicht diese Kasse. Drucken Sie den Beleg stattdessen.',
  refusal_payment_not_refundable:
    'Diese Zahlung kann nicht zurückgegeben werden: Sie ist kein Verkauf oder wurde nicht abgebucht.',
  refusal_refund_exceeds_amount:
    'Das ist mehr, als noch zurückgegeben werden kann. Sehen Sie nach, was schon zurückgegeben ist.',
  refusal_void_not_possible: 'Ein Storno geht nicht mehr. Erstatten Sie stattdessen.',
  refusal_not_implemented: 'tilld führt diese Liste nicht: {reason}',
  refusal_operation_not_supported:
    'Dieses Terminal kann das nicht. Erstatten Sie, oder geben Sie das Geld anders zurück.',
  refusal_resource_not_found: 'Das kennt tilld nicht mehr. Sehen Sie im Verlauf nach.',
  refusal_unreachable:
    'tilld antwortet nicht. Warten Sie, bis die Verbindung wieder da ist, und sehen Sie in den Verlauf, bevor Sie es noch einmal versuchen.',
  refusal_validation_error: 'Die Eingabe ist ungültig: {reason}',
  refusal_missing_required_field: 'Eine nötige Angabe fehlt: {reason}',
  refusal_invalid_request_error: 'tilld kann diese Anfrage nicht lesen: {reason}',
  refusal_payload_too_large: 'Das ist zu viel auf einmal.',
  refusal_resource_missing:
    'Das gibt es nicht oder nicht mehr. Öffnen Sie die Seite noch einmal und suchen Sie danach.',
  refusal_parameter_invalid: 'Die Anfrage widerspricht sich: {reason}',
  refusal_route_unknown:
    'Dieses tilld kennt diese Anfrage nicht. Laden Sie die Seite neu: Sie ist vielleicht aus einer anderen Version.',
  refusal_misdirected_request:
    'tilld wird hier nicht unter diesem Namen aufgerufen. Öffnen Sie es unter seiner eigenen Adresse.',
  refusal_origin_not_allowed: 'Die Anfrage kam von einer anderen Seite und wurde nicht ausgeführt.',
  refusal_authentication_failed: 'tilld weiß nicht, wer fragt. Melden Sie sich neu an.',
  refusal_invalid_api_key: 'tilld kennt diesen Schlüssel nicht.',
  refusal_fleet_joined: 'Dieses Geschäft gehört schon zu einem Verbund. Verlassen Sie ihn zuerst.',
  refusal_invitation_invalid:
    'Der Hub nimmt diesen Code nicht an. Lassen Sie sich einen neuen geben; ein Code gilt 15 Minuten, einmal.',
  refusal_dry_run_busy:
    'Ein anderer Probelauf ist im Gange. Warten Sie dessen Ende ab, höchstens zwei Minuten.',
  refusal_expired_api_key: 'Dieser Schlüssel ist abgelaufen.',
  refusal_api_key_revoked: 'Dieser Schlüssel wurde widerrufen.',
  refusal_signature_invalid: 'Die Signatur der Nachricht ist falsch.',
  refusal_timestamp_invalid:
    'Die Zeit der Nachricht weicht zu weit von unserer ab. Prüfen Sie die Uhr dieses Rechners.',
  refusal_sign_in_code_invalid: 'Dieser Code gilt nicht. Lassen Sie sich einen neuen geben.',
  refusal_session_invalid: 'Sie sind nicht mehr angemeldet. Melden Sie sich neu an.',
  refusal_ip_not_allowed: 'Von dieser Adresse aus ist das nicht erlaubt.',
  refusal_internal_only: 'Das geht nur auf dem Rechner von tilld selbst, mit tillctl.',
  refusal_IDEMPOTENCY_KEY_INVALID: 'Der Schlüssel dieser Anfrage ist ungültig. Es wurde nichts gestartet.',
  refusal_IDEMPOTENCY_KEY_IN_PROGRESS: 'Dieselbe Anfrage wird gerade ausgeführt. Warten Sie auf die Antwort.',
  refusal_IDEMPOTENCY_KEY_MISMATCH:
    'Eine andere Anfrage hat diesen Schlüssel schon benutzt. Es wurde nichts gestartet; sehen Sie in den Verlauf.',
  refusal_task_done: 'Das ist schon erledigt.',
  refusal_task_to_perform: 'Darum bittet die Flotte. Ausführen oder mit einem Grund ablehnen.',
  refusal_task_not_answered:
    'Es ist noch nicht bekannt, ob dem Kunden abgebucht wurde. Beantworten Sie zuerst diese Frage; mit der Antwort ist die Aufgabe erledigt.',
  refusal_invalid_status: 'Das passt nicht zum jetzigen Stand: {reason}',
  refusal_api_key_limit_reached:
    'Es gibt schon so viele Schlüssel, wie es geben darf. Widerrufen Sie zuerst einen.',
  refusal_too_many_webhook_endpoints:
    'Es gibt schon so viele Webhook-Adressen, wie es geben darf. Entfernen Sie zuerst eine.',
  refusal_integration_not_active: 'Diese Anbindung ist nicht eingeschaltet.',
  refusal_gateway_error: 'Die Gegenseite hat es nicht ausgeführt: {reason}',
  refusal_shutting_down:
    'tilld wird gerade beendet. Warten Sie, bis es wieder da ist, und versuchen Sie es noch einmal.',
  refusal_draining:
    'tilld wird gleich neu gestartet. Warten Sie einen Moment und versuchen Sie es noch einmal.',
  refusal_internal_error:
    'In tilld ist etwas schiefgegangen; das Protokoll sagt, was. Sehen Sie in den Verlauf, bevor Sie es noch einmal versuchen.',
  end_declined: 'Das Terminal hat abgelehnt.',
  end_no_paper:
    'Das Terminal hat kein Papier. Legen Sie eine neue Rolle ein und kassieren Sie dann noch einmal.',
  end_aborted: 'Es wurde am Terminal abgebrochen.',
  aborted_here: 'Es wurde von der Kasse aus abgebrochen.',
  end_cancelled: 'Es wurde abgebrochen, bevor es das Terminal erreichte.',
  end_expired: 'Es wartete zu lange und hat das Terminal nie erreicht.',
  end_restart: 'tilld wurde beendet, während das Terminal daran arbeitete.',
  end_memory_lost: 'Das liegt vor dem, was tilld noch weiß: Sehen Sie sich die Belege des Terminals an.',
  end_terminal_replaced:
    'Das Terminal wurde ausgetauscht, bevor es das Ergebnis melden konnte: Jemand muss nachsehen, wie es ausging.',
  end_terminal_not_believed:
    'Das Terminal hat eine Antwort gegeben, die es nicht geben kann: Jemand muss nachsehen, wie es ausging.',
  end_wrong_terminal:
    'Vielleicht antwortet etwas anderes als das Terminal. Dieser Vorgang hat das Terminal nie erreicht.',
  end_terminal_recovering:
    'Die Zahlung davor war noch nicht geklärt. Dieser Vorgang hat das Terminal nie erreicht.',
  end_previous_was_charged:
    'Es stellte sich heraus, dass die Zahlung davor abgebucht wurde. Dieser Vorgang hat das Terminal nie erreicht.',
  end_not_started: 'Das Terminal hat nicht begonnen.',
  end_driver_error: 'Der Dialog mit dem Terminal ist abgebrochen.',
  end_other_currency:
    'Das Terminal hat eine andere Währung genehmigt als verlangt. Vergleichen Sie den Beleg.',
  end_not_charged: 'Wie es ausging, wurde nachträglich festgestellt.',
  end_reversed_by_terminal: 'Das Terminal hat seine Genehmigung zurückgenommen.',
  end_needs_person: 'Das Terminal kann nicht sagen, wie es ausging: Jemand muss seine Belege ansehen.',
  stand_no_devices: 'Es ist kein Terminal eingerichtet.',
  stand_terminal_offline: 'Ein Terminal ist nicht verbunden.',
  stand_terminal_printer:
    'Ein Terminal hat kein Papier, oder sein Deckel ist offen. Legen Sie eine neue Rolle ein, und schließen Sie den Deckel.',
  stand_terminal_needs_person: 'Ein Terminal antwortet, braucht aber Hilfe. Sehen Sie nach, was es anzeigt.',
  stand_terminal_wrong_terminal:
    'Es antwortet ein anderes Terminal als das, das dorthin gehört, oder eines, dem nicht zu trauen ist.',
  stand_terminal_recovering: 'Ein Terminal wird gefragt, wie seine letzte Zahlung ausging.',
  stand_terminal_busy: 'Ein Terminal ist beschäftigt.',
  stand_terminal_ready: 'Ein Terminal hat etwas zu melden.',
  stand_draining: 'tilld wird gleich neu gestartet: Es beginnt nichts Neues. Warten Sie einen Moment.',
  stand_disk_full: 'Die Festplatte ist voll: Es wird nichts verkauft, bis wieder Platz ist.',
  stand_read_only: 'Auf die Festplatte kann nicht geschrieben werden: Es wird nichts verkauft.',
  stand_storage_failed: 'Die Festplatte funktioniert nicht: Es wird nichts verkauft.',
  stand_storage_quarantined: 'Die Datenbank war beschädigt; was zu retten war, ist an ihrer Stelle.',
  stand_memory_lost:
    'tilld weiß nicht, was vorher war: Vergleichen Sie den letzten Beleg. Dadurch wurde nichts abgebucht.',
  stand_database_copied:
    'Diese Datenbank ist vielleicht eine Kopie. Zahlungen des Dienstes werden nicht angenommen: Vergleichen Sie den letzten Beleg jedes Terminals. Dadurch wurde nichts abgebucht.',
  stand_clock_wrong:
    'Die Uhr dieses Rechners geht falsch. Zeiten auf Listen und Belegen können falsch sein; keine Zahlung wird deswegen doppelt angenommen oder abgelehnt. Lassen Sie sie stellen: tillctl doctor sagt, wie.',
  stand_journal_broken: 'Das Journal der Zahlungen wurde von jemand anderem als tilld verändert.',
  stand_archive_stopped: 'Alte Zahlungen werden nicht mehr archiviert; alles andere läuft weiter.',
  service_captive_portal:
    'Das Netz verlangt eine Anmeldung: Seine Seite antwortet anstelle des Dienstes. Zahlungen gehen weiter und werden danach gemeldet. Melden Sie diesen Rechner im Netz an.',
  service_wrong_host:
    'Ein anderer Rechner oder ein Proxy antwortet anstelle des Dienstes. Zahlungen gehen weiter und werden danach gemeldet. Sagen Sie dem Büro Bescheid: tillctl doctor zeigt, was antwortet.',
  stand_service_offline: 'Der Dienst ist nicht erreichbar.',
  stand_integration_paused: 'Eine Anbindung ist angehalten.',
  stand_integration_refused: 'Eine Anbindung ist abgelehnt: Ihre Konfiguration ist falsch.',
  stand_sync_stream_paused:
    'Eine Liste wird nicht gelesen: Die Zugangsdaten dürfen sie beim Anbieter nicht lesen.',
  stand_sync_stale: 'Eine Liste ist schon zu lange nicht vollständig.',
  stand_sync_all_parked: 'Alle Datensätze einer Liste sind zurückgestellt: Nichts davon ist aktuell.',
  stand_sync_held: 'Löschungen warten auf eine Entscheidung.',
  stand_mirror_replaced:
    'Die Kopie der Listen des Dienstes war beschädigt und wird neu gelesen: In Listen können eine Weile Einträge fehlen. Keine Zahlung hängt davon ab, und es wurde dadurch nichts abgebucht. Es ist nichts zu tun.',
  stand_mirror_unreadable: 'Die Kopie der Listen des Dienstes war eben nicht lesbar.',
  said: '{reason} Das Terminal sagte: „{words}“',
  refusal_unknown: 'tilld sagt: {reason}',
  take_lost:
    'Nicht mit tilld verbunden: Warten Sie, bis die Verbindung wieder da ist. Bis dahin lässt sich hier keine Zahlung starten.',
  sending_title: 'Gesendet, noch keine Antwort',
  sending_charged: 'Es ist noch nicht bekannt, ob dem Kunden etwas abgebucht wurde.',
  sending_now:
    'Nicht noch einmal starten. Die Seite fragt weiter nach, bis tilld antwortet; die Anfrage wird höchstens einmal ausgeführt.',
  never_started_title: 'Sie wurde nie gestartet',
  never_started_charged: 'Dem Kunden wurde NICHTS abgebucht: Die Anfrage ist nicht angekommen.',
  never_started_now: 'Starten Sie neu, wenn es noch gewünscht ist.',
  refused_sale_this: 'Durch diese Anfrage wurde dem Kunden NICHTS abgebucht: Sie wurde nicht gestartet.',
  refused_back_this: 'Durch diese Anfrage wurde KEIN Geld zurückgegeben: Sie wurde nicht gestartet.',
  refused_other_payment: 'Im Weg steht Zahlung {id}, {at}: {charged}',
  refused_paid_now:
    'Nicht noch einmal kassieren. Nur wenn der Kunde wirklich ein zweites Mal zahlt: Sehen Sie sich zuerst jene Zahlung an und bestätigen Sie, dass Sie nachgesehen haben.',
  refused_back_now:
    'Sehen Sie zuerst jene an. Nur wenn derselbe Betrag wirklich noch einmal zurückgegeben werden soll, bestätigen Sie, dass Sie nachgesehen haben.',
  refused_over_now: 'Sehen Sie jene Zahlung an. Ist diese noch gewünscht, starten Sie sie neu.',
  had_approval: 'Das Terminal hatte GENEHMIGT gesagt, bevor die Verbindung abbrach.',
  had_approval_receipt: 'Das Terminal hatte GENEHMIGT gesagt, bevor die Verbindung abbrach, Beleg {number}.',
  corrects: 'Zahlung {id} war anders ausgegangen.',
  corrected_by: 'Siehe Zahlung {id}.',
  label_waiting: 'Wartet',
  label_running: 'Läuft',
  label_in_doubt: 'Nicht klar',
  label_paid: 'Bezahlt',
  label_paid_part: 'Teilweise bezahlt',
  label_going_back: 'Wird zurückgegeben',
  label_back_part: 'Teilweise zurückgegeben',
  label_back: 'Zurückgegeben',
  label_declined: 'Abgelehnt',
  label_cancelled: 'Abgebrochen',
  label_failed: 'Fehlgeschlagen',
  label_corrected: 'Berichtigt',
  label_written_off: 'Nie geklärt',
  task_cancel_too_late: 'Der Abbruch kam zu spät.',
  task_partial_approval: 'Nur ein Teil wurde genehmigt.',
  task_amount_differs: 'Das Terminal hat einen anderen Betrag gebucht als verlangt.',
  task_amount_differs_now:
    'Vergleichen Sie den Beleg, bevor Sie weiter kassieren oder zurückgeben. Erstatten Sie die Differenz, wenn der Kunde nicht zugestimmt hat.',
  task_correction: 'Ein neuerer Nachweis zeigt ein anderes Ergebnis, als hier eingetragen war.',
  task_void_mismatch: 'Ein Storno hat eine andere Zahlung getroffen.',
  task_void_mismatch_now:
    'Vergleichen Sie beide Belege mit dem Journal des Terminals, bevor Sie weiter kassieren oder zurückgeben.',
  task_refund_to_other_card: 'Das Geld ging auf eine andere Karte als die des Verkaufs.',
  task_refund_to_other_card_now:
    'Vergleichen Sie die Kartennummern auf den Belegen des Verkaufs und dieser Erstattung. Telefon oder Uhr zeigen für dieselbe Karte manchmal eine andere Nummer. Ist es nicht die Karte des Kunden, rufen Sie den Zahlungsdienstleister an, bevor Sie noch etwas zurückgeben.',
  task_maybe_reported_twice:
    'Der Dienst führt diese Zahlung vielleicht zweimal: Die Antwort auf ihre erste Meldung fehlte länger als einen Tag.',
  task_maybe_reported_twice_now:
    'Suchen Sie sie im Dienst nach Betrag und Uhrzeit. Steht sie dort zweimal, lassen Sie eine davon entfernen; Geld ist nicht zweimal geflossen. Schließen Sie dann diese Aufgabe.',
  task_report_rejected: 'Der Dienst hat das Ergebnis nicht angenommen.',
  task_report_rejected_now:
    'Lassen Sie es im Dienst in Ordnung bringen und schließen Sie dann diese Aufgabe.',
  report_again: 'Der Dienst hatte das Ergebnis nicht angenommen. Es wird noch einmal gesendet.',
  report_again_now: 'An der Meldung ist nichts zu tun, bis der Dienst antwortet.',
  report_taken: 'Der Dienst hatte das Ergebnis zuerst nicht angenommen. Inzwischen hat er es angenommen.',
  close_task: 'Schließen Sie diese Aufgabe.',
  task_invoice_paid_twice:
    'Die Rechnung wurde zweimal bezahlt: hier und an einer anderen Kasse. Es wurde mehr kassiert, als sie beträgt.',
  task_invoice_paid_twice_now:
    'Erstatten Sie eine der beiden Zahlungen, hier oder an der anderen Kasse, und sagen Sie dem Kunden: „Ihre Rechnung wurde zweimal abgebucht. Wir geben Ihnen eine Zahlung zurück.“ Schließen Sie dann diese Aufgabe.',
  task_invoice_unconfirmed: 'Der Dienst konnte nicht gefragt werden, ob die Rechnung anderswo bezahlt wurde.',
  task_invoice_unconfirmed_now: 'Jetzt ist nichts zu tun: Der Dienst wird gefragt, sobald er erreichbar ist.',
  task_memory_lost: 'tilld weiß nicht, was vorher war.',
  task_memory_lost_now:
    'Vor dem nächsten Verkauf: Vergleichen Sie den letzten Beleg dieses Terminals mit Ihren Unterlagen.',
  task_storage_damaged: 'Die Datenbank war beschädigt; was zu retten war, ist an ihrer Stelle.',
  task_storage_damaged_now: 'Vergleichen Sie die letzten Zahlungen mit den Belegen.',
  task_settlement_differs: 'Die Tagessumme des Terminals weicht von unserer ab.',
  task_settlement_differs_now: 'Vergleichen Sie das Journal des Terminals mit dem Verlauf.',
  task_signature_to_check: 'Der Kunde hat unterschrieben.',
  task_signature_to_check_now:
    'Vergleichen Sie die Unterschrift mit der Karte; stimmt sie nicht überein, stornieren Sie die Zahlung. Ohne Antwort gilt die Zahlung.',
  task_terminal_replaced:
    'Das Terminal dieser Zahlung wurde ausgetauscht, bevor es sagen konnte, wie sie ausging.',
  task_terminal_replaced_payment:
    'Das Terminal{which} wurde ausgetauscht, bevor es sagen konnte, wie diese Zahlung über {amount} ausging.',
  task_terminal_not_believed:
    'An der Stelle eines Terminals antwortet etwas auf eine Weise, wie dieses Terminal nicht antworten kann.',
  task_terminal_not_believed_now:
    'Es bekommt keine Zahlung. Prüfen Sie, ob es Ihr Terminal ist und ob nichts anderes unter seiner Adresse antwortet; danach übernimmt es eine Person mit der Rolle „Betrieb“.',
  task_offline_approval: 'Ohne Rückfrage bei der Bank genehmigt.',
  task_offline_approval_now: 'Jetzt ist nichts zu tun: Sicher ist es nach dem Tagesabschluss.',
  task_fleet_end_of_day: '{operator} von Ihrer Flotte bittet um den Tagesabschluss dieses Terminals.',
  task_fleet_end_of_day_now:
    'Den Tag abschließen, wenn jetzt der richtige Zeitpunkt ist, oder mit einem Grund ablehnen.',
  task_fleet_resolve: '{operator} von Ihrer Flotte fragt, wie diese Zahlung ausgegangen ist.',
  task_fleet_resolve_now:
    'Die Frage der Zahlung nach dem beantworten, was Beleg oder Terminal zeigen: Sie entscheiden, nicht die Flotte. Oder mit einem Grund ablehnen.',
  task_fleet_retry_report:
    '{operator} von Ihrer Flotte bittet, dem Dienst eine Meldung noch einmal zu senden, die er abgelehnt hatte.',
  task_fleet_retry_report_now:
    'Noch einmal senden, wenn die Ursache behoben ist, oder mit einem Grund ablehnen.',
  task_fleet_drop_report:
    '{operator} von Ihrer Flotte bittet, eine Meldung zu verwerfen, die der Dienst abgelehnt hatte.',
  task_fleet_drop_report_now:
    'Sie wird dann nie gesendet. Nur verwerfen, wenn der Dienst die Zahlung auf anderem Weg hat, oder mit einem Grund ablehnen.',
  task_fleet_adopt:
    '{operator} von Ihrer Flotte bittet, das Terminal zu übernehmen, das hier jetzt antwortet.',
  task_fleet_adopt_now:
    'Prüfen, ob es Ihr Terminal ist, und die Seriennummer vergleichen. Dann übernehmen oder mit einem Grund ablehnen.',
  task_fleet_unknown: '{operator} von Ihrer Flotte bittet um etwas, das diese Seite nicht kennt.',
  task_fleet_unknown_now: 'Mit einem Grund ablehnen oder bei der Leitung Ihrer Flotte nachfragen.',
  task_fleet_reason: 'Als Grund ist angegeben: „{reason}“.',
  task_fleet_charged: 'Durch diese Bitte wurde niemandem etwas berechnet.',
  task_fleet_begun: '{by} hat damit begonnen. Das Ende abwarten.',
  task_unknown: 'Das muss sich eine Person ansehen.',
  end_payment_already_open:
    'Eine andere Zahlung desselben Verkaufs war da noch offen. Dieser Vorgang hat das Terminal nie erreicht.',
  end_payment_already_paid:
    'Eine andere Zahlung hatte denselben Verkauf da schon bezahlt. Dieser Vorgang hat das Terminal nie erreicht.',
  end_written_off: 'Eine Person hat nachgesehen, und es ließ sich nicht klären, wie es ausging.',
  end_refund_blocked:
    'Derselbe Betrag war gerade erst zurückgegeben worden. Dieser Vorgang hat das Terminal nie erreicht.',
  end_invoice_already_paid:
    'Die Rechnung war da schon bezahlt. Dieser Vorgang hat das Terminal nie erreicht.',
  stand_report_refused: 'Der Dienst hat eine Meldung nicht angenommen: siehe „Zu tun“.',
  lost_sale:
    'tilld antwortet nicht. Es ist nicht bekannt, ob dem Kunden etwas abgebucht wurde: Kassieren Sie nicht noch einmal.',
  lost_back:
    'tilld antwortet nicht. Es ist nicht bekannt, ob Geld zurückgegeben wurde: Geben Sie es nicht noch einmal zurück.',
  tasks_now: 'Erledigen Sie die offene Aufgabe dazu.',
  refused_sale: 'Dem Kunden wurde NICHTS abgebucht: Es wurde nichts gestartet.',
  refused_back: 'Es wurde KEIN Geld zurückgegeben: Es wurde nichts gestartet.',
  close_requested: 'Der Tagesabschluss wartet auf das Terminal.',
  close_requested_now: 'Bitte warten, nicht noch einmal starten.',
  close_in_progress: 'Das Terminal schließt gerade seinen Tag ab.',
  close_in_progress_now: 'Bitte warten und das Terminal eingeschaltet lassen.',
  close_succeeded: 'Der Tag ist abgeschlossen.',
  close_by_itself: 'Das Terminal hat seinen Tag von selbst abgeschlossen.',
  close_refused: 'Das Terminal hat den Tagesabschluss abgelehnt. Sein Tag ist noch offen.',
  close_refused_now: 'Beheben Sie, was es anzeigt, und starten Sie den Tagesabschluss dann erneut.',
  close_cancelled: 'Der Tagesabschluss hat das Terminal nicht erreicht. Sein Tag ist noch offen.',
  close_cancelled_now: 'Starten Sie ihn erneut.',
  close_unknown: 'Es ist nicht bekannt, ob das Terminal seinen Tag abgeschlossen hat.',
  close_unknown_now:
    'Sehen Sie am Terminal nach: Hat es die Summen gedruckt, ist der Tag abgeschlossen; sonst starten Sie den Tagesabschluss erneut.',
  close_charges_none: 'Ein Tagesabschluss bucht keinem Kunden etwas ab: Jede Zahlung bleibt, wie sie war.',
  journal_agrees:
    'Jede Abbuchung, die das Terminal meldet, steht in unseren Büchern. Sonst ist nichts zu tun.',
  journal_contradicts:
    '{count} Zahlungen endeten am Terminal anders als in unseren Büchern. Korrekturen sind eingetragen, und es gilt, was das Terminal sagt: Sehen Sie unter „Zu tun“ nach.',
  journal_contradicts_one:
    '{count} Zahlung endete am Terminal anders als in unseren Büchern. Eine Korrektur ist eingetragen, und es gilt, was das Terminal sagt: Sehen Sie unter „Zu tun“ nach.',
  journal_missing:
    '{count} unserer Zahlungen fehlen im Journal des Terminals. Ob diesen Kunden etwas abgebucht wurde, ist nicht sicher: Vergleichen Sie die Belege, bevor Sie den Tag abschließen.',
  journal_missing_one:
    '{count} unserer Zahlungen fehlt im Journal des Terminals. Ob diesem Kunden etwas abgebucht wurde, ist nicht sicher: Vergleichen Sie die Belege, bevor Sie den Tag abschließen.',
  journal_unknown:
    '{count} Vorgänge im Journal des Terminals kamen nicht von hier: Vielleicht wurde einem Kunden von Hand abgebucht. Fragen Sie, wer das Terminal benutzt hat.',
  journal_unknown_one:
    '{count} Vorgang im Journal des Terminals kam nicht von hier: Vielleicht wurde einem Kunden von Hand abgebucht. Fragen Sie, wer das Terminal benutzt hat.',
  journal_sum_differs:
    'Die Summe des Terminals weicht von unserer ab: Vergleichen Sie die Zeilen, bevor Sie den Tag abschließen.',
  journal_in_part: 'Das Terminal meldet nur einen Teil seines Journals; der Rest wurde nicht verglichen.',
  compare_agrees: 'Die Summe des Terminals stimmt mit unserer überein: {terminal}. Sonst ist nichts zu tun.',
  compare_more:
    'Die Summe des Terminals stimmt NICHT mit unserer überein: Das Terminal hat {terminal}, tilld hat {ours}. Das Terminal hat {difference} mehr: Vielleicht wurde einem Kunden ohne tilld abgebucht. Legen Sie die gedruckten Summen beiseite und vergleichen Sie sein Journal mit den Zahlungen des Tages.',
  compare_less:
    'Die Summe des Terminals stimmt NICHT mit unserer überein: Das Terminal hat {terminal}, tilld hat {ours}. Das Terminal hat {difference} weniger: Vielleicht fehlt dort eine Zahlung, oder sie wurde ohne tilld zurückgegeben. Legen Sie die gedruckten Summen beiseite und vergleichen Sie sein Journal mit den Zahlungen des Tages.',
  compare_day_not_whole:
    'Das Terminal hat {terminal}, tilld hat {ours}: Sie unterscheiden sich um {difference}. tilld weiß nicht, wann dieser Tag am Terminal begann; in dessen Summe können Zahlungen aus der Zeit vor tilld sein. Vergleichen Sie sie einmal mit den gedruckten Summen; ab dem nächsten Abschluss müssen die Summen gleich sein.',
  compare_no_sum:
    'Das Terminal meldet tilld keine Summe; tilld hat {ours}. Bewahren Sie die gedruckten Summen auf und vergleichen Sie sie damit.',
  compare_nothing:
    'Zu diesem Abschluss gibt es keine Summen: Bewahren Sie die gedruckten Summen für die Buchhaltung auf.',
};
