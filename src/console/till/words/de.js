/** @type {typeof import('./en.js').en} */
export const de = {
  terminals: 'Terminals',
  no_terminals: 'Es ist kein Terminal eingerichtet.',
  device_ready: 'Bereit',
  device_busy: 'Beschäftigt',
  device_recovering: 'Wird geprüft',
  device_offline: 'Nicht verbunden',
  device_wrong_terminal: 'Falsches Terminal',
  waiting: '{count} warten',
};
