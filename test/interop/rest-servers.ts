import { Server } from 'node:http';
import { foreignPackage } from './foreign-package.ts';

/** A record as these servers keep it. */
export interface StoredInvoice {
  readonly id: number;
  readonly number: string;
  readonly total: string;
  readonly changed: string;
}

/** A server that nobody here wrote, filled and listening on loopback. */
export interface ForeignServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server that holds these invoices. */
export type StartServer = (invoices: readonly StoredInvoice[]) => Promise<ForeignServer>;

type Call = (...args: unknown[]) => unknown;

/** json-server: a REST server over an object. */
export const startJsonServer: StartServer = async (invoices) => {
  const library = foreignPackage('json-server');
  const app = method(library, 'create')();
  method(app, 'use')(method(library, 'router')({ invoices: invoices.map((one) => ({ ...one })) }));
  return listening(method(app, 'listen')(0, '127.0.0.1'));
};

/** The most that the Feathers server gives at once, whatever is asked for. */
export const FEATHERS_PAGE = 25;

/** Feathers: a REST framework with a query language, over a memory. */
export const startFeathersServer: StartServer = async (invoices) => {
  const express = foreignPackage('@feathersjs/express');
  const app = call(defaultOf(express))(call(defaultOf(foreignPackage('@feathersjs/feathers')))());
  method(app, 'use')(method(express, 'json')());
  method(app, 'configure')(method(express, 'rest')());
  const store = Object.fromEntries(invoices.map((one) => [one.id, { ...one }]));
  const paginate = { default: 10, max: FEATHERS_PAGE };
  const memory = foreignPackage('@feathersjs/memory');
  method(app, 'use')('/invoices', method(memory, 'memory')({ store, paginate }));
  method(app, 'use')(method(express, 'errorHandler')({ logger: false, html: false }));
  return listening(await method(app, 'listen')(0, '127.0.0.1'));
};

/** stripe-stateful-mock: customers and products of Stripe, over a memory. */
export const startStripe = (): Promise<ForeignServer> => {
  const app = method(foreignPackage('stripe-stateful-mock'), 'createExpressApp')();
  return listening(method(app, 'listen')(0, '127.0.0.1'));
};

/** The server, once it listens. */
export async function listening(started: unknown): Promise<ForeignServer> {
  if (!(started instanceof Server)) throw new Error('the foreign package gives no server');
  const server = started;
  if (!server.listening) await new Promise<void>((resolve) => server.once('listening', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function defaultOf(exported: unknown): unknown {
  if (typeof exported === 'function') return exported;
  return typeof exported === 'object' && exported !== null && 'default' in exported
    ? exported.default
    : undefined;
}

function call(value: unknown): Call {
  if (typeof value !== 'function') throw new Error('the foreign package has another shape');
  return (...args) => value(...args);
}

function method(owner: unknown, name: string): Call {
  const value: unknown = (owner as Readonly<Record<string, unknown>> | undefined)?.[name];
  if (typeof value !== 'function') throw new Error(`the foreign package has no ${name}`);
  return (...args) => value.apply(owner, args);
}
