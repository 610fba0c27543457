const OF_MACHINE = ['no_devices', 'disk_full', 'read_only', 'storage_failed', 'draining'];

/** Whether a reason of the status keeps terminals from taking payments; the others concern reports, syncs or what a person must check. @param {string} code */
export function stopsSales(code) {
  return code.startsWith('terminal_') || OF_MACHINE.includes(code);
}
