/** The texts for tilld's codes. */
export const fr = {
  refusal_terminal_not_ready:
    'Le terminal n’est pas prêt. Regardez-le, faites ce qu’il indique, puis réessayez.',
  refusal_terminal_in_doubt:
    'Il faut d’abord savoir ce qu’est devenu le paiement précédent. Répondez à la question ouverte.',
  refusal_wrong_terminal:
    'Un autre terminal répond à cet emplacement. Prenez une autre caisse en attendant. Rebranchez le terminal qui doit être là, ou faites adopter le nouveau par une personne ayant le rôle « Exploitation ».',
  refusal_terminal_busy:
    'Trop de paiements attendent déjà ce terminal. Attendez qu’il soit libre, puis réessayez.',
  refusal_payment_already_open:
    'Le même paiement est déjà en cours ou incertain. Regardez celui-là ; n’en lancez pas un second.',
  refusal_payment_already_paid:
    'La même somme vient d’être payée. Regardez ce paiement avant d’encaisser de nouveau.',
  refusal_payment_retried:
    'Une nouvelle tentative a déjà été faite, ici ou à une autre caisse. Ne recommencez pas celui-ci : regardez l’autre paiement et faites ce qui y est indiqué.',
  refusal_invoice_already_paid:
    'Cette facture est payée. Rien n’a été débité maintenant. N’encaissez pas de nouveau ; regardez le paiement qui l’a réglée.',
  refusal_invoice_already_voided:
    'Cette facture a été annulée. Rien n’a été débité. N’encaissez rien pour elle ; demandez-en une nouvelle au bureau.',
  refusal_invoice_not_finalized:
    'Cette facture est encore un brouillon. Rien n’a été débité. Faites-la finaliser, puis réessayez.',
  refusal_amount_exceeds_due:
    'C’est plus que ce qui reste à payer sur cette facture. Rien n’a été débité. Regardez ce qui reste à payer et n’encaissez pas davantage.',
  refusal_split_exceeded:
    'C’est plus que ce qui reste de cette addition ; une part dont le résultat n’est pas encore connu compte comme payée. Rien n’a été débité maintenant. Regardez ce qui reste et n’encaissez pas davantage.',
  refusal_currency_not_accepted:
    'Le terminal ou la facture est dans une autre devise. Regardez la facture, ou choisissez un autre terminal.',
  refusal_amount_due_unknown:
    'Ce qui reste à payer sur cette facture n’est pas connu ici. Rien n’a été débité. Saisissez le montant.',
  refusal_entitlement_missing:
    'Le client n’a pas les droits que cette vente exige. Rien n’a été débité. Regardez ses droits.',
  refusal_amount_out_of_range: 'Le terminal n’accepte pas ce montant. Vérifiez-le, ou partagez le paiement.',
  refusal_memory_lost:
    'tilld ne sait plus ce qui s’est passé avant. Comparez le dernier ticket, traitez la tâche sous « À faire », puis réessayez.',
  refusal_storage_full:
    'Le disque de la caisse est plein, rien ne peut être enregistré. Prenez un autre moyen de paiement et appelez la personne qui s’occupe de la machine.',
  refusal_service_unavailable:
    'tilld ne peut rien enregistrer pour le moment. Prenez un autre moyen de paiement et appelez la personne qui s’occupe de la machine.',
  refusal_rate_limit_exceeded: 'Trop de demandes à la fois. Attendez un instant, puis réessayez.',
  refusal_insufficient_permissions:
    'Votre rôle ne le permet pas. Demandez à une personne ayant le rôle « Responsable ».',
  refusal_sign_in_paused:
    'Trop de codes PIN erronés. Attendez un moment, ou connectez-vous avec une clé d’accès ou un code.',
  refusal_pin_weak: 'Ce code PIN est trop facile à deviner. Prenez-en un sans suite de chiffres.',
  refusal_passkey_refused: 'La clé d’accès n’a pas été ajoutée. Réessayez.',
  refusal_name_taken: 'Une personne de ce nom, ou avec cet utilisateur, existe déjà.',
  refusal_people_limit_reached:
    'Il y a autant de personnes qu’il peut y en avoir. Mettez fin à l’accès d’une personne qui est partie.',
  refusal_passkey_limit_reached: 'Vous avez autant de clés d’accès qu’il peut y en avoir. Supprimez-en une.',
  refusal_paired_device_limit_reached:
    'Il y a autant d’appareils associés qu’il peut y en avoir. Retirez-en un.',
  refusal_sign_in_not_fresh:
    'Déconnectez-vous et reconnectez-vous d’abord : les clés d’accès et le code PIN se changent dans les dix minutes qui suivent une connexion. Rien n’a été changé.',
  refusal_person_required:
    'Cette décision demande une personne nommée. Connectez-vous avec votre propre code, pas avec un code partagé.',
  refusal_payment_not_cancellable: 'Il est déjà terminé. Regardez son résultat.',
  refusal_payment_not_in_doubt: 'C’est déjà décidé. Regardez son résultat.',
  refusal_decision_too_early:
    'Il est trop tôt pour cette réponse : le terminal débite peut-être encore. Réessayez plus tard ; un responsable peut la donner au plus tard quinze minutes après le début du doute.',
  refusal_receipt_unavailable: 'Seul un paiement réussi a un ticket. Regardez son résultat.',
  refusal_receipts_not_served: 'Aucun téléphone n’atteint cette caisse. Imprimez plutôt le ticket.',
  refusal_payment_not_refundable:
    'Ce paiement ne peut pas être remboursé : ce n’est pas une vente, ou il n’a pas été débité.',
  refusal_refund_exceeds_amount:
    'C’est plus que ce qui peut encore être remboursé. Regardez ce qui l’a déjà été.',
  refusal_void_not_possible: 'L’annulation n’est plus possible. Remboursez plutôt le paiement.',
  refusal_not_implemented: 'tilld ne tient pas cette liste : {reason}',
  refusal_operation_not_supported:
    'Ce terminal ne sait pas le faire. Remboursez, ou rendez l’argent d’une autre façon.',
  refusal_resource_not_found: 'tilld ne le connaît plus. Regardez l’historique.',
  refusal_unreachable:
    'tilld ne répond pas. Attendez que la connexion revienne, puis regardez l’historique avant de réessayer.',
  refusal_validation_error: 'La saisie n’est pas valable : {reason}',
  refusal_missing_required_field: 'Il manque une indication nécessaire : {reason}',
  refusal_invalid_request_error: 'tilld ne peut pas lire cette demande : {reason}',
  refusal_payload_too_large: 'C’est trop à la fois.',
  refusal_resource_missing: 'Cela n’existe pas, ou plus. Rouvrez la page et cherchez-le de nouveau.',
  refusal_parameter_invalid: 'La demande se contredit : {reason}',
  refusal_route_unknown:
    'Ce tilld ne connaît pas cette demande. Rechargez la page : elle est peut-être d’une autre version.',
  refusal_misdirected_request: 'tilld ne s’ouvre pas ici sous ce nom. Ouvrez-le par sa propre adresse.',
  refusal_origin_not_allowed: 'La demande venait d’un autre site et n’a pas été exécutée.',
  refusal_authentication_failed: 'tilld ne sait pas qui demande. Connectez-vous de nouveau.',
  refusal_invalid_api_key: 'tilld ne connaît pas cette clé.',
  refusal_fleet_joined: 'Ce magasin fait déjà partie d’un réseau. Quittez-le d’abord.',
  refusal_invitation_invalid:
    'Le hub n’accepte pas ce code. Demandez-en un autre : un code vaut 15 minutes, une seule fois.',
  refusal_dry_run_busy: 'Un autre essai est en cours. Attendez sa fin, deux minutes au plus.',
  refusal_expired_api_key: 'Cette clé a expiré.',
  refusal_api_key_revoked: 'Cette clé a été révoquée.',
  refusal_signature_invalid: 'La signature du message est fausse.',
  refusal_timestamp_invalid:
    'L’heure du message est trop éloignée de la nôtre. Vérifiez l’horloge de cette machine.',
  refusal_sign_in_code_invalid: 'Ce code n’est pas valable. Demandez-en un nouveau.',
  refusal_session_invalid: 'Vous n’êtes plus connecté. Connectez-vous de nouveau.',
  refusal_ip_not_allowed: 'Ce n’est pas permis depuis cette adresse.',
  refusal_internal_only: 'Cela n’est possible que sur la machine de tilld, avec tillctl.',
  refusal_IDEMPOTENCY_KEY_INVALID: 'La clé de cette demande n’est pas valable. Rien n’a été lancé.',
  refusal_IDEMPOTENCY_KEY_IN_PROGRESS: 'La même demande est en cours. Attendez sa réponse.',
  refusal_IDEMPOTENCY_KEY_MISMATCH:
    'Une autre demande a déjà utilisé cette clé. Rien n’a été lancé ; regardez l’historique.',
  refusal_task_done: 'C’est déjà fait.',
  refusal_task_to_perform: 'Votre flotte le demande. Exécutez-le, ou refusez-le avec un motif.',
  refusal_task_not_answered:
    'On ne sait pas encore si le client a été débité. Répondez d’abord à cette question ; la tâche se termine avec la réponse.',
  refusal_invalid_status: 'Cela ne convient pas à l’état actuel : {reason}',
  refusal_api_key_limit_reached: 'Il y a déjà autant de clés que permis. Révoquez-en une d’abord.',
  refusal_too_many_webhook_endpoints:
    'Il y a déjà autant d’adresses de webhook que permis. Supprimez-en une d’abord.',
  refusal_integration_not_active: 'Cette intégration n’est pas activée.',
  refusal_gateway_error: 'L’autre côté ne l’a pas fait : {reason}',
  refusal_shutting_down: 'tilld est en cours d’arrêt. Attendez qu’il soit revenu, puis réessayez.',
  refusal_draining: 'tilld va redémarrer. Attendez un instant, puis réessayez.',
  refusal_internal_error:
    'Un problème est survenu dans tilld ; son journal dit lequel. Regardez l’historique avant de réessayer.',
  end_declined: 'Le terminal a refusé.',
  end_no_paper: 'Le terminal n’a plus de papier. Mettez un nouveau rouleau, puis encaissez de nouveau.',
  end_aborted: 'Il a été interrompu au terminal.',
  aborted_here: 'Il a été annulé depuis la caisse.',
  end_cancelled: 'Il a été annulé avant d’atteindre le terminal.',
  end_expired: 'Il a attendu trop longtemps et n’a jamais atteint le terminal.',
  end_restart: 'tilld s’est arrêté pendant que le terminal y travaillait.',
  end_memory_lost: 'C’est plus ancien que ce que tilld connaît encore : regardez les tickets du terminal.',
  end_terminal_replaced:
    'Le terminal a été remplacé avant d’avoir dit comment cela s’est terminé : une personne doit vérifier.',
  end_terminal_not_believed:
    'Le terminal a donné une réponse qu’il ne peut pas donner : quelqu’un doit vérifier comment cela s’est terminé.',
  end_wrong_terminal:
    'Autre chose répond peut-être à la place du terminal. Cette opération n’a jamais atteint le terminal.',
  end_terminal_recovering:
    'Le paiement précédent n’était pas encore éclairci. Cette opération n’a jamais atteint le terminal.',
  end_previous_was_charged:
    'Le paiement précédent s’est révélé débité. Cette opération n’a jamais atteint le terminal.',
  end_not_started: 'Le terminal n’a pas commencé.',
  end_driver_error: 'Le dialogue avec le terminal s’est interrompu.',
  end_other_currency: 'Le terminal a accepté une autre devise que celle demandée. Comparez le ticket.',
  end_not_charged: 'Son résultat a été établi après coup.',
  end_reversed_by_terminal: 'Le terminal a retiré son accord.',
  end_needs_person:
    'Le terminal ne peut pas dire comment cela s’est terminé : quelqu’un doit regarder ses tickets.',
  stand_no_devices: 'Aucun terminal n’est configuré.',
  stand_terminal_offline: 'Un terminal n’est pas connecté.',
  stand_terminal_printer:
    'Un terminal n’a plus de papier, ou son capot est ouvert. Mettez un nouveau rouleau, et fermez le capot.',
  stand_terminal_needs_person:
    'Un terminal répond, mais demande une intervention. Regardez ce qu’il affiche.',
  stand_terminal_wrong_terminal:
    'Un terminal répond à la place de celui qui doit être là, ou n’est pas jugé fiable.',
  stand_terminal_recovering: 'On demande à un terminal comment son dernier paiement s’est terminé.',
  stand_terminal_busy: 'Un terminal est occupé.',
  stand_terminal_ready: 'Un terminal a quelque chose à signaler.',
  stand_draining: 'tilld va redémarrer : rien de nouveau ne commence. Attendez un instant.',
  stand_disk_full: 'Le disque est plein : aucune vente n’est possible tant qu’il n’y a pas de place.',
  stand_read_only: 'Impossible d’écrire sur le disque : aucune vente n’est possible.',
  stand_storage_failed: 'Le disque ne fonctionne pas : aucune vente n’est possible.',
  stand_storage_quarantined: 'La base de données était endommagée ; ce qui a pu être sauvé est à sa place.',
  stand_memory_lost:
    'tilld ne sait plus ce qui s’est passé avant : comparez le dernier ticket. Rien n’a été débité de ce fait.',
  stand_database_copied:
    'Cette base de données est peut-être une copie. Les paiements demandés par le service ne sont pas acceptés : comparez le dernier ticket de chaque terminal. Rien n’a été débité de ce fait.',
  stand_clock_wrong:
    'L’horloge de cette machine est fausse. Les heures sur les listes et les tickets peuvent être fausses ; aucun paiement n’est encaissé deux fois ni refusé pour cela. Faites-la régler : tillctl doctor dit comment.',
  stand_journal_broken: 'Le journal des paiements a été modifié par autre chose que tilld.',
  stand_archive_stopped: 'Les anciens paiements ne sont plus archivés ; tout le reste continue.',
  service_captive_portal:
    'Le réseau exige une connexion : sa page répond à la place du service. Les paiements continuent et seront transmis ensuite. Connectez cette machine au réseau.',
  service_wrong_host:
    'Une autre machine ou un proxy répond à la place du service. Les paiements continuent et seront transmis ensuite. Prévenez le bureau : tillctl doctor montre ce qui répond.',
  stand_service_offline: 'Le service est injoignable.',
  stand_integration_paused: 'Une intégration est en pause.',
  stand_integration_refused: 'Une intégration est refusée : sa configuration est fausse.',
  stand_sync_stream_paused:
    'Une liste n’est pas lue : le fournisseur ne permet pas de la lire avec ces identifiants.',
  stand_sync_stale: 'Une liste n’est plus complète depuis trop longtemps.',
  stand_sync_all_parked: 'Tous les enregistrements d’une liste sont en attente : rien n’y est à jour.',
  stand_sync_held: 'Des suppressions attendent une décision.',
  stand_mirror_replaced:
    'La copie des listes du service était endommagée et elle est relue : des lignes peuvent manquer un moment. Aucun paiement n’en dépend, et rien n’a été débité de ce fait. Il n’y a rien à faire.',
  stand_mirror_unreadable: 'La copie des listes du service n’a pas pu être lue à l’instant.',
  said: '{reason} Le terminal a dit : « {words} »',
  refusal_unknown: 'tilld dit : {reason}',
  take_lost:
    'Non connecté à tilld : attendez que la connexion revienne. D’ici là, aucun paiement ne peut être lancé ici.',
  sending_title: 'Envoyé, pas encore de réponse',
  sending_charged: 'On ne sait pas encore si le client a été débité.',
  sending_now:
    'Ne recommencez pas. La page redemande jusqu’à ce que tilld réponde ; la demande est exécutée une fois au plus.',
  never_started_title: 'Il n’a jamais été lancé',
  never_started_charged: 'Le client n’a PAS été débité : la demande n’est pas arrivée.',
  never_started_now: 'Recommencez si c’est toujours souhaité.',
  refused_sale_this: 'Cette demande n’a RIEN débité au client : elle n’a pas été lancée.',
  refused_back_this: 'Cette demande n’a RIEN remboursé : elle n’a pas été lancée.',
  refused_other_payment: 'Le paiement {id}, {at}, lui fait obstacle : {charged}',
  refused_paid_now:
    'N’encaissez pas une seconde fois. Si le client paie vraiment une deuxième fois : regardez d’abord ce paiement, puis confirmez que vous avez vérifié.',
  refused_back_now:
    'Regardez d’abord celui-là. Si le même montant doit vraiment être remboursé une fois de plus, confirmez que vous avez vérifié.',
  refused_over_now: 'Regardez ce paiement. Si celui-ci est toujours souhaité, recommencez.',
  had_approval: 'Le terminal avait annoncé ACCEPTÉ avant la coupure.',
  had_approval_receipt: 'Le terminal avait annoncé ACCEPTÉ avant la coupure, ticket {number}.',
  corrects: 'Le paiement {id} s’était terminé autrement.',
  corrected_by: 'Voir le paiement {id}.',
  label_waiting: 'En attente',
  label_running: 'En cours',
  label_in_doubt: 'Pas clair',
  label_paid: 'Payé',
  label_paid_part: 'Payé en partie',
  label_going_back: 'En cours de remboursement',
  label_back_part: 'Remboursé en partie',
  label_back: 'Remboursé',
  label_declined: 'Refusé',
  label_cancelled: 'Annulé',
  label_failed: 'Échec',
  label_corrected: 'Corrigé',
  label_written_off: 'Jamais éclairci',
  task_cancel_too_late: 'L’annulation est arrivée trop tard.',
  task_partial_approval: 'Une partie seulement a été acceptée.',
  task_amount_differs: 'Le terminal a traité un autre montant que celui demandé.',
  task_amount_differs_now:
    'Comparez le ticket avant d’encaisser ou de rembourser autre chose. Remboursez la différence si le client n’était pas d’accord.',
  task_correction: 'Une preuve plus récente dit autre chose que ce qui était noté ici.',
  task_void_mismatch: 'L’annulation d’une vente en a touché une autre.',
  task_void_mismatch_now:
    'Comparez les deux tickets avec le journal du terminal avant d’encaisser ou de rembourser autre chose.',
  task_refund_to_other_card: 'L’argent est allé sur une autre carte que celle de la vente.',
  task_refund_to_other_card_now:
    'Comparez les numéros de carte sur les tickets de la vente et de ce remboursement. Un téléphone ou une montre peut montrer un autre numéro pour la même carte. Si ce n’est pas la carte du client, appelez l’acquéreur avant de rembourser autre chose.',
  task_maybe_reported_twice:
    'Le service a peut-être ce paiement deux fois : la réponse au premier envoi a manqué plus d’un jour.',
  task_maybe_reported_twice_now:
    'Cherchez-le dans le service par son montant et son heure. S’il y est deux fois, faites-en supprimer un ; l’argent n’a pas bougé deux fois. Puis fermez cette tâche.',
  task_report_rejected: 'Le service n’a pas accepté le résultat.',
  task_report_rejected_now: 'Faites-le corriger dans le service, puis fermez cette tâche.',
  report_again: 'Le service n’avait pas accepté le résultat. Il est envoyé de nouveau.',
  report_again_now: 'Il n’y a rien à faire pour cet envoi avant la réponse du service.',
  report_taken: 'Le service n’avait d’abord pas accepté le résultat. Il l’a accepté depuis.',
  close_task: 'Fermez cette tâche.',
  task_invoice_paid_twice:
    'La facture a été payée deux fois : ici et à une autre caisse. On a encaissé plus que son montant.',
  task_invoice_paid_twice_now:
    'Remboursez l’un des deux paiements, ici ou à l’autre caisse, et dites au client : « Votre facture a été débitée deux fois. Nous vous remboursons un paiement. » Puis fermez cette tâche.',
  task_invoice_unconfirmed: 'Impossible de demander au service si la facture a été payée ailleurs.',
  task_invoice_unconfirmed_now:
    'Rien à faire pour l’instant : le service est interrogé dès qu’il est joignable.',
  task_memory_lost: 'tilld ne sait plus ce qui s’est passé avant.',
  task_memory_lost_now:
    'Avant la prochaine vente : comparez le dernier ticket de ce terminal avec vos documents.',
  task_storage_damaged: 'La base de données était endommagée ; ce qui a pu être sauvé est à sa place.',
  task_storage_damaged_now: 'Comparez les derniers paiements avec les tickets.',
  task_settlement_differs: 'Le total du jour du terminal diffère du nôtre.',
  task_settlement_differs_now: 'Comparez le journal du terminal avec l’historique.',
  task_signature_to_check: 'Le client a signé.',
  task_signature_to_check_now:
    'Comparez la signature avec la carte ; si ce n’est pas la même, annulez le paiement. Sans réponse, le paiement est maintenu.',
  task_terminal_replaced:
    'Le terminal de ce paiement a été remplacé avant d’avoir dit comment il s’est terminé.',
  task_terminal_replaced_payment:
    'Le terminal{which} a été remplacé avant d’avoir dit comment ce paiement de {amount} s’est terminé.',
  task_terminal_not_believed:
    'Quelque chose répond à la place d’un terminal, d’une manière dont ce terminal ne peut pas répondre.',
  task_terminal_not_believed_now:
    'Il ne reçoit aucun paiement. Vérifiez que c’est bien votre terminal et que rien d’autre ne répond à son adresse ; une personne ayant le rôle « Exploitation » l’adopte ensuite.',
  task_offline_approval: 'Accepté sans interroger la banque.',
  task_offline_approval_now: 'Rien à faire maintenant : ce sera certain après la clôture de la journée.',
  task_fleet_end_of_day: '{operator}, de votre flotte, demande de clôturer la journée de ce terminal.',
  task_fleet_end_of_day_now: 'Clôturez-la si c’est le bon moment, ou refusez avec un motif.',
  task_fleet_resolve: '{operator}, de votre flotte, demande comment ce paiement s’est terminé.',
  task_fleet_resolve_now:
    'Répondez à la question du paiement d’après ce que montrent son ticket ou le terminal : c’est vous qui décidez, pas la flotte. Ou refusez avec un motif.',
  task_fleet_retry_report:
    '{operator}, de votre flotte, demande de refaire un envoi que le service avait refusé.',
  task_fleet_retry_report_now: 'Refaites-le si la cause est réparée, ou refusez avec un motif.',
  task_fleet_drop_report:
    '{operator}, de votre flotte, demande d’écarter un envoi que le service avait refusé.',
  task_fleet_drop_report_now:
    'Il ne sera alors jamais refait. Écartez-le seulement si le service connaît le paiement autrement, ou refusez avec un motif.',
  task_fleet_adopt: '{operator}, de votre flotte, demande d’adopter le terminal qui répond ici maintenant.',
  task_fleet_adopt_now:
    'Vérifiez que c’est votre terminal et comparez son numéro de série. Adoptez-le ensuite, ou refusez avec un motif.',
  task_fleet_unknown: '{operator}, de votre flotte, demande quelque chose que cette page ne connaît pas.',
  task_fleet_unknown_now: 'Refusez avec un motif, ou demandez aux responsables de votre flotte.',
  task_fleet_reason: 'Motif indiqué : « {reason} ».',
  task_fleet_charged: 'Cette demande n’a débité aucun client.',
  task_fleet_begun: '{by} l’a commencé. Attendez la fin.',
  task_unknown: 'Une personne doit regarder cela.',
  end_payment_already_open:
    'Un autre paiement de la même vente était alors en cours. Cette opération n’a jamais atteint le terminal.',
  end_payment_already_paid:
    'Un autre paiement avait alors déjà réglé la même vente. Cette opération n’a jamais atteint le terminal.',
  end_written_off: 'Une personne a vérifié, sans pouvoir établir comment cela s’est terminé.',
  end_refund_blocked:
    'Le même montant venait d’être remboursé. Cette opération n’a jamais atteint le terminal.',
  end_invoice_already_paid:
    'La facture était alors déjà payée. Cette opération n’a jamais atteint le terminal.',
  stand_report_refused: 'Le service n’a pas accepté un envoi : voir « À faire ».',
  lost_sale:
    'tilld ne répond pas. On ne sait pas si le client a été débité : n’encaissez pas une seconde fois.',
  lost_back:
    'tilld ne répond pas. On ne sait pas si l’argent a été remboursé : ne remboursez pas une seconde fois.',
  tasks_now: 'Traitez la tâche ouverte à ce sujet.',
  refused_sale: 'Le client n’a PAS été débité : rien n’a été lancé.',
  refused_back: 'RIEN n’a été remboursé : rien n’a été lancé.',
  close_requested: 'La clôture de la journée attend le terminal.',
  close_requested_now: 'Attendez, ne la relancez pas.',
  close_in_progress: 'Le terminal clôture sa journée.',
  close_in_progress_now: 'Attendez et laissez le terminal allumé.',
  close_succeeded: 'La journée est clôturée.',
  close_by_itself: 'Le terminal a clôturé sa journée de lui-même.',
  close_refused: 'Le terminal a refusé de clôturer sa journée. Elle est encore ouverte.',
  close_refused_now: 'Réglez ce qu’il indique, puis relancez la clôture.',
  close_cancelled: 'La clôture n’a pas atteint le terminal. Sa journée est encore ouverte.',
  close_cancelled_now: 'Relancez-la.',
  close_unknown: 'On ne sait pas si le terminal a clôturé sa journée.',
  close_unknown_now:
    'Regardez le terminal : s’il a imprimé les totaux, la journée est clôturée ; sinon, relancez la clôture.',
  close_charges_none: 'Une clôture ne débite aucun client : chaque paiement reste tel qu’il était.',
  journal_agrees: 'Chaque débit que le terminal annonce est dans nos livres. Il n’y a rien d’autre à faire.',
  journal_contradicts:
    '{count} paiements se sont terminés autrement sur le terminal que dans nos livres. Des corrections sont enregistrées, et c’est le terminal qui fait foi : voyez « À faire ».',
  journal_contradicts_one:
    '{count} paiement s’est terminé autrement sur le terminal que dans nos livres. Une correction est enregistrée, et c’est le terminal qui fait foi : voyez « À faire ».',
  journal_missing:
    '{count} de nos paiements manquent dans le journal du terminal. Il n’est pas sûr que ces clients aient été débités : comparez les tickets avant de clôturer la journée.',
  journal_missing_one:
    '{count} de nos paiements manque dans le journal du terminal. Il n’est pas sûr que ce client ait été débité : comparez les tickets avant de clôturer la journée.',
  journal_unknown:
    '{count} transactions du journal du terminal ne viennent pas d’ici : un client a peut-être été débité à la main. Demandez qui a utilisé le terminal.',
  journal_unknown_one:
    '{count} transaction du journal du terminal ne vient pas d’ici : un client a peut-être été débité à la main. Demandez qui a utilisé le terminal.',
  journal_sum_differs:
    'La somme du terminal diffère de la nôtre : comparez les lignes avant de clôturer la journée.',
  journal_in_part: 'Le terminal n’annonce qu’une partie de son journal ; le reste n’a pas été comparé.',
  compare_agrees: 'La somme du terminal correspond à la nôtre : {terminal}. Il n’y a rien d’autre à faire.',
  compare_more:
    'La somme du terminal ne correspond PAS à la nôtre : le terminal a {terminal}, tilld a {ours}. Le terminal a {difference} de plus : un client a peut-être été débité sans tilld. Mettez de côté les totaux imprimés et comparez son journal avec les paiements de la journée.',
  compare_less:
    'La somme du terminal ne correspond PAS à la nôtre : le terminal a {terminal}, tilld a {ours}. Le terminal a {difference} de moins : un paiement y manque peut-être, ou a été remboursé sans tilld. Mettez de côté les totaux imprimés et comparez son journal avec les paiements de la journée.',
  compare_day_not_whole:
    'Le terminal a {terminal}, tilld a {ours} : l’écart est de {difference}. tilld ne sait pas quand cette journée a commencé au terminal ; sa somme peut contenir des paiements d’avant tilld. Comparez-les une fois avec les totaux imprimés ; dès la prochaine clôture, les sommes doivent être égales.',
  compare_no_sum:
    'Le terminal ne donne pas de somme à tilld ; tilld a {ours}. Conservez les totaux imprimés et comparez-les avec elle.',
  compare_nothing:
    'Il n’y a pas de sommes pour cette clôture : conservez les totaux imprimés pour la comptabilité.',
};
