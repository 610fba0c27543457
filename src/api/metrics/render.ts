import { FAMILIES, type FamilyName, type Sample } from './families.ts';

/**
 * The Prometheus text format, version 0.0.4: each family once, with its help, its type and its samples together.
 * Why not prom-client: its registry is global and mutable, and depends on OpenTelemetry's API; here figures are read when they are requested.
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function renderMetrics(samples: readonly Sample[]): string {
  return FAMILY_NAMES.map((name) =>
    familyText(
      name,
      samples.filter((sample) => sample.name === name),
    ),
  ).join('');
}

const FAMILY_NAMES = Object.keys(FAMILIES).filter((name): name is FamilyName => name in FAMILIES);

function familyText(name: FamilyName, samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const { help, type } = FAMILIES[name];
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map(lineOf).join('')}`;
}

function lineOf({ name, suffix, labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${suffix ?? ''}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberText(value)}\n`;
}

/** Names of devices and resources may contain any character. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}
