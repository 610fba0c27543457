/** @type {typeof import('./en.js').en} */
export const fr = {
  title: 'Problèmes',
  reading: 'Un instant…',
  all_well: 'Tout va bien : rien ne demande une intervention.',
  not_examined:
    'Paiements, envois et synchronisations vont bien. Cette machine n’a pas encore été examinée : tilld le fait de lui-même quelques minutes après son démarrage, quand aucun paiement n’est en cours.',
  mine: 'Vous pouvez régler {count} points',
  mine_one: 'Vous pouvez régler {count} point',
  others: 'D’autres peuvent régler {count} points',
  others_one: 'D’autres peuvent régler {count} point',
  who: 'Une personne ayant le rôle « {role} » peut régler cela.',
  level_error: 'Erreur',
  level_warning: 'Avertissement',
  a_terminal: 'un terminal',
  task: 'À faire',
  open_question: 'Répondre à la question',
  open_payment: 'Voir le paiement',
  task_done: 'C’est fait…',
  task_done_title: 'Quel est le résultat ?',
  task_done_submit: 'C’est fait',
  task_note: 'Ce que vous avez fait',
  your_name: 'Votre nom',
  asked_end_of_day: 'Clôturer la journée',
  asked_retry_report: 'Refaire l’envoi',
  asked_drop_report: 'Écarter l’envoi',
  asked_decline: 'Refuser…',
  asked_decline_title: 'Pourquoi est-ce refusé ?',
  asked_decline_reason: 'Le motif, transmis à la flotte',
  asked_decline_submit: 'Refuser',
  asked_why: 'Pourquoi',
  refused: '{count} envois refusés',
  refused_one: '{count} envoi refusé',
  refused_words:
    'Ce qui a été débité aux clients est bien noté dans les paiements ; seul le service ne le sait pas encore. Corrigez la cause, puis renvoyez.',
  reports_more: 'et {count} autres envois, qui ne figurent pas ici.',
  reports_more_one: 'et {count} autre envoi, qui ne figure pas ici.',
  reports_others: 'Envois qui ne figurent pas ici',
  reports_causes: 'Tous les envois refusés, par cause :',
  refused_waiting: '{count} autres envois attendent derrière ceux-ci.',
  refused_waiting_one: '{count} autre envoi attend derrière ceux-ci.',
  cause_refused: 'Le service a refusé ce qui lui a été envoyé.',
  cause_key_mismatch: 'Le service a autre chose sous la même clé.',
  cause_not_at_service: 'Le service n’a pas le paiement concerné.',
  cause_parent_not_at_service: 'Le service n’a pas la vente remboursée.',
  cause_answer_names_parent:
    'Le service a répondu par la vente, pas par son remboursement ou son annulation.',
  cause_rejected: 'Le service a un autre résultat que le terminal.',
  cause_other: 'Le service ne l’a pas accepté.',
  retry: 'Renvoyer les {count}',
  retry_one: 'Renvoyer',
  open_reports: 'Voir les envois',
  terminal_offline: '{name} n’est pas connecté',
  terminal_offline_words:
    'Aucun paiement n’y est possible. Vérifiez l’alimentation et le câble ; la connexion revient d’elle-même. Utilisez un autre terminal en attendant.',
  terminal_needs: '{name} demande une intervention',
  terminal_needs_words: 'Aucun paiement n’y est possible d’ici là. Utilisez un autre terminal en attendant.',
  terminal_paper: 'Le papier ou le capot de {name}',
  terminal_paper_words:
    'Aucun paiement n’y est possible. Mettez un nouveau rouleau et fermez le capot ; le terminal reprend de lui-même. Utilisez un autre terminal en attendant.',
  terminal_wrong: 'Un autre terminal répond à la place de {name}',
  terminal_wrong_words:
    'Il ne reçoit aucun paiement : rien n’y a été débité. Rebranchez le terminal connu, ou adoptez le nouveau.',
  adopt: 'Adopter le terminal',
  open_terminals: 'Voir les terminaux',
  service: 'Connexion au service',
  open_connection: 'Voir la connexion',
  shop: 'Ce magasin',
  open_doctor: 'Ouvrir le diagnostic',
  open_place: 'Ouvrir la page concernée',
  at_machine: 'Réglez cela sur la machine où fonctionne tilld ; le diagnostic dit comment.',
  finding_payments:
    'Un paiement attend une décision. Ne l’encaissez pas de nouveau avant d’avoir répondu à la question.',
  finding_reports:
    'Des envois attendent alors que le service devrait déjà les avoir. Les clients ont été débités comme le montrent les paiements, et rien n’est perdu. Voyez ce que les envois attendent.',
  finding_terminal:
    'Un terminal ne correspond pas à ce qu’en disent la configuration ou le service : les paiements y seront peut-être refusés, ou ne seront pas envoyés. Comparez les deux avant le prochain paiement.',
  finding_port:
    'Le port d’un terminal manque, est fermé à tilld ou est utilisé par un autre programme : les paiements peuvent y échouer. Vérifiez d’abord le câble ; le diagnostic dit quoi changer sur la machine.',
  finding_certificate:
    'Un certificat manque, est incorrect ou expire bientôt. Sans certificat valable, les autres appareils ne se connectent plus à tilld ; les paiements sur cette machine continuent. Faites-le renouveler sur la machine avant de redémarrer tilld.',
  finding_disk:
    'Il reste peu de place sur le disque, ou tilld ne peut pas y écrire comme il le doit. Une fois le disque plein, aucun paiement n’est plus pris. Faites de la place sur la machine ; le diagnostic dit où.',
  finding_clock:
    'L’horloge ou le fuseau horaire de cette machine est incorrect, ou son heure diffère de celle du service. Les montants sont justes ; les heures des listes, tickets et envois ne le sont peut-être pas. Faites régler l’horloge sur la machine.',
  finding_service:
    'Le service n’est pas utilisable comme il le devrait. Les paiements continuent et seront envoyés plus tard. Voyez la connexion.',
  finding_credentials:
    'Une clé ou un identifiant manque ou est refusé. Les paiements continuent ; les envois, synchronisations ou webhooks qui en ont besoin attendent. Faites mettre en place le bon sur la machine.',
  finding_database:
    'La base de données des paiements est peut-être endommagée, une copie, ou difficile à sauver après un dommage. Les paiements des listes restent tels quels. Lisez le diagnostic avant de redémarrer tilld.',
  finding_journal:
    'Le journal, qui prouve ce qui a été débité, n’est pas cohérent ou n’a pas été confirmé récemment. Les paiements continuent. Gardez une copie de la base de données et comparez les paiements avec les tickets du terminal.',
  finding_archive:
    'Les anciens paiements ne se lisent pas, ou ne sont plus archivés. Les nouveaux paiements continuent. Le diagnostic dit quoi faire sur la machine.',
  finding_backup:
    'Les paiements n’ont pas de sauvegarde récente. Si le disque de cette machine tombe en panne, ce qui a été débité depuis la dernière sauvegarde n’est plus connu ici. Faites faire une sauvegarde sur la machine.',
  finding_sync:
    'Des données d’un fournisseur ne sont pas lues, pas complètes ou pas renvoyées. Les paiements continuent. Voyez l’intégration.',
  finding_mappings:
    'Des produits d’un fournisseur ne sont associés à rien : les enregistrements qui les contiennent attendent. Les paiements continuent. Choisissez un produit pour chacun.',
  finding_webhooks:
    'Un autre programme ne reçoit pas les événements de cette caisse. Les paiements continuent. Le diagnostic indique son adresse ; faites vérifier là-bas.',
  finding_api_keys:
    'Une clé d’API a expiré ou expire bientôt ; la caisse qui l’utilise est alors refusée. Faites créer une nouvelle clé sur la machine et saisissez-la sur cette caisse.',
  finding_network:
    'D’autres appareils du magasin ne trouvent ou n’atteignent peut-être pas tilld. Les paiements sur cette machine continuent. Le diagnostic dit quoi changer sur la machine ou dans le réseau.',
  finding_configuration:
    'La configuration est incorrecte ou inhabituelle, et tilld ne redémarrera peut-être pas avec elle. Les paiements continuent en attendant. Faites-la corriger sur la machine avant de redémarrer tilld.',
  finding_machine:
    'Cette machine, ou la façon dont tilld y est installé, n’est pas comme il faut. Les paiements continuent pour l’instant ; après un redémarrage ou une coupure de courant, peut-être plus. Le diagnostic dit quoi changer sur la machine.',
  integration_paused: '{provider} est en pause',
  integration_refused: '{provider} ne fonctionne pas',
  integration_errors_words:
    'Trop d’exécutions ont échoué de suite : plus rien de nouveau n’y est lu. Les paiements continuent. Corrigez la cause, puis reprenez.',
  integration_credentials_words:
    'Le fournisseur refuse les identifiants : plus rien de nouveau n’y est lu. Les paiements continuent. Remplacez les identifiants ; la reprise est automatique.',
  integration_refused_words:
    'Sa configuration est fausse : rien n’y est lu. Les paiements continuent. Corrigez-la sur la machine, puis redémarrez tilld.',
  recipe_changed: 'La recette de {provider} a changé',
  resume: 'Reprendre',
  replace_credential: 'Remplacer les identifiants',
  open_integration: 'Ouvrir l’intégration',
  stream_paused: '{name} est en pause',
  stream_paused_words:
    'Le fournisseur ne permet pas de lire cette liste avec ces identifiants ; les autres continuent, les paiements aussi. Donnez le droit chez le fournisseur, puis synchronisez.',
  stream_held: '{name} : des suppressions attendent une décision',
  stream_held_words:
    'Plus d’enregistrements que d’habitude seraient supprimés ; aucun ne l’a été. Vérifiez la source, puis décidez.',
  stream_stale: '{name} n’est pas à jour',
  stream_stale_words:
    'Cette liste n’a pas été lue entièrement depuis trop longtemps. Les paiements continuent.',
  decide_deletions: 'Vérifier et décider',
  sync_now: 'Synchroniser',
  on_hold: '{count} enregistrements en attente',
  on_hold_one: '{count} enregistrement en attente',
  on_hold_words_one:
    'La synchronisation continue sans lui. Ouvrez l’intégration pour voir ce qu’il attend, ou réessayez.',
  on_hold_words:
    'La synchronisation continue sans eux. Ouvrez l’intégration pour voir ce qu’ils attendent, ou réessayez.',
  on_hold_all_words:
    'Rien n’est à jour dans une liste : tous ses enregistrements sont en attente. Ouvrez l’intégration pour voir ce qu’ils attendent, ou réessayez.',
  retry_on_hold: 'Réessayer les {count}',
  retry_on_hold_one: 'Réessayer',
  examine: 'Examiner',
  examining: 'Examen en cours…',
  examined: 'Le diagnostic date d’il y a {age}.',
  never_examined: 'Aucun diagnostic depuis le démarrage de tilld.',
  examined_in_vain: 'Le dernier examen n’a pas pu être fait ; le diagnostic dit pourquoi.',
  area_payments: 'Paiements ouverts',
  area_reports: 'Envois au service',
  area_terminal: 'Terminaux',
  area_port: 'Ports série',
  area_certificate: 'Certificats',
  area_disk: 'Disque',
  area_clock: 'Horloge',
  area_service: 'Connexion au service',
  area_database: 'Base de données',
  area_journal: 'Journal',
  area_backup: 'Sauvegarde',
  area_sync: 'Synchronisations',
  area_credentials: 'Clés et identifiants',
  area_archive: 'Archive des anciens paiements',
  area_mappings: 'Association des produits',
  area_webhooks: 'Webhooks',
  area_api_keys: 'Clés d’API',
  area_network: 'Réseau',
  area_configuration: 'Configuration',
  area_machine: 'Cette machine',
  open_list: 'Voir ce qui ne va pas',
};
