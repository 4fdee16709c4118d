import { isIP } from 'node:net';
import {
  type AttackClass,
  type RuleSeverity,
  type ShieldAction,
  type ShieldMethod,
  shieldBounds,
  shieldMethods,
} from '../../contract/shield-events.ts';
import { networksOf } from '../../domain/client-network.ts';
import { hostNameOf } from '../../domain/host-name.ts';
import { attackClassOf, decisiveRule } from '../attack-class.ts';
import type { FirewallRequest } from '../firewall-request.ts';
import type { RuleBook } from '../rule-book.ts';
import { strippedPath } from './path.ts';

export interface StripOptions {
  /** How much of a client's address leaves: its /24 or /48 (`network`), all of it, or nothing. */
  readonly clients: 'network' | 'full' | 'none';
  /** Websites that are reported by name. Clients choose the `Host`: without a list, any valid name leaves. */
  readonly hosts?: readonly string[];
}

/** What leaves of a request. */
export interface StrippedRequest {
  readonly host: string | null;
  readonly action: ShieldAction;
  readonly attack: AttackClass;
  readonly rule: {
    readonly id: string;
    readonly message: string | null;
    readonly severity: RuleSeverity | null;
  } | null;
  readonly path: string;
  readonly network: string | null;
  readonly method: ShieldMethod;
  readonly status: number | null;
  readonly authenticated: boolean | null;
}

export function stripRequest(
  request: FirewallRequest,
  book: RuleBook,
  options: StripOptions,
): StrippedRequest {
  const rule = decisiveRule(request.rules);
  return {
    host: strippedHost(request.host, options.hosts),
    action: request.action,
    attack: rule === undefined ? 'other' : attackClassOf(rule),
    rule:
      rule === undefined
        ? null
        : { id: rule.id, message: book.get(rule.id)?.message ?? null, severity: rule.severity },
    path: strippedPath(request.path),
    network: strippedAddress(request.client, options.clients),
    method: shieldMethods.find(name => name === request.method) ?? 'OTHER',
    status: request.status,
    authenticated: request.authenticated ?? null,
  };
}

/** @returns null for what is not an address */
export function strippedAddress(address: string, clients: StripOptions['clients']): string | null {
  // A zone names an interface of the firewall.
  const [plain = ''] = address.slice(0, 100).split('%');
  if (clients === 'none' || isIP(plain) === 0) return null;
  return clients === 'network' ? networksOf(plain).site : hostNameOf(plain);
}

/** A host name (RFC 1123, with underscores as in DNS) or IP address in lowercase, without a port; null for anything else. */
export function strippedHost(given: string, hosts?: readonly string[]): string | null {
  if (given === '' || given.length > shieldBounds.host + 6) return null;
  const name = hostNameOf(given);
  const isName =
    name.length <= shieldBounds.host &&
    (isIP(name) !== 0 ||
      name.split('.').every(label => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)));
  return isName && (hosts === undefined || hosts.includes(name)) ? name : null;
}
