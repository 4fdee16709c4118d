import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { isPublicUnicast, parseAddress, parseHost } from './address.ts';
import { createAllowlist } from './target-allowlist.ts';
import { withTimeLimit } from './time-limit.ts';

export type TargetErrorCode = 'dns_failed' | 'refused_private_address' | 'invalid_host';

/**
 * A target that will not be contacted. The message has the reason and is safe to show to the person who added the
 * target.
 */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
  readonly errorCode: TargetErrorCode;
  constructor(errorCode: TargetErrorCode, message: string) {
    super(message);
    this.errorCode = errorCode;
  }
}

/** A host with checked addresses. Connections must use these addresses only. */
export interface PinnedAddress {
  /** The name in lowercase ASCII, or the canonical address. Use it for SNI, Host and certificate checks. */
  readonly hostname: string;
  readonly isAddress: boolean;
  /** At least one; IPv4 first, since more networks route it. All were checked. */
  readonly addresses: readonly CheckedAddress[];
}

export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
  /** It is in the allowlist, and may be an address of this machine. */
  readonly isAllowlisted: boolean;
  /** The only ports that may be connected to; undefined if all may. */
  readonly ports?: readonly number[];
}

/** The private addresses of a target itself, which may be reached on its ports only. */
export interface OwnPlace {
  readonly addresses: readonly string[];
  readonly ports: readonly number[];
}

export function refusedAddress(): TargetRefused {
  return new TargetRefused(
    'refused_private_address',
    'The host has an address that is not public, or belongs to this machine. An operator can add it to the target allowlist.',
  );
}

export interface TargetGuard {
  /**
   * Resolves a host once, checks every address, and returns them for the connection. It accepts the host in any
   * spelling, without port.
   *
   * @throws TargetRefused
   */
  pin(hostname: string, signal: AbortSignal): Promise<PinnedAddress>;
}

/** Returns all addresses of a name, in the resolver's order. Rejects if there are none. */
type Resolve = (name: string) => Promise<readonly string[]>;

export interface TargetGuardOptions {
  /** CIDRs that are allowed although they are not public unicast. */
  readonly allowlist: readonly string[];
  readonly ownPlace?: OwnPlace;
  /** Replaces the system's resolver. */
  readonly resolve?: Resolve;
  /** Replaces the addresses of this machine's network interfaces. */
  readonly ownAddresses?: readonly string[];
}

const resolveTimeoutMs = 5_000;
const maxAddresses = 16;

async function resolveBySystem(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, verbatim: true });
  return found.map(entry => entry.address);
}

function addressesOfThisMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap(found => (found ?? []).map(({ address }) => address));
}

/**
 * Keeps scans from addresses that only this machine or its network can reach (server-side request forgery). Only public
 * unicast addresses and those in the allowlist are accepted. Addresses of this machine are refused even if they are
 * public: packets to them never leave the machine, so no firewall filters them.
 *
 * A name is refused if any of its addresses is refused. Using only the others would be as safe for this connection, but
 * a public name that also points to a private address is a rebinding attempt or a mistake, and is reported.
 *
 * @throws AllowlistError if a CIDR of the allowlist is invalid
 */
export function createTargetGuard(options: TargetGuardOptions): TargetGuard {
  const isAllowlisted = createAllowlist(options.allowlist);
  const resolve = options.resolve ?? resolveBySystem;
  const own = new Set(
    (options.ownAddresses ?? addressesOfThisMachine()).map(text => parseAddress(text)?.address),
  );

  const isOfTarget = createAllowlist(options.ownPlace?.addresses ?? []);

  function checked({ address, family }: Pick<CheckedAddress, 'address' | 'family'>): CheckedAddress {
    if (isAllowlisted(address)) return { address, family, isAllowlisted: true };
    const isRefused = !isPublicUnicast(address) || own.has(address);
    if (isOfTarget(address)) {
      const { ports } = options.ownPlace!;
      return { address, family, isAllowlisted: true, ...(isRefused ? { ports } : {}) };
    }
    if (isRefused) throw refusedAddress();
    return { address, family, isAllowlisted: false };
  }

  async function pin(hostname: string, signal: AbortSignal): Promise<PinnedAddress> {
    signal.throwIfAborted();
    const host = parseHost(hostname);
    if (host === null) throw new TargetRefused('invalid_host', 'The host is not a valid name or address.');
    if (host.kind === 'address') {
      return { hostname: host.address, isAddress: true, addresses: [checked(host)] };
    }
    const found = await withDeadline(resolve(host.name), signal).catch(() => {
      signal.throwIfAborted();
      throw new TargetRefused('dns_failed', 'The host name could not be resolved.');
    });
    const addresses = found.map(text => {
      const parsed = parseAddress(text);
      if (parsed === null) throw new TargetRefused('dns_failed', 'The host name has no usable address.');
      return checked(parsed);
    });
    if (addresses.length === 0) throw new TargetRefused('dns_failed', 'The host name has no address.');
    addresses.sort((a, b) => a.family - b.family);
    return { hostname: host.name, isAddress: false, addresses: addresses.slice(0, maxAddresses) };
  }

  return { pin };
}

/** DNS lookups cannot be canceled; one that takes too long is abandoned. */
async function withDeadline<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const deadline = withTimeLimit(signal, resolveTimeoutMs);
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(deadline.reason);
    deadline.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    deadline.removeEventListener('abort', onAbort);
  }
}
