import { z } from 'zod';
import { currencyCode } from './schema-device.ts';
import { displayName, host, millis, port } from './schema-primitives.ts';

/** How a customer acts at a virtual terminal without input; `off` waits for a key. */
export const AutopilotWord = z.enum(['approve', 'decline', 'wrong_pin', 'abort', 'walk_away', 'off']);

/** The reaction of a virtual terminal to a missing acknowledgement of its approval. */
export const MissingAcknowledgementWord = z.enum(['reverse', 'decline', 'keep']);

/** Moments of a dialogue at which a fault can be injected. */
export const FaultPointWord = z.enum([
  'command',
  'customer',
  'result',
  'result_acknowledged',
  'print',
  'completion',
  'idle',
]);

/** The effect of a fault. */
export const FaultKindWord = z.enum(['silence', 'cut', 'garbage', 'duplicate', 'delay', 'power_loss']);

const FaultSection = z
  .strictObject({
    when: FaultPointWord.describe('Moment of the dialogue at which it strikes.'),
    do: FaultKindWord.describe('What happens.'),
    ms: millis(0, 600_000).default(1000).describe('Length of a silence, a delay or a power loss.'),
    times: z.int().min(1).max(1_000_000).default(1).describe('How many times it strikes.'),
  })
  .describe('A fault of a virtual terminal.');

const VirtualTerminalSection = z
  .strictObject({
    name: displayName().describe('What a `virtual` link calls it.'),
    protocol: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be the id of a driver, like "zvt"')
      .describe('Protocol that it speaks.'),
    over: z.enum(['tcp', 'pty']).default('tcp').describe('TCP on loopback, or a pseudo-terminal.'),
    port: port().default(0).describe('TCP port; 0 takes any free one. Unused on a pty.'),
    currency: currencyCode().default('EUR').describe('ISO 4217 code.'),
    serial: z
      .string()
      .regex(/^[0-9A-F]{8}$/, 'must be 8 hex digits, capitals')
      .default('17F00001')
      .describe('Serial number, 8 hex digits; every terminal needs its own.'),
    terminal_id: z
      .string()
      .regex(/^\d{8}$/, 'must be 8 digits')
      .default('52500038')
      .describe('Terminal id, 8 digits.'),
    autopilot: AutopilotWord.default('approve').describe(
      'What the customer does by itself; `off` waits for a key.',
    ),
    autopilot_ms: millis(0, 600_000).default(1000).describe('How long the customer takes.'),
    tip_percent: z
      .int()
      .min(0)
      .max(100)
      .default(10)
      .describe('What a customer who is asked for a tip adds, percent of the amount.'),
    missing_acknowledgement: MissingAcknowledgementWord.default('keep').describe(
      'What it does when its approval is not acknowledged; vendors differ.',
    ),
    options: z
      .record(z.string(), z.json())
      .default({})
      .describe('How it differs from the usual terminal of its family; see the README of the driver.'),
    faults: z.array(FaultSection).max(100).default([]).describe('Faults, in the order in which they strike.'),
  })
  .describe('A virtual terminal that speaks real bytes.');

const SandboxServiceSection = z
  .strictObject({
    listen: z
      .strictObject({
        host: host().default('127.0.0.1').describe('Loopback address.'),
        port: port().default(8481).describe('TCP port; 0 takes any free one.'),
      })
      .prefault({})
      .describe('Where the sandbox service listens.'),
    plan: z.enum(['starter', 'growth', 'enterprise']).default('starter').describe('Rate plan of its keys.'),
  })
  .optional()
  .describe('A stand-in of the billing service.');

const SandboxProviderSection = z
  .strictObject({
    listen: z
      .strictObject({
        host: host().default('127.0.0.1').describe('Loopback address.'),
        port: port().default(8482).describe('TCP port; 0 takes any free one.'),
      })
      .prefault({})
      .describe('Where the sandbox provider listens.'),
  })
  .optional()
  .describe('A friendly provider of customers, products and invoices, which changes something every 20 s.');

const PROVIDER_NAMES = ['provider_a', 'provider_b', 'terminal', 'provider_d'] as const;

/** The sandbox: only with `environment: sandbox`. */
export const SandboxSection = z
  .strictObject({
    service: SandboxServiceSection,
    provider: SandboxProviderSection,
    activated: z
      .array(z.enum(PROVIDER_NAMES))
      .max(PROVIDER_NAMES.length)
      .default([])
      .describe(
        'Integrations that are active from the first start on. `rest` ones get the address and the key of the sandbox provider, and send their invoices.',
      ),
    terminals: z.array(VirtualTerminalSection).max(32).default([]).describe('Virtual terminals.'),
  })
  .optional()
  .describe('The virtual world of the demo and the tests; only with `environment` "sandbox".');
