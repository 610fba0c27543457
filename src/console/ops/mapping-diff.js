/** @import { ProductMapping } from '../app/contract.js' */

/**
 * A mapping as it is sent.
 * @typedef {object} MappingInput
 * @property {string} externalId
 * @property {string | null} internalId
 * @property {boolean} ignored
 * @property {ProductMapping['metadata']} metadata
 * @property {number | null} priceOverride
 */

/**
 * @typedef {object} MappingDiff
 * @property {readonly MappingInput[]} added
 * @property {readonly { before: MappingInput, after: MappingInput, fields: readonly string[] }[]} changed
 * @property {readonly MappingInput[]} removed
 */

/** Why a text is not a set of mappings; `key` of its error text. */
export class MappingsUnreadable extends Error {
  /** @param {'not_json' | 'not_mappings' | 'twice'} key @param {string} [what] */
  constructor(key, what = '') {
    super(`${key} ${what}`);
    this.key = key;
    this.what = what;
  }
}

/**
 * Parses `[…]`, `{"mappings": […]}` or the list of the GET response. It checks only what the comparison needs: tilld checks the rest.
 * @param {string} text
 * @returns {readonly MappingInput[]}
 * @throws {MappingsUnreadable}
 */
export function readMappings(text) {
  const document = parsed(text);
  const list = Array.isArray(document) ? document : (document?.mappings ?? document?.data);
  if (!Array.isArray(list)) throw new MappingsUnreadable('not_mappings');
  const seen = new Set();
  return list.map((item, index) => {
    if (typeof item?.externalId !== 'string') throw new MappingsUnreadable('not_mappings', `[${index}]`);
    if (seen.has(item.externalId)) throw new MappingsUnreadable('twice', item.externalId);
    seen.add(item.externalId);
    return inputOf(item);
  });
}

/**
 * @param {readonly MappingInput[]} before
 * @param {readonly MappingInput[]} after
 * @returns {MappingDiff}
 */
export function diffMappings(before, after) {
  const known = new Map(before.map((mapping) => [mapping.externalId, mapping]));
  const wanted = new Set(after.map(({ externalId }) => externalId));
  return {
    added: after.filter(({ externalId }) => !known.has(externalId)),
    changed: after.flatMap((mapping) => {
      const old = known.get(mapping.externalId);
      const fields = old ? differing(old, mapping) : [];
      return old && fields.length > 0 ? [{ before: old, after: mapping, fields }] : [];
    }),
    removed: before.filter((mapping) => !wanted.has(mapping.externalId) && isDecided(mapping)),
  };
}

/** The list shows packages without a mapping, too: nothing of them is removed. @param {MappingInput} mapping */
function isDecided({ internalId, ignored, priceOverride }) {
  return internalId !== null || ignored || priceOverride !== null;
}

/** The writable part of a mapping. @param {Partial<ProductMapping>} mapping @returns {MappingInput} */
export function inputOf({
  externalId = '',
  internalId = null,
  ignored = false,
  metadata = {},
  priceOverride = null,
}) {
  return {
    externalId,
    internalId: internalId?.toLowerCase?.() ?? internalId,
    ignored,
    metadata,
    priceOverride,
  };
}

/** @param {MappingInput} before @param {MappingInput} after */
function differing(before, after) {
  const fields = /** @type {const} */ (['internalId', 'ignored', 'priceOverride', 'metadata']);
  return fields.filter((field) => sorted(before[field]) !== sorted(after[field]));
}

/** JSON with its keys in one order. @param {unknown} value */
function sorted(value) {
  return typeof value === 'object' && value !== null
    ? JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value);
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new MappingsUnreadable('not_json');
  }
}
