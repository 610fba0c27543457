/** @type {typeof import('./en.js').en} */
export const fr = {
  terminals: 'Terminaux',
  no_terminals: 'Aucun terminal n’est configuré.',
  device_ready: 'Prêt',
  device_busy: 'Occupé',
  device_recovering: 'Vérification',
  device_offline: 'Non connecté',
  device_wrong_terminal: 'Mauvais terminal',
  waiting: '{count} en attente',
};
