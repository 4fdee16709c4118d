/** A safeguard or standard of the HIPAA rules that checks relate to. Never a statement of compliance. */
export interface Safeguard {
  /** Section of Title 45 of the Code of Federal Regulations, such as `164.312(e)(1)`. */
  readonly citation: string;
  /** Short summary of the section. */
  readonly title: string;
}

/** Grouped as the checks use them; source: 45 CFR Part 164, Subparts C and E. */
export const safeguards = {
  riskManagement: { citation: '164.308(a)(1)(ii)(B)', title: 'Reduce risks to a reasonable level' },
  activityReview: { citation: '164.308(a)(1)(ii)(D)', title: 'Review records of system activity' },
  accessAuthorization: { citation: '164.308(a)(4)(ii)(B)', title: 'Authorize access to health information' },
  accessModification: { citation: '164.308(a)(4)(ii)(C)', title: 'Review and modify access rights' },
  malwareProtection: { citation: '164.308(a)(5)(ii)(B)', title: 'Guard against malicious software' },
  logInMonitoring: { citation: '164.308(a)(5)(ii)(C)', title: 'Monitor login attempts' },
  passwordManagement: { citation: '164.308(a)(5)(ii)(D)', title: 'Create, change and protect passwords' },
  dataBackup: { citation: '164.308(a)(7)(ii)(A)', title: 'Maintain retrievable copies of data' },
  disasterRecovery: { citation: '164.308(a)(7)(ii)(B)', title: 'Restore lost data' },
  accessControl: { citation: '164.312(a)(1)', title: 'Limit access to authorized users and programs' },
  uniqueUser: { citation: '164.312(a)(2)(i)', title: 'Identify every user uniquely' },
  automaticLogOff: { citation: '164.312(a)(2)(iii)', title: 'Terminate sessions after inactivity' },
  auditControls: { citation: '164.312(b)', title: 'Record and examine system activity' },
  integrity: { citation: '164.312(c)(1)', title: 'Protect data from improper alteration' },
  integrityMechanism: { citation: '164.312(c)(2)', title: 'Confirm that data was not altered' },
  authentication: { citation: '164.312(d)', title: 'Verify the identity of persons and entities' },
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

/** A safeguard that a check relates to, and how. */
export interface SafeguardMapping extends Safeguard {
  /**
   * `lowers`: a finding shows that the safeguard does not work, and a pass only means that no problem was found. `shows`: a pass also
   * shows the safeguard working, alone or together with other checks.
   */
  readonly effect: 'lowers' | 'shows';
  /** Why the check relates to the safeguard, in one sentence. */
  readonly reason: string;
}

export function lowers(safeguard: Safeguard, reason: string): SafeguardMapping {
  return { ...safeguard, effect: 'lowers', reason };
}

export function shows(safeguard: Safeguard, reason: string): SafeguardMapping {
  return { ...safeguard, effect: 'shows', reason };
}

/** Formats `164.312(d) (verify the identity of persons and entities): Reason.` */
export function safeguardLine({ citation, title, effect, reason }: SafeguardMapping): string {
  return `${citation} (${title.toLowerCase()}): ${reason}${effect === 'shows' ? ' A pass shows it.' : ''}`;
}
