import { z } from 'zod';
import type { Api, RoutePlugin } from '../api.ts';
import { AddPerson, AuditTrailEntry, ListPeople, Person } from '../contract/person.ts';
import { dataOf, Uuid } from '../contract/primitives.ts';
import type { People } from '../people/people.ts';
import { actOf, requireNamed } from '../people/person.ts';
import { renderAuditEntry, renderPerson } from '../render/person.ts';
import type { EventStreams } from '../stream/event-streams.ts';
import { listReply, listShape, VersionQuery } from './list-reply.ts';

const TAG = 'People';
const URL = '/v2/people';
const ById = z.strictObject({ id: Uuid });
const STORING = ['STORAGE_FULL', 'STORAGE_FAILED'] as const;

export interface PeopleRouteDeps {
  readonly people: People;
  /** The streams of a person end with the person. */
  readonly streams: Pick<EventStreams, 'endRefused'>;
}

/** Named people, and what was done to them and to API keys: for the unix socket, and for people who are signed in as ops. */
export function peopleRoutes({ people, streams }: PeopleRouteDeps): RoutePlugin {
  return async (api) => {
    addRoute(api, people);
    listRoute(api, people);
    disableRoute(api, people, streams);
    trailRoute(api, people);
  };
}

function addRoute(api: Api, people: People): void {
  api.route({
    method: 'POST',
    url: URL,
    schema: { querystring: VersionQuery, body: AddPerson },
    config: {
      operationId: 'addPerson',
      tag: TAG,
      hidden: true,
      access: 'socket_only',
      role: 'ops',
      summary: 'Add a named person. From the first one on every decision about money carries one.',
      replies: [{ status: 201, description: 'The person.', schema: dataOf(Person) }],
      refusals: ['PERSON_MISSING', 'PERSON_NAME_TAKEN', 'SYSTEM_USER_TAKEN', 'PEOPLE_EXHAUSTED', ...STORING],
      idempotent: 'with_its_writes',
    },
    handler: ({ body, caller }) => {
      requireNamed(caller);
      return { data: renderPerson(people.add(body, actOf(caller))) };
    },
  });
}

function listRoute(api: Api, people: People): void {
  api.route({
    method: 'GET',
    url: URL,
    schema: { querystring: ListPeople },
    config: {
      operationId: 'listPeople',
      tag: TAG,
      hidden: true,
      access: 'socket_only',
      role: 'ops',
      summary: 'List people, those who may sign in first, by name.',
      replies: [listShape(Person, 'One page of people.')],
      refusals: [],
    },
    handler: ({ query: { limit, offset }, serviceVersion }) => {
      const all = people.list();
      const items = all.slice(offset, offset + limit).map(renderPerson);
      const hasMore = offset + limit < all.length;
      return listReply(serviceVersion, { items, hasMore, url: URL, limit, offset, total: all.length });
    },
  });
}

function disableRoute(api: Api, people: People, streams: PeopleRouteDeps['streams']): void {
  api.route({
    method: 'POST',
    url: `${URL}/:id/disable`,
    schema: { params: ById, querystring: VersionQuery },
    config: {
      operationId: 'disablePerson',
      tag: TAG,
      hidden: true,
      access: 'socket_only',
      role: 'ops',
      summary: 'End the sign-in of a person, at once and for good; what they decided keeps their name.',
      replies: [{ status: 200, description: 'The person as they are now.', schema: dataOf(Person) }],
      refusals: ['PERSON_UNKNOWN', ...STORING],
      idempotent: 'with_its_writes',
    },
    handler: ({ params, caller }) => {
      const person = people.disable(params.id, actOf(caller));
      streams.endRefused();
      return { data: renderPerson(person) };
    },
  });
}

function trailRoute(api: Api, people: People): void {
  const url = '/v2/audit';
  api.route({
    method: 'GET',
    url,
    schema: { querystring: ListPeople },
    config: {
      operationId: 'listAuditTrail',
      tag: TAG,
      hidden: true,
      access: 'socket_only',
      role: 'ops',
      summary: 'What was done to people and API keys, by whom and from where, newest first.',
      replies: [listShape(AuditTrailEntry, 'One page of the audit trail.')],
      refusals: [],
    },
    handler: ({ query: { limit, offset }, serviceVersion }) => {
      const { items, total } = people.trail(offset, limit);
      const hasMore = offset + limit < total;
      const page = { items: items.map(renderAuditEntry), hasMore, url, limit, offset, total };
      return listReply(serviceVersion, page);
    },
  });
}
