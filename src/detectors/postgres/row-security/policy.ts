import { targetLimits } from '../../../captures/limits.ts';
import type { PolicyCondition, PostgresPolicy } from '../../../captures/postgres.ts';

/** The policy's table: `schema.name`. */
export const keyOf = ({ schema, relation }: PostgresPolicy) => `${schema}.${relation}`;

const tooRestrictive = `A table has more than ${targetLimits.restrictivePolicies} restrictive policies.`;
const unread = 'A policy has a condition that is longer or deeper than what a scan reads.';
export const skipped =
  'The condition of a policy was not read: it is very long, or another session has locked its table.';

const mayNarrow: ReadonlySet<PolicyCondition> = new Set(['other', 'whole_bucket', 'unread', 'skipped']);

/** The policies of a database, by table. */
export class Policies {
  readonly #byTable = new Map<string, PostgresPolicy[]>();
  readonly #narrowing = new Map<string, { policy: PostgresPolicy; roles: ReadonlySet<string> }[]>();
  readonly #narrowed = new Map<PostgresPolicy, boolean>();
  /** Why checks that compare policies are not assessed; null if they are. */
  readonly gap: string | null;

  constructor(policies: readonly PostgresPolicy[]) {
    let gap: string | null = null;
    for (const policy of policies) {
      const key = keyOf(policy);
      push(this.#byTable, key, policy);
      const conditions = [policy.using, policy.check];
      if (conditions.includes('unread')) gap = unread;
      if (conditions.includes('skipped')) gap = skipped;
      if (policy.permissive || !conditions.some(kind => mayNarrow.has(kind))) continue;
      if ((this.#narrowing.get(key)?.length ?? 0) >= targetLimits.restrictivePolicies) gap = tooRestrictive;
      else push(this.#narrowing, key, { policy, roles: new Set(policy.roles) });
    }
    this.gap = gap;
  }

  /** @param table `schema.name` */
  of(table: string): readonly PostgresPolicy[] {
    return this.#byTable.get(table) ?? [];
  }

  /**
   * Whether a policy is permissive, applies to at least one of the roles, and no restrictive policy narrows it.
   *
   * @param users `PUBLIC` and roles of API users
   */
  permitsUsers(policy: PostgresPolicy, users: ReadonlySet<string>): boolean {
    return policy.roles.some(role => users.has(role)) && this.permits(policy);
  }

  /** Whether a policy is permissive and no restrictive policy narrows it for its roles. */
  permits(policy: PostgresPolicy): boolean {
    return policy.permissive && !this.#isNarrowed(policy);
  }

  #isNarrowed(policy: PostgresPolicy): boolean {
    const known = this.#narrowed.get(policy);
    if (known !== undefined) return known;
    const isNarrowed = (this.#narrowing.get(keyOf(policy)) ?? []).some(
      ({ policy: other, roles }) =>
        (other.command === 'all' || other.command === policy.command) &&
        (roles.has('PUBLIC') || policy.roles.every(role => roles.has(role))),
    );
    this.#narrowed.set(policy, isNarrowed);
    return isNarrowed;
  }
}

function push<T>(groups: Map<string, T[]>, key: string, entry: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [entry]);
  else group.push(entry);
}
