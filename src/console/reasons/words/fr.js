/** Ce que tilld dit par un code. */
export const fr = {
  refusal_terminal_not_ready:
    'Le terminal n’est pas prêt. Regardez-le, réglez ce qu’il indique, puis réessayez.',
  refusal_terminal_in_doubt:
    'Il faut d’abord savoir ce qu’est devenu le paiement précédent. Répondez à la question ouverte.',
  refusal_wrong_terminal:
    'Un autre terminal répond à cette place. Prenez-en un autre et appelez la personne qui s’occupe des terminaux.',
  refusal_terminal_busy: 'Le terminal a assez à faire. Attendez qu’il soit libre, puis réessayez.',
  refusal_payment_already_open:
    'Le même paiement est déjà en cours ou incertain. Regardez celui-là ; n’en lancez pas un second.',
  refusal_payment_already_paid:
    'La même somme vient d’être payée. Regardez ce paiement avant d’encaisser de nouveau.',
  refusal_invoice_already_paid:
    'Cette facture est payée. Rien n’a été débité maintenant. N’encaissez pas de nouveau ; regardez le paiement qui l’a réglée.',
  refusal_invoice_already_voided:
    'Cette facture a été annulée. Rien n’a été débité. N’encaissez rien pour elle ; demandez-en une nouvelle au bureau.',
  refusal_invoice_not_finalized:
    'Cette facture est encore un brouillon. Rien n’a été débité. Faites-la finaliser, puis réessayez.',
  refusal_amount_exceeds_due:
    'C’est plus que ce qui reste dû de cette facture. Rien n’a été débité. Regardez ce qui reste dû et n’encaissez pas davantage.',
  refusal_currency_not_accepted: 'Ce terminal accepte une autre devise. Choisissez un autre terminal.',
  refusal_amount_out_of_range: 'Le terminal n’accepte pas ce montant. Vérifiez-le, ou partagez le paiement.',
  refusal_memory_lost:
    'tilld ne sait plus ce qui s’est passé avant. Comparez le dernier ticket, répondez à la tâche sous « À faire », puis réessayez.',
  refusal_storage_full:
    'Le disque de la caisse est plein, rien ne peut être enregistré. Prenez un autre moyen de paiement et appelez la personne qui s’occupe de la machine.',
  refusal_service_unavailable:
    'tilld ne peut rien enregistrer pour le moment. Prenez un autre moyen de paiement et appelez la personne qui s’occupe de la machine.',
  refusal_rate_limit_exceeded: 'Trop de demandes à la fois. Attendez un instant, puis réessayez.',
  refusal_insufficient_permissions:
    'Votre rôle ne le permet pas. Demandez à une personne connectée comme responsable.',
  refusal_payment_not_cancellable: 'Il est déjà terminé. Regardez son résultat.',
  refusal_payment_not_in_doubt: 'C’est déjà décidé. Regardez son résultat.',
  refusal_decision_too_early:
    'Il est trop tôt pour dire « non débité » : le terminal débite peut-être encore. Demandez à un responsable, ou réessayez dans quelques minutes.',
  refusal_payment_not_refundable:
    'Ce paiement ne peut pas être rendu : ce n’est pas une vente, ou il n’a pas été débité.',
  refusal_refund_exceeds_amount:
    'C’est plus que ce qui peut encore être rendu. Regardez ce qui a déjà été rendu.',
  refusal_void_not_possible: 'Il n’est plus possible de l’annuler. Remboursez-le.',
  refusal_operation_not_supported:
    'Ce terminal ne sait pas le faire. Remboursez, ou rendez l’argent autrement.',
  refusal_resource_not_found: 'tilld ne le connaît plus. Regardez l’historique.',
  refusal_unreachable:
    'tilld ne répond pas. Attendez que la connexion revienne, puis regardez l’historique avant de réessayer.',
  refusal_validation_error: 'La saisie n’est pas valable : {reason}',
  refusal_missing_required_field: 'Il manque une indication nécessaire : {reason}',
  refusal_invalid_request_error: 'tilld ne peut pas lire cette demande : {reason}',
  refusal_payload_too_large: 'C’est trop à la fois.',
  refusal_parameter_invalid: 'La demande se contredit : {reason}',
  refusal_resource_missing: 'L’endroit où cette liste continue n’existe plus. Rouvrez la page.',
  refusal_route_unknown:
    'Ce tilld ne connaît pas cette demande. Rechargez la page : elle est peut-être d’une autre version.',
  refusal_misdirected_request: 'tilld ne s’appelle pas ainsi ici. Ouvrez-le par sa propre adresse.',
  refusal_origin_not_allowed: 'La demande venait d’un autre site et n’a pas été exécutée.',
  refusal_authentication_failed: 'tilld ne sait pas qui demande. Connectez-vous de nouveau.',
  refusal_invalid_api_key: 'tilld ne connaît pas cette clé.',
  refusal_expired_api_key: 'Cette clé a expiré.',
  refusal_api_key_revoked: 'Cette clé a été révoquée.',
  refusal_signature_invalid: 'La signature du message est fausse.',
  refusal_timestamp_invalid:
    'L’heure du message est trop loin de la nôtre. Vérifiez l’horloge de cette machine.',
  refusal_sign_in_code_invalid: 'Ce code n’ouvre rien. Demandez-en un nouveau.',
  refusal_session_ended: 'Vous n’êtes plus connecté. Connectez-vous de nouveau.',
  refusal_ip_not_allowed: 'Ce n’est pas permis depuis cette adresse.',
  refusal_internal_only: 'Cela n’est possible que sur la machine de tilld, avec tillctl.',
  refusal_IDEMPOTENCY_KEY_INVALID: 'La clé de cette demande n’est pas valable. Rien n’a été lancé.',
  refusal_IDEMPOTENCY_KEY_IN_PROGRESS: 'La même demande est en cours. Attendez sa réponse.',
  refusal_IDEMPOTENCY_KEY_MISMATCH:
    'Une autre demande a déjà utilisé cette clé. Rien n’a été lancé ; regardez l’historique.',
  refusal_task_done: 'Quelqu’un l’a déjà fait.',
  refusal_invalid_status: 'Cela ne convient pas à l’état actuel : {reason}',
  refusal_api_key_limit_reached: 'Il y a déjà autant de clés que permis. Révoquez-en une d’abord.',
  refusal_too_many_webhook_endpoints:
    'Il y a déjà autant d’adresses de webhook que permis. Supprimez-en une d’abord.',
  refusal_integration_not_active: 'Cette intégration n’est pas activée.',
  refusal_gateway_error: 'L’autre côté ne l’a pas fait : {reason}',
  refusal_shutting_down: 'tilld est en cours d’arrêt. Attendez qu’il soit revenu, puis réessayez.',
  refusal_internal_error:
    'Un problème est survenu dans tilld ; son journal dit lequel. Regardez l’historique avant de réessayer.',
  end_declined: 'Le terminal a refusé.',
  end_aborted: 'Il a été interrompu au terminal.',
  end_cancelled: 'Il a été annulé avant d’atteindre le terminal.',
  end_expired: 'Il a attendu trop longtemps et n’a jamais atteint le terminal.',
  end_restart: 'tilld s’est arrêté pendant que le terminal y travaillait.',
  end_memory_lost: 'Il est plus ancien que la mémoire de tilld : regardez les tickets du terminal.',
  end_terminal_replaced:
    'Le terminal a été remplacé avant d’avoir dit comment cela s’est terminé : une personne doit vérifier.',
  end_terminal_recovering:
    'Le paiement précédent n’était pas encore éclairci. Il n’a jamais atteint le terminal.',
  end_previous_was_charged: 'Le paiement précédent s’est révélé débité. Il n’a jamais atteint le terminal.',
  end_not_started: 'Le terminal n’a pas commencé.',
  end_driver_error: 'Le dialogue avec le terminal s’est interrompu.',
  end_other_currency: 'Le terminal a accepté une autre devise que celle demandée. Comparez le ticket.',
  end_not_charged: 'Le terminal n’a rien enregistré, ou quelqu’un a vérifié : pas de débit.',
  end_reversed_by_terminal: 'Le terminal a retiré son accord.',
  end_needs_person:
    'Le terminal ne peut pas dire comment cela s’est terminé : quelqu’un doit regarder ses tickets.',
  stand_no_devices: 'Aucun terminal n’est configuré.',
  stand_terminal_offline: 'Un terminal n’est pas connecté.',
  stand_terminal_wrong_terminal: 'Un autre terminal répond que celui qui doit être là.',
  stand_terminal_recovering: 'On demande à un terminal comment son dernier paiement s’est terminé.',
  stand_terminal_busy: 'Un terminal est occupé.',
  stand_terminal_ready: 'Un terminal a quelque chose à signaler.',
  stand_disk_full: 'Le disque est plein : rien n’est vendu tant qu’il n’y a pas de place.',
  stand_read_only: 'Le disque ne peut pas être écrit : rien n’est vendu.',
  stand_storage_failed: 'Le disque ne fonctionne pas : rien n’est vendu.',
  stand_storage_quarantined: 'La base de données était endommagée ; ce qui a pu être sauvé la remplace.',
  stand_memory_lost: 'tilld ne sait plus ce qui s’est passé avant : comparez le dernier ticket.',
  stand_database_copied:
    'Cette base de données est peut-être une copie. Les paiements du service ne sont pas pris : comparez le dernier ticket de chaque terminal. Rien n’a été débité pour cela.',
  stand_clock_wrong:
    'L’horloge de cette machine est fausse. Les heures sur les listes et les tickets peuvent être fausses ; aucun paiement n’est pris deux fois ni refusé pour cela.',
  stand_journal_broken: 'Le journal des paiements a été modifié par un autre que tilld.',
  stand_archive_stopped: 'Les anciens paiements ne sont plus archivés ; tout le reste continue.',
  stand_service_offline: 'Le service est injoignable.',
  stand_integration_paused: 'Une intégration est en pause.',
  stand_sync_stale: 'Une liste n’est plus complète depuis trop longtemps.',
  stand_sync_held: 'Des suppressions attendent une personne.',
  stand_mirror_unreadable: 'Le miroir n’a pas pu être lu à l’instant.',
  said: '{reason} Le terminal a dit : « {words} »',
  refusal_unknown: 'tilld dit : {reason}',
};
