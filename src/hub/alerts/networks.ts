import { AppError } from '../../base/errors.ts';
import type { MayReach } from '../../net/post-once.ts';
import { reachOf } from '../../net/reach.ts';

/** Link-local addresses, where clouds answer with their keys, and those of no machine: no setting opens them. */
const NEVER = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::/32', '0.0.0.0/8', '::', '224.0.0.0/4', 'ff00::/8'];

/**
 * The addresses that webhooks may have: those of the internet, since operators name them and the hub stands in a network of its own, and those that its
 * administrator names.
 * @param ranges IP addresses and CIDR ranges with commas between them
 * @throws NETWORKS_INVALID
 */
export function networksOf(ranges: string): MayReach {
  const isPublic = reachOf([]);
  const isNever = reachOf(NEVER);
  const named = rangesOf(ranges);
  return (address) => isPublic(address) || (named(address) && !isNever(address));
}

function rangesOf(text: string): MayReach {
  const ranges = text.split(',').map((range) => range.trim());
  try {
    return reachOf(ranges.filter(Boolean));
  } catch (cause) {
    throw new AppError(
      'NETWORKS_INVALID',
      `--webhook-networks ${text}: it must be IP addresses and ranges, like 10.1.0.0/16,127.0.0.1`,
      { cause },
    );
  }
}
