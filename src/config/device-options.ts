import { closest } from 'fastest-levenshtein';
import type { z } from 'zod';
import { configInvalid, type Problem, pathText } from './problem.ts';
import type { Config } from './schema.ts';
import { checkShape } from './shape-check.ts';

/** The part of a driver's manifest that a configuration is checked against. */
export interface DriverFacts {
  readonly id: string;
  readonly transports: readonly ('serial' | 'tcp' | 'hid')[];
  readonly defaults: { readonly tcpPort?: number; readonly baudRate?: number };
  readonly usbFingerprints?: readonly unknown[];
  readonly maxAmountMinor: number;
  readonly capabilities: { readonly tip: boolean };
  readonly options: z.ZodType;
  readonly withdrawnOptions?: Readonly<Record<string, string>>;
}

/** The part of a virtual terminal's family that a configuration is checked against. */
interface VirtualFacts extends Pick<DriverFacts, 'withdrawnOptions'> {
  readonly protocol: string;
}

type DeviceConfig = Config['devices'][number];

/**
 * Checks every device against its driver and returns the parsed `options`, by device id.
 * @throws CONFIG_INVALID with every problem at once.
 */
export function parseDeviceOptions(
  config: Config,
  drivers: readonly DriverFacts[],
  file = 'the configuration',
): ReadonlyMap<string, unknown> {
  const parsed = new Map<string, unknown>();
  const problems = config.devices.flatMap((device, index): Problem[] => {
    const path = ['devices', index];
    const driver = drivers.find((candidate) => candidate.id === device.driver);
    if (!driver) return [{ path: [...path, 'driver'], message: unknownDriver(device.driver, drivers) }];
    const shape = checkShape(driver.options, device.options);
    if (shape.ok) parsed.set(device.id, shape.value);
    const inOptions = shape.ok ? [] : shape.problems;
    return [
      ...driverProblems(device, driver, config).map((found) => ({
        ...found,
        path: [...path, ...found.path],
      })),
      ...inOptions.map((found) => ({ ...found, path: [...path, 'options', ...found.path] })),
    ];
  });
  if (problems.length === 0) return parsed;
  const located = problems.map(({ path, message }) => ({ path: pathText(path), message }));
  throw configInvalid(file, located);
}

/** An option of a device or a virtual terminal that is accepted and has no effect any more. */
export interface WithdrawnOption {
  /** `devices[0].options.quirks.capture` */
  readonly path: string;
  readonly device: string;
  /** Why, and what to do instead. */
  readonly words: string;
}

/** The options of all devices and virtual terminals that have no effect any more. */
export function withdrawnOptions(
  { devices, sandbox }: Config,
  drivers: readonly DriverFacts[],
  families: readonly VirtualFacts[],
): readonly WithdrawnOption[] {
  return [
    ...devices.flatMap((device, index) =>
      withdrawnIn(
        device,
        ['devices', index],
        drivers.find(({ id }) => id === device.driver),
      ),
    ),
    ...(sandbox?.terminals ?? []).flatMap((terminal, index) =>
      withdrawnIn(
        terminal,
        ['sandbox', 'terminals', index],
        families.find(({ protocol }) => protocol === terminal.protocol),
      ),
    ),
  ];
}

function withdrawnIn(
  { name, options }: { readonly name: string; readonly options: object },
  place: readonly (string | number)[],
  { withdrawnOptions: withdrawn = {} }: Pick<DriverFacts, 'withdrawnOptions'> = {},
): WithdrawnOption[] {
  return Object.entries(withdrawn)
    .map(([key, words]) => ({ keys: key.split('.'), words }))
    .filter(({ keys }) => isSet(options, keys))
    .map(({ keys, words }) => ({ path: pathText([...place, 'options', ...keys]), device: name, words }));
}

function isSet(options: unknown, [key, ...below]: readonly string[]): boolean {
  if (key === undefined) return true;
  return typeof options === 'object' && options !== null && key in options
    ? isSet(Reflect.get(options, key), below)
    : false;
}

function unknownDriver(id: string, drivers: readonly DriverFacts[]): string {
  const known = drivers.map((driver) => driver.id);
  const nearest = known.length === 0 ? '' : `, did you mean "${closest(id, known)}"?`;
  return `there is no driver "${id}"${nearest}`;
}

function driverProblems(device: DeviceConfig, driver: DriverFacts, config: Config): Problem[] {
  const problems: Problem[] = [];
  const transport = transportOf(device, config);
  if (transport !== undefined && !driver.transports.includes(transport)) {
    problems.push({
      path: ['link', 'type'],
      message: `driver "${driver.id}" does not speak over ${transport}`,
    });
  }
  if (device.link.type === 'tcp' && device.link.port === undefined && driver.defaults.tcpPort === undefined) {
    problems.push({ path: ['link', 'port'], message: `is missing: driver "${driver.id}" has no usual port` });
  }
  if (
    device.link.type === 'serial' &&
    device.link.baud_rate === undefined &&
    driver.defaults.baudRate === undefined
  ) {
    problems.push({
      path: ['link', 'baud_rate'],
      message: `is missing: driver "${driver.id}" has no usual rate`,
    });
  }
  if (device.link.type === 'serial' && device.link.path === 'auto' && !driver.usbFingerprints?.length) {
    problems.push({
      path: ['link', 'path'],
      message: `"auto" does not work with driver "${driver.id}", which knows no USB ids of its terminals: give "usb" or a path`,
    });
  }
  if (Math.max(device.min_amount_minor, device.max_amount_minor ?? 1) > driver.maxAmountMinor) {
    const key =
      (device.max_amount_minor ?? 1) > driver.maxAmountMinor ? 'max_amount_minor' : 'min_amount_minor';
    problems.push({ path: [key], message: `"${driver.id}" carries at most ${driver.maxAmountMinor}` });
  }
  if (device.tip === 'ask' && !driver.capabilities.tip) {
    problems.push({
      path: ['tip'],
      message: `"ask" does not work with driver "${driver.id}", whose protocol has no such request: leave it out`,
    });
  }
  return problems;
}

function transportOf(
  { link }: DeviceConfig,
  { sandbox }: Config,
): DriverFacts['transports'][number] | undefined {
  if (link.type !== 'virtual') return link.type;
  const terminal = sandbox?.terminals.find((candidate) => candidate.name === link.terminal);
  if (!terminal) return undefined;
  return terminal.over === 'pty' ? 'serial' : 'tcp';
}
