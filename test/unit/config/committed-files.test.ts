import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { configJsonSchema, configJsonSchemaFile, configReadmeFile } from '../../../src/config/schema-json.ts';
import { configReadme } from '../../../src/config/schema-readme.ts';
import { parseText } from '../../../src/config/text.ts';

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly oneOf?: readonly SchemaNode[];
  readonly description?: string;
}

function configFile(name: string): string {
  return fileURLToPath(new URL(`../../../config/${name}`, import.meta.url));
}

/** `devices[].link.host`, for every key of the schema. */
function keysOfSchema(node: SchemaNode, at = ''): [path: string, node: SchemaNode][] {
  const own = Object.entries(node.properties ?? {}).flatMap(([key, inner]): [string, SchemaNode][] => {
    const path = at === '' ? key : `${at}.${key}`;
    return [[path, inner], ...keysOfSchema(inner, path)];
  });
  const listed = node.items ? keysOfSchema(node.items, `${at}[]`) : [];
  return [...own, ...listed, ...(node.oneOf ?? []).flatMap((option) => keysOfSchema(option, at))];
}

function keysOfValue(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => keysOfValue(item, `${at}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = at === '' ? key : `${at}.${key}`;
    return [path, ...keysOfValue(inner, path)];
  });
}

/** The four provider slots have the same keys; one of them with a key is enough. */
function oneIntegration(path: string): string {
  return path.replace(/^integrations\.(provider_a|provider_b|terminal|provider_d)/, 'integrations.{slot}');
}

const schema: SchemaNode = JSON.parse(configJsonSchema());

describe('the committed files of config/', () => {
  it('tilld.schema.json is what the schema generates (node src/bin/node.js src/config/schema-json.ts)', () => {
    expect(readFileSync(configJsonSchemaFile(), 'utf8')).toBe(configJsonSchema());
  });

  it('README.md is what the schema generates (node src/bin/node.js src/config/schema-json.ts)', () => {
    expect(readFileSync(configReadmeFile(), 'utf8')).toBe(configReadme());
  });

  it('every key of the schema is described', () => {
    const silent = keysOfSchema(schema)
      .filter(([, node]) => !node.description)
      .map(([path]) => path);
    expect(silent).toEqual([]);
  });

  it('tilld.example.jsonc loads and names every key of the schema', () => {
    const file = configFile('tilld.example.jsonc');
    expect(loadConfig(file).devices).toHaveLength(4);
    const text = readFileSync(file, 'utf8');
    const named = new Set(keysOfValue(parseText(text).value).map(oneIntegration));
    // No driver of this tree speaks HID: such a link would not pass `tillctl config check`, so a comment shows it.
    const comment = /^ *\/\/ +"link": (\{ "type": "hid".*\})$/m.exec(text)?.[1] ?? '{}';
    for (const path of keysOfValue(JSON.parse(comment), 'devices[].link')) named.add(path);
    const known = new Set(keysOfSchema(schema).map(([path]) => oneIntegration(path)));
    expect([...known].filter((path) => !named.has(path))).toEqual([]);
    expect(known.size).toBeGreaterThan(70);
  });

  it('demo/tilld.jsonc is a sandbox with one virtual ZVT terminal that approves by itself', () => {
    const demo = loadConfig(configFile('demo/tilld.jsonc'));
    expect(demo).toMatchObject({
      environment: 'sandbox',
      state_dir: '.tilld',
      listen: { host: '127.0.0.1', port: 8480 },
      service: { poll_interval_ms: 1000, create_local: 'on' },
      devices: [
        { id: '0199c0de-0000-7000-8000-000000000001', name: 'Counter 1', driver: 'zvt', currency: 'EUR' },
      ],
      sandbox: {
        service: { listen: { host: '127.0.0.1', port: 8481 }, plan: 'growth' },
        terminals: [
          { over: 'tcp', port: 0, autopilot: 'approve', autopilot_ms: 1000, missing_acknowledgement: 'keep' },
        ],
      },
    });
  });
});
