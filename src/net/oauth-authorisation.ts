import * as oauth from 'oauth4webapi';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { OAuthClient } from '../integration/connector.ts';
import { askTokenEndpoint, checkTokenAddress, serverOf } from './oauth-endpoint.ts';

/** An authorisation that a person has still to give in a browser. */
export interface Authorisation {
  /** Where the person gives it. */
  readonly url: string;
  /** Whether a request to the redirect address is the answer to this one. */
  isAnswer(parameters: URLSearchParams): boolean;
  /**
   * Exchanges the code for a refresh token.
   * @throws AUTHORISATION_REFUSED where the person or the server refused, or gave no refresh token; SOURCE_*, see `askTokenEndpoint`
   */
  finish(parameters: URLSearchParams): Promise<string>;
}

/** The authorisation code grant with PKCE (RFC 7636, RFC 8252). @throws SOURCE_REFUSED where an address cannot be used */
export async function beginAuthorisation(
  client: OAuthClient,
  {
    redirectUri,
    allowPlainHttp,
    log,
  }: { readonly redirectUri: string; readonly allowPlainHttp: boolean; readonly log: Log },
): Promise<Authorisation> {
  checkTokenAddress(client, allowPlainHttp);
  checkTokenAddress({ ...client, tokenUrl: client.authorizeUrl }, allowPlainHttp);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(client.authorizeUrl);
  const asked = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(client.scope === '' ? {} : { scope: client.scope }),
    ...client.parameters,
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return {
    url: url.href,
    isAnswer: (parameters) => parameters.get('state') === state,
    finish: async (parameters) => {
      const valid = validated(client, parameters, state);
      const secrets = [client.secret, verifier, parameters.get('code') ?? ''];
      const kept = { all: () => secrets, add: (text: string) => void secrets.push(text) };
      const given = await askTokenEndpoint(
        { client, secrets: kept, log },
        async ({ server, who, proof, options }) => {
          const reply = await oauth.authorizationCodeGrantRequest(
            server,
            who,
            proof,
            valid,
            redirectUri,
            verifier,
            options,
          );
          return oauth.processAuthorizationCodeResponse(server, who, reply);
        },
      );
      if (given.refresh_token !== undefined) return given.refresh_token;
      throw refused(
        'it gave no refresh token; many servers want the scope "offline_access" for one, or a client that may have one',
      );
    },
  };
}

function validated(client: OAuthClient, parameters: URLSearchParams, state: string): URLSearchParams {
  try {
    return oauth.validateAuthResponse(serverOf(client), { client_id: client.id }, parameters, state);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError)
      throw refused([error.error, error.error_description].filter((text) => text !== undefined).join(': '));
    throw refused('its answer is not that of this server to this request; begin again');
  }
}

function refused(why: string): AppError {
  return new AppError('AUTHORISATION_REFUSED', `nothing was stored: ${why}`);
}
