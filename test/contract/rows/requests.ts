import { randomUUID } from 'node:crypto';
import { hold } from '../breach.ts';
import { GUARDING, OPERATIONS, type Operation, RATE_HEADERS } from '../interface.ts';
import { ask, askAs, type Group, type Row } from '../row.ts';
import { aimed, aimless, nameOf, pathWith } from '../subjects.ts';

const all: readonly Operation[] = OPERATIONS;
const withId = all.filter(({ path }) => path.includes('{id}'));
const withBody = all.filter(({ method }) => method === 'POST' || method === 'PATCH');

/** What every operation of the interface has in common, held for each of them. */
export const requestGroups: readonly Group[] = [
  { name: 'every operation succeeds', rows: all.map(successRow) },
  { name: 'every operation wants a key', rows: all.map(keyRow) },
  { name: 'scopes: each operation without its scope', rows: [...all.map(scopeRow), ...all.map(enoughRow)] },
  { name: 'ids in paths', rows: [...withId.map(unknownIdRow), ...withId.map(noUuidRow)] },
  {
    name: 'bodies',
    rows: [
      ...withBody.map(unknownFieldRow),
      ...withBody.map(brokenJsonRow),
      ...withBody.filter(({ bodyless }) => bodyless).map(emptyBodyRow),
    ],
  },
];

function successRow(operation: Operation): Row {
  return {
    id: `success/${nameOf(operation)}`,
    section: operation.section,
    what: `${nameOf(operation)} answers ${operation.status}, under its version, with the three rate-limit headers`,
    covers: [
      `operation:${nameOf(operation)}`,
      `status:${operation.status}`,
      ...RATE_HEADERS.map((name) => `header:${name}`),
      'header:Service-Version',
    ],
    run: async (side) => {
      const answer = await ask(side, await aimed(side, operation), { status: operation.status });
      for (const name of RATE_HEADERS) hold(name.toLowerCase() in answer.headers, () => `${name} is missing`);
    },
  };
}

function keyRow(operation: Operation): Row {
  return {
    id: `no-key/${nameOf(operation)}`,
    section: 'Authentication: 1, 4',
    what: `${nameOf(operation)} without a key is 401 authentication_failed with the challenge`,
    covers: [
      'code:401 authentication_failed',
      'header:WWW-Authenticate',
      'status:401',
      'type:authentication_error',
    ],
    run: async (side) => {
      const answer = await side.send(aimless(operation));
      hold(answer.status === 401, () => `it gave ${answer.status}`);
      hold(answer.text.includes('"authentication_failed"'), () => `it gave ${answer.text}`);
    },
  };
}

function scopeRow(operation: Operation): Row {
  const { scope } = operation;
  return {
    id: `no-scope/${nameOf(operation)}`,
    section: 'Authentication: 4, 6, 7',
    what: `${nameOf(operation)} with every scope but ${scope} is 403 and names it in details.required`,
    covers: [`scope:${scope}`, 'code:403 insufficient_permissions', 'status:403', 'type:authorization_error'],
    run: async (side) => {
      const error = {
        type: 'authorization_error',
        code: 'insufficient_permissions',
        details: { required: [scope] },
      } as const;
      await askAs(side, `without ${scope}`, aimless(operation), { status: 403, error });
    },
  };
}

/** With the one scope the request goes on to what it asks for, and that is not there. */
function enoughRow(operation: Operation): Row {
  const { scope } = operation;
  const others = GUARDING.filter((other) => other !== scope);
  return {
    id: `one-scope/${nameOf(operation)}`,
    section: 'Authentication: 6',
    what: `${nameOf(operation)} needs ${scope} and none of ${others.join(', ')}`,
    covers: [`scope:${scope}`],
    run: async (side) => {
      const answer = await side.send({
        ...aimless(operation),
        headers: { 'x-api-key': side.keyOf(`only ${scope}`) },
      });
      hold(answer.status !== 401 && answer.status !== 403, () => `it gave ${answer.status}: ${answer.text}`);
      hold(
        operation.path.includes('{id}') ? answer.status === 404 : answer.status < 500,
        () => `it gave ${answer.status}`,
      );
    },
  };
}

function unknownIdRow(operation: Operation): Row {
  return {
    id: `unknown-id/${nameOf(operation)}`,
    section: 'Errors: Other codes',
    what: `${nameOf(operation)} of something that is not there is 404 in the envelope`,
    covers: ['code:404 resource_not_found', 'code:404 resource_missing', 'status:404'],
    run: async (side) => {
      const error = {
        type: 'invalid_request_error',
        code: ['resource_not_found', 'resource_missing'],
        param: null,
      } as const;
      await ask(
        side,
        { ...aimless(operation), path: pathWith(operation, randomUUID()) },
        { status: 404, error },
      );
    },
  };
}

function noUuidRow(operation: Operation): Row {
  return {
    id: `no-uuid/${nameOf(operation)}`,
    section: 'Endpoints: Conventions',
    what: `${nameOf(operation)} with an id that is no UUID is 400 and names id`,
    covers: ['code:400 validation_error', 'status:400'],
    run: async (side) => {
      const error = { type: 'invalid_request_error', code: 'validation_error', param: 'id' } as const;
      await ask(
        side,
        { ...aimless(operation), path: pathWith(operation, 'not-a-uuid') },
        { status: 400, error },
      );
    },
  };
}

function unknownFieldRow(operation: Operation): Row {
  return {
    id: `unknown-field/${nameOf(operation)}`,
    section: 'Errors: Status codes',
    what: `${nameOf(operation)} with a field that the interface does not name is 400 and names the field`,
    covers: ['code:400 validation_error', 'field:error.param', 'type:invalid_request_error'],
    run: async (side) => {
      const asked = await aimed(side, operation);
      const body = { ...Object(asked.body ?? {}), surprise: true };
      const error = { type: 'invalid_request_error', code: 'validation_error', param: 'surprise' } as const;
      await ask(side, { ...asked, body }, { status: 400, error });
    },
  };
}

function brokenJsonRow(operation: Operation): Row {
  return {
    id: `broken-json/${nameOf(operation)}`,
    section: 'Errors: Status codes',
    what: `${nameOf(operation)} with a body that is no JSON is 400 invalid_request_error`,
    covers: ['code:400 invalid_request_error'],
    run: async (side) => {
      const asked = await aimed(side, operation);
      const error = { type: 'invalid_request_error', code: 'invalid_request_error' } as const;
      for (const body of ['{"amount_minor": 1', '{"a":1}}', '\u{feff}x', "{'a':1}"])
        await ask(side, { ...asked, body }, { status: 400, error });
    },
  };
}

function emptyBodyRow(operation: Operation): Row {
  return {
    id: `empty-body/${nameOf(operation)}`,
    section: operation.section,
    what: `${nameOf(operation)} takes no body, an empty object, and a content-type without a body`,
    covers: [`operation:${nameOf(operation)}`],
    run: async (side) => {
      await ask(side, { ...(await aimed(side, operation)), body: {} }, { status: operation.status });
      const headers = { 'content-type': 'application/json' };
      await ask(side, { ...(await aimed(side, operation)), headers }, { status: operation.status });
    },
  };
}
