/** The module that starts what serves the shop: a fault of a release is a change of it. */
export const FAULTY_MODULE = 'src/agent/run-daemon.ts';

const SERVES = 'await serve(opened, running);';
/** What takes the place of the daemon's last step. */
export const FAULTS = {
  'never ready': 'await new Promise(() => running);',
  'ends at its start': 'process.exit(Number(running === null) + 1);',
  'ends when it is ready': `${SERVES} setTimeout(() => process.exit(1), 300);`,
} as const;
export type Fault = keyof typeof FAULTS;

export function isFaulty(path: string): boolean {
  return path.endsWith(`/${FAULTY_MODULE}`);
}

/** The module with the fault in it. @throws where the module no longer has the step */
export function faulty(code: string, fault: Fault): string {
  if (!code.includes(SERVES)) throw new Error(`${FAULTY_MODULE} no longer has: ${SERVES}`);
  return code.replace(SERVES, FAULTS[fault]);
}
