/** The words of the till. `{name}` is filled in. */
export const en = {
  terminals: 'Terminals',
  no_terminals: 'No terminal is set up.',
  device_ready: 'Ready',
  device_busy: 'Busy',
  device_recovering: 'Checking',
  device_offline: 'Not connected',
  device_wrong_terminal: 'Wrong terminal',
  waiting: '{count} waiting',
};
