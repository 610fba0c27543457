/** The texts of one integration: what it holds, its source and its credential. `{name}` is filled in. */
export const integration = {
  held_why_resync: 'Motif : introuvables lors d’une resynchronisation complète.',
  held_why_deletes: 'Motif : supprimés à la source, ou introuvables lors de deux lectures complètes.',
  held_ids: 'Identifiants à la source : {ids}',
  held_ids_more: 'Identifiants à la source : {ids} et {count} autres',
  held_ids_more_one: 'Identifiants à la source : {ids} et {count} autre',
  save: 'Enregistrer',
  lookback_change: 'Changer les jours',
  lookback_title: 'Jusqu’où la première synchronisation lit-elle les factures ?',
  lookback_days: 'Jours',
  lookback_words:
    'Cela vaut pour la première synchronisation des factures. Ce qui a été lu reste ; une resynchronisation complète lit les factures de tout âge.',
  credential: 'Identifiants',
  credential_part_apiKey: 'Clé',
  credential_part_baseUrl: 'Adresse',
  credential_part_appName: 'Notre nom chez lui',
  credential_part_appEmail: 'Notre adresse e-mail chez lui',
  credential_kept: 'enregistrée, jamais affichée',
  credential_none: 'non enregistrée',
  credential_missing: 'Il manque',
  credential_unreadable:
    'Ce qui est enregistré ne s’ouvre pas avec la clé de scellement de cette machine. Remplacez-le.',
  credential_person: 'Une personne les renouvelle sur la machine, dans un navigateur :',
};
