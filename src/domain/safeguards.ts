/** A safeguard or standard of the HIPAA rules that a check supports. It is never a statement of compliance. */
export interface Safeguard {
  /** Section of Title 45 of the Code of Federal Regulations, such as `164.312(e)(1)`. */
  readonly citation: string;
  /** What the section is about, in a few words. */
  readonly title: string;
}

/** Grouped as the checks use them; source: 45 CFR Part 164, Subparts C and E. */
export const safeguards = {
  riskAnalysis: { citation: '164.308(a)(1)(ii)(A)', title: 'Assess risks to health information' },
  riskManagement: { citation: '164.308(a)(1)(ii)(B)', title: 'Reduce risks to a reasonable level' },
  activityReview: { citation: '164.308(a)(1)(ii)(D)', title: 'Review records of system activity' },
  accessAuthorization: { citation: '164.308(a)(4)(ii)(B)', title: 'Authorize access to health information' },
  accessModification: { citation: '164.308(a)(4)(ii)(C)', title: 'Review and change rights of access' },
  malwareProtection: { citation: '164.308(a)(5)(ii)(B)', title: 'Guard against malicious software' },
  logInMonitoring: { citation: '164.308(a)(5)(ii)(C)', title: 'Watch log-in attempts' },
  passwordManagement: { citation: '164.308(a)(5)(ii)(D)', title: 'Create, change and protect passwords' },
  incidentResponse: { citation: '164.308(a)(6)(ii)', title: 'Respond to and record security incidents' },
  dataBackup: { citation: '164.308(a)(7)(ii)(A)', title: 'Keep retrievable copies of data' },
  disasterRecovery: { citation: '164.308(a)(7)(ii)(B)', title: 'Restore lost data' },
  evaluation: { citation: '164.308(a)(8)', title: 'Evaluate security periodically' },
  accessControl: { citation: '164.312(a)(1)', title: 'Let in only who has been granted access' },
  uniqueUser: { citation: '164.312(a)(2)(i)', title: 'Identify every user uniquely' },
  automaticLogOff: { citation: '164.312(a)(2)(iii)', title: 'End sessions after inactivity' },
  storageEncryption: { citation: '164.312(a)(2)(iv)', title: 'Encrypt stored health information' },
  auditControls: { citation: '164.312(b)', title: 'Record activity in systems' },
  integrity: { citation: '164.312(c)(1)', title: 'Protect data from improper change' },
  integrityMechanism: { citation: '164.312(c)(2)', title: 'Confirm that data was not altered' },
  authentication: { citation: '164.312(d)', title: 'Verify who seeks access' },
  transmissionSecurity: { citation: '164.312(e)(1)', title: 'Protect data sent over networks' },
  transmissionIntegrity: { citation: '164.312(e)(2)(i)', title: 'Detect changes to data in transit' },
  transmissionEncryption: { citation: '164.312(e)(2)(ii)', title: 'Encrypt data in transit' },
  recordRetention: { citation: '164.316(b)(2)(i)', title: 'Retain documentation for six years' },
  usesAndDisclosures: { citation: '164.502(a)', title: 'Limit uses and disclosures' },
  deidentification: {
    citation: '164.514',
    title: 'Requirements for uses, disclosures and de-identification',
  },
} as const satisfies Record<string, Safeguard>;

/** Encryption and integrity on the wire: the safeguards that TLS serves. */
export const transmissionSafeguards: readonly Safeguard[] = [
  safeguards.transmissionSecurity,
  safeguards.transmissionIntegrity,
  safeguards.transmissionEncryption,
];

/** Who may reach data: the safeguards that exposure, CORS and grants concern. */
export const accessSafeguards: readonly Safeguard[] = [
  safeguards.accessControl,
  safeguards.accessAuthorization,
  safeguards.accessModification,
];

/** Who is at the other end: the safeguards that sessions and passwords concern. */
export const authenticationSafeguards: readonly Safeguard[] = [
  safeguards.authentication,
  safeguards.passwordManagement,
];

/** Content arrives as it was published: the safeguards that CSP and script integrity concern. */
export const integritySafeguards: readonly Safeguard[] = [
  safeguards.integrity,
  safeguards.integrityMechanism,
];
