// What an integrator writes for @hey-api/openapi-ts: where the description is, where the client goes.
export const input = 'openapi.json';
export const output = { path: 'client', module: { extension: '.js' }, tsConfigPath: 'tsconfig.json' };
export const logs = { level: 'silent', file: false };
