import fastifyPlugin from 'fastify-plugin';
import type { Api } from '../api.ts';

/** Where the page of trust looks whether its device trusts the shop already. */
const PATH = '/trust';

/**
 * Answers one address without content to the pages of every origin, before the origin check: that the answer came over TLS is all it says. The
 * page of trust is plain HTTP, another origin, and a browser hands it nothing of any other address here.
 */
export const trustCheck = fastifyPlugin(async (api: Api) => {
  api.addHook('onRequest', async ({ raw }, reply) => {
    if (raw.method !== 'GET' || raw.url !== PATH) return undefined;
    return reply.code(204).headers({ 'cross-origin-resource-policy': 'cross-origin' }).send();
  });
});
