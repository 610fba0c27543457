/**
 * The only entry point for provider drivers: a connector imports everything of tilld from this file.
 * @module
 */
export { z } from 'zod';
export type { Clock } from '../base/clock.ts';
export { AppError, hasCode, messageOf } from '../base/errors.ts';
export { assertNever, invariant } from '../base/invariant.ts';
export type { Log } from '../base/log.ts';
export type {
  BadRecord,
  Connector,
  ConnectorContext,
  InvoicePayment,
  Json,
  JsonObject,
  OAuthClient,
  PageStyle,
  ProviderCredentials,
  ResourceManifest,
  SampledRecord,
  ShopTerminal,
  ShopTerminals,
  SourceAccess,
  SourceCode,
  SourceFile,
  SourcePage,
  SourceRecord,
  SourceReply,
  SourceRequest,
  SourceSample,
  SyncWindow,
} from '../integration/connector.ts';
export { isSourceError, sourceError } from '../integration/failure/source-error.ts';
export { hasPlace, placed } from '../integration/mapping/json-place.ts';
export type { WebhookScheme } from '../integration/webhook-scheme.ts';
export {
  type ConfiguredProvider,
  defineProvider,
  type ProviderDriver,
  type ProviderManifest,
  providerDriver,
  type SettingsMistake,
} from './define-provider.ts';
export { marksOf, nextToken, type PageToken, readToken } from './page-token.ts';
export { at, badRecord, isJsonObject, kindOf, readId } from './records.ts';
export { errorOfStatus, jsonOfReply, providerWords } from './source-error-codes.ts';
