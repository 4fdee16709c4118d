/**
 * How much of a scan target is read, in addition to its surface's limits on requests, bytes and seconds. Each limit is
 * far above what real targets have. One that is reached is reported as the reason why checks were not assessed.
 */
export const targetLimits = {
  /** Characters of a URL. Web servers refuse request lines of more than 8 to 16 KB. */
  url: 8_192,
  /** Characters of user, password, host and port in a URL. A host name has at most 253. */
  authority: 300,
  /** Total characters of the URLs resolved for one page, each counted with its base: 100,000 typical links. */
  resolved: 16 * 1024 * 1024,
  /** Header fields of one response. Servers accept about 100 from a client. */
  headerFields: 500,
  /** Cookies of one response. Browsers keep 180 per domain. */
  cookies: 180,
  /** Content security policies of one page, in headers and markup, and characters of one policy. */
  policies: 16,
  policyLength: 16_384,
  /** Rules of a robots.txt for Parapet, and characters of one rule. */
  robotsRules: 500,
  robotsRuleLength: 2_048,
  /** Places that one check reports for one source. */
  observations: 500,
  /**
   * Rules of pg_hba.conf, users that they name in total, and superusers, since every rule is compared with every
   * superuser; roles granted to one role.
   */
  hbaRules: 1_000,
  hbaNames: 20_000,
  superusers: 50,
  memberships: 500,
  /** Ways to sign in of one account of MariaDB, which has one or two. */
  logIns: 8,
  /** Restrictive row security policies of one table, since each of its policies is compared with all of them. */
  restrictivePolicies: 100,
  /** Characters of a name, setting or signature in a database's answer. */
  databaseText: 20_000,
} as const;
