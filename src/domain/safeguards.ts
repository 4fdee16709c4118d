/** A safeguard or standard of the HIPAA rules that a check says something about. It is never a statement of compliance. */
export interface Safeguard {
  /** Section of Title 45 of the Code of Federal Regulations, such as `164.312(e)(1)`. */
  readonly citation: string;
  /** What the section is about, in a few words. */
  readonly title: string;
}

/** Grouped as the checks use them; source: 45 CFR Part 164, Subparts C and E. */
export const safeguards = {
  riskManagement: { citation: '164.308(a)(1)(ii)(B)', title: 'Reduce risks to a reasonable level' },
  activityReview: { citation: '164.308(a)(1)(ii)(D)', title: 'Review records of system activity' },
  accessAuthorization: { citation: '164.308(a)(4)(ii)(B)', title: 'Authorize access to health information' },
  accessModification: { citation: '164.308(a)(4)(ii)(C)', title: 'Review and change rights of access' },
  malwareProtection: { citation: '164.308(a)(5)(ii)(B)', title: 'Guard against malicious software' },
  logInMonitoring: { citation: '164.308(a)(5)(ii)(C)', title: 'Watch log-in attempts' },
  passwordManagement: { citation: '164.308(a)(5)(ii)(D)', title: 'Create, change and protect passwords' },
  dataBackup: { citation: '164.308(a)(7)(ii)(A)', title: 'Keep retrievable copies of data' },
  disasterRecovery: { citation: '164.308(a)(7)(ii)(B)', title: 'Restore lost data' },
  accessControl: { citation: '164.312(a)(1)', title: 'Let in only who has been granted access' },
  uniqueUser: { citation: '164.312(a)(2)(i)', title: 'Identify every user uniquely' },
  automaticLogOff: { citation: '164.312(a)(2)(iii)', title: 'End sessions after inactivity' },
  auditControls: { citation: '164.312(b)', title: 'Record activity in systems' },
  integrity: { citation: '164.312(c)(1)', title: 'Protect data from improper change' },
  integrityMechanism: { citation: '164.312(c)(2)', title: 'Confirm that data was not altered' },
  authentication: { citation: '164.312(d)', title: 'Verify who seeks access' },
  transmissionIntegrity: { citation: '164.312(e)(2)(i)', title: 'Detect changes to data in transit' },
  transmissionEncryption: { citation: '164.312(e)(2)(ii)', title: 'Encrypt data in transit' },
  usesAndDisclosures: { citation: '164.502(a)', title: 'Limit uses and disclosures' },
  deidentification: {
    citation: '164.514',
    title: 'Requirements for uses, disclosures and de-identification',
  },
  privacyNotice: {
    citation: '164.520(c)(3)(i)',
    title: 'Post the notice of privacy practices on the website',
  },
} as const satisfies Record<string, Safeguard>;

/** What a check says about a safeguard. */
export interface SafeguardMapping extends Safeguard {
  /**
   * `lowers`: a finding says that the safeguard does not work here, and a pass only that no problem was found. `shows`: a pass
   * is also an observation of the safeguard at work, or of a part of it that other checks complete.
   */
  readonly effect: 'lowers' | 'shows';
  /** Why the check says something about the safeguard, in one sentence. */
  readonly reason: string;
}

export function lowers(safeguard: Safeguard, reason: string): SafeguardMapping {
  return { ...safeguard, effect: 'lowers', reason };
}

export function shows(safeguard: Safeguard, reason: string): SafeguardMapping {
  return { ...safeguard, effect: 'shows', reason };
}

/** `164.312(d) (verify who seeks access): The reason.` */
export function safeguardLine({ citation, title, effect, reason }: SafeguardMapping): string {
  return `${citation} (${title.toLowerCase()}): ${reason}${effect === 'shows' ? ' A pass shows it.' : ''}`;
}
