/** One value of a metrics text. */
export interface Read {
  readonly family: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

/**
 * Reads the text format of Prometheus, version 0.0.4, as strictly as its description is.
 * @throws where a line is none, a family has no help or type or comes twice, or a value is of no family.
 */
export function parseMetrics(text: string): readonly Read[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, string>();
  const closed = new Set<string>();
  const found: Read[] = [];
  let family = '';
  for (const line of text.trimEnd().split('\n')) {
    const help = /^# HELP ([a-zA-Z_:][\w:]*) (.+)$/.exec(line);
    const type = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|untyped)$/.exec(line);
    if (help) {
      closed.add(family);
      family = help[1] ?? '';
      if (closed.has(family)) throw new Error(`${family} comes twice`);
    } else if (type) {
      if (type[1] !== family) throw new Error(`${line}: a type without its help`);
      families.set(family, type[2] ?? '');
    } else found.push(valueIn(line, family, families.get(family)));
  }
  return found;
}

function valueIn(line: string, family: string, type: string | undefined): Read {
  const [, name = '', labels = '', number = ''] =
    /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (NaN|[+-]Inf|[+-]?[\d.]+(?:e[+-]?\d+)?)$/.exec(line) ?? [];
  const names = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => family + end) : [family];
  if (type === undefined || !names.includes(name)) throw new Error(`no value of ${family}: ${line}`);
  const value = number.endsWith('Inf') ? Number(`${number[0]}Infinity`) : Number(number);
  return { family, name, labels: labelsIn(labels), value };
}

function labelsIn(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name = '', value = ''] = LABEL.exec(text) ?? [];
    if (name === '' || name in labels) throw new Error(`no labels: ${text}`);
    labels[name] = value.replace(/\\(.)/g, (_all, sign: string) => (sign === 'n' ? '\n' : sign));
  }
  return labels;
}
