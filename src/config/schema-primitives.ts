import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** A duration in whole milliseconds within the given bounds. */
export function millis(least: number, most: number) {
  return z.int().min(least).max(most);
}

/** A TCP port; 0 stands for any free one. */
export function port() {
  return z.int().min(0).max(65_535);
}

/** A host name or an IP address (IPv6 without brackets). */
export function host() {
  return z.string().regex(/^[A-Za-z0-9._:-]{1,253}$/, 'must be a host name or an IP address');
}

/** A host name or an IP address as in a Host header: IPv6 in brackets, no port; lower case inside. */
export function hostName() {
  return z
    .string()
    .regex(
      /^(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9.-]{1,253})$/,
      'must be a host name without port, IPv6 in brackets',
    )
    .transform((name) => name.toLowerCase());
}

/** An IP address or a CIDR range, each version in its own form. */
export function addressRange() {
  return z
    .union(
      [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
      'must be an IP address or a range like 192.168.1.0/24',
    )
    .refine(isPlain, 'must be written as version 4, without ::ffff:');
}

function isPlain(range: string): boolean {
  const address = ipaddr.parse(range.replace(/\/.*/, ''));
  return !('isIPv4MappedAddress' in address && address.isIPv4MappedAddress());
}

/** The origin of web pages, as a browser sends it. */
export function webOrigin() {
  return z
    .string()
    .regex(
      /^https?:\/\/(\[[0-9a-f:.]{2,45}\]|[a-z0-9.-]{1,253})(:\d{1,5})?$/,
      'must be an origin in lower case, like "https://till.example" or "http://127.0.0.1:3000": scheme, host and port, no path',
    );
}

/** A USB vendor or product id: four hex digits, lower case inside. */
export function usbId() {
  return z
    .string()
    .regex(/^[0-9a-fA-F]{4}$/, 'must be four hex digits, like "0b00"')
    .transform((id) => id.toLowerCase());
}

/** A name for people: 1–64 printable characters, without a blank at either end. */
export function displayName() {
  return z
    .string()
    .max(64)
    .regex(/^(?! )[\P{C}]+(?<! )$/u, 'must be 1 to 64 printable characters');
}
