/**
 * How much of a scan target is read, besides the requests, bytes and seconds of its surface's budget. Each limit is far
 * above what real targets have; one that is reached is told as the reason why checks were not assessed.
 */
export const targetLimits = {
  /** Characters of an address. Web servers refuse request lines of more than 8 to 16 KB. */
  url: 8_192,
  /** Characters of user, password, host and port in an address. A host name has at most 253. */
  authority: 300,
  /** Characters of addresses that are resolved for one page, each counted with its base: 100,000 usual links. */
  resolved: 16 * 1024 * 1024,
  /** Header fields of one answer. Servers accept about 100 of a client. */
  headerFields: 500,
  /** Cookies of one answer. Browsers keep 180 of one domain. */
  cookies: 180,
  /** Content security policies of one page, in headers and markup, and characters of one. */
  policies: 16,
  policyLength: 16_384,
  /** Rules of a robots.txt for Parapet, and characters of one. */
  robotsRules: 500,
  robotsRuleLength: 2_048,
  /** Places that one check reports of one source. */
  observations: 500,
  /** Rules of pg_hba.conf, users that they name together, and superusers, of which each is compared with each; roles that one role was granted. */
  hbaRules: 1_000,
  hbaNames: 20_000,
  superusers: 50,
  memberships: 500,
  /** Restrictive row security policies of one table, with which each of its policies is compared. */
  restrictivePolicies: 100,
  /** Characters of a name, setting or signature in the answer of a database. */
  databaseText: 20_000,
} as const;
