/**
 * The HIPAA Security Rule: every standard and implementation specification of 45 CFR Part 164, Subpart C, sections
 * 164.308 to 164.316, as in force. Titles are the terms of the rule. Summaries are ours and do not replace its text.
 */
export interface Control {
  /** Such as `164.312(e)(2)(ii)`; unique. */
  readonly citation: string;
  readonly title: string;
  /** What it requires, in one sentence. */
  readonly summary: string;
  /** A standard is always required (164.306(c)); a specification may be addressable (164.306(d)). */
  readonly requirement: 'required' | 'addressable';
  /** The citation of the standard that a specification belongs to; null for a standard. */
  readonly standard: string | null;
  /** The organizations it applies to; null if it applies to every covered entity and business associate. */
  readonly condition: string | null;
}

/** A section with its controls: each standard, then its specifications. */
export interface RuleSection {
  readonly citation: string;
  readonly title: string;
  readonly controls: readonly Control[];
}

// A line is a section (§), a standard (S), or a required (R) or addressable (A) specification of the standard above, with an optional
// condition at the end.
const rule = `
§164.308 | Administrative safeguards
S (a)(1)(i) | Security management process | Prevent, detect, contain and correct security violations.
R (a)(1)(ii)(A) | Risk analysis | Assess risks and vulnerabilities of electronic health information accurately and thoroughly.
R (a)(1)(ii)(B) | Risk management | Reduce risks and vulnerabilities to a reasonable and appropriate level.
R (a)(1)(ii)(C) | Sanction policy | Sanction workforce members who violate security policies and procedures.
R (a)(1)(ii)(D) | Information system activity review | Regularly review audit logs, access reports and incident reports.
S (a)(2) | Assigned security responsibility | Designate the person who is responsible for security policies and procedures.
S (a)(3)(i) | Workforce security | Give workforce members appropriate access to health information, and prevent access by others.
A (a)(3)(ii)(A) | Authorization and/or supervision | Authorize or supervise workforce members who work with health information.
A (a)(3)(ii)(B) | Workforce clearance procedure | Determine that the access of each workforce member is appropriate.
A (a)(3)(ii)(C) | Termination procedures | Terminate access when employment or another arrangement ends, or a clearance requires it.
S (a)(4)(i) | Information access management | Have policies and procedures for authorizing access to health information.
R (a)(4)(ii)(A) | Isolating health care clearinghouse functions | Protect health information of a clearinghouse from the larger organization. | Organizations that include a health care clearinghouse.
A (a)(4)(ii)(B) | Access authorization | Have policies for granting access, such as through a workstation, transaction or program.
A (a)(4)(ii)(C) | Access establishment and modification | Establish, document, review and modify access rights.
S (a)(5)(i) | Security awareness and training | Train all members of the workforce, including management.
A (a)(5)(ii)(A) | Security reminders | Provide periodic security updates.
A (a)(5)(ii)(B) | Protection from malicious software | Guard against, detect and report malicious software.
A (a)(5)(ii)(C) | Log-in monitoring | Monitor login attempts and report discrepancies.
A (a)(5)(ii)(D) | Password management | Create, change and safeguard passwords.
S (a)(6)(i) | Security incident procedures | Have policies and procedures for security incidents.
R (a)(6)(ii) | Response and reporting | Respond to security incidents, mitigate harmful effects, and document incidents and outcomes.
S (a)(7)(i) | Contingency plan | Have policies and procedures for emergencies that damage systems with health information.
R (a)(7)(ii)(A) | Data backup plan | Create and maintain retrievable exact copies of health information.
R (a)(7)(ii)(B) | Disaster recovery plan | Have procedures to restore lost data.
R (a)(7)(ii)(C) | Emergency mode operation plan | Continue critical processes that secure health information during an emergency.
A (a)(7)(ii)(D) | Testing and revision procedures | Test and revise contingency plans periodically.
A (a)(7)(ii)(E) | Applications and data criticality analysis | Assess the relative criticality of applications and data.
S (a)(8) | Evaluation | Evaluate periodically, and after changes, how well security policies and procedures meet the rule.
S (b)(1) | Business associate contracts and other arrangements | Allow business associates and their subcontractors to handle health information only with satisfactory assurances. | Organizations with business associates that handle health information for them.
R (b)(3) | Written contract or other arrangement | Document the satisfactory assurances in a written contract or other arrangement. | Organizations with business associates that handle health information for them.
§164.310 | Physical safeguards
S (a)(1) | Facility access controls | Limit physical access to systems and their facilities.
A (a)(2)(i) | Contingency operations | Allow facility access for restoring data in an emergency.
A (a)(2)(ii) | Facility security plan | Protect facilities and equipment from unauthorized access, tampering and theft.
A (a)(2)(iii) | Access control and validation procedures | Control access to facilities by role, including visitors, and access to programs for testing and revision.
A (a)(2)(iv) | Maintenance records | Document repairs and modifications of security-related parts of a facility.
S (b) | Workstation use | Specify the functions of workstations, and how and where they are used.
S (c) | Workstation security | Restrict physical access to workstations to authorized users.
S (d)(1) | Device and media controls | Govern the receipt, removal and movement of hardware and media with health information.
R (d)(2)(i) | Disposal | Have policies for the final disposal of health information and the hardware or media it is stored on.
R (d)(2)(ii) | Media re-use | Remove health information from media before they are reused.
A (d)(2)(iii) | Accountability | Record the movements of hardware and media, and the person responsible.
A (d)(2)(iv) | Data backup and storage | Create a retrievable copy of health information, when needed, before equipment is moved.
§164.312 | Technical safeguards
S (a)(1) | Access control | Allow access only to persons and programs with granted access rights.
R (a)(2)(i) | Unique user identification | Assign every user a unique name or number.
R (a)(2)(ii) | Emergency access procedure | Have procedures to obtain necessary health information in an emergency.
A (a)(2)(iii) | Automatic logoff | Terminate sessions after a predetermined time of inactivity.
A (a)(2)(iv) | Encryption and decryption | Have a mechanism to encrypt and decrypt health information.
S (b) | Audit controls | Record and examine activity in systems with health information.
S (c)(1) | Integrity | Protect health information from improper alteration and destruction.
A (c)(2) | Mechanism to authenticate electronic protected health information | Be able to confirm that health information was not altered or destroyed without authorization.
S (d) | Person or entity authentication | Verify the identity of persons and entities that seek access.
S (e)(1) | Transmission security | Guard against unauthorized access to health information that is transmitted over a network.
A (e)(2)(i) | Integrity controls | Ensure that transmitted health information is not modified without detection.
A (e)(2)(ii) | Encryption | Encrypt transmitted health information where appropriate.
§164.314 | Organizational requirements
S (a)(1) | Business associate contracts or other arrangements | Have contracts or arrangements that meet the following specifications. | Organizations with business associates that handle health information for them.
R (a)(2)(i) | Business associate contracts | Require business associates to meet this rule, bind subcontractors, and report security incidents. | Organizations that have contracts with business associates.
R (a)(2)(ii) | Other arrangements | Government entities may use another arrangement that meets the requirements. | Government entities with such an arrangement.
R (a)(2)(iii) | Business associate contracts with subcontractors | Apply the same requirements between a business associate and its subcontractor. | Business associates with subcontractors.
S (b)(1) | Requirements for group health plans | Ensure that plan documents require the sponsor to safeguard health information. | Group health plans.
R (b)(2) | Plan documents | Require the sponsor to implement safeguards, support its separation from the plan with security measures, bind its agents, and report security incidents. | Group health plans.
§164.316 | Policies and procedures and documentation requirements
S (a) | Policies and procedures | Have reasonable and appropriate policies and procedures for this rule.
S (b)(1) | Documentation | Keep policies, procedures and required records in writing.
R (b)(2)(i) | Time limit | Retain documentation for six years from its creation or the date when it was last in effect, whichever is later.
R (b)(2)(ii) | Availability | Make documentation available to the persons responsible for the procedures.
R (b)(2)(iii) | Updates | Review documentation periodically and update it as needed.
`;

function parse(lines: readonly string[]): RuleSection[] {
  const sections: (RuleSection & { controls: Control[] })[] = [];
  let standard: string | null = null;
  for (const line of lines) {
    const [head = '', title = '', summary = '', condition = null] = line.split(' | ');
    if (head.startsWith('§')) {
      sections.push({ citation: head.slice(1), title, controls: [] });
      continue;
    }
    const section = sections.at(-1)!;
    const citation = `${section.citation}${head.slice(2)}`;
    const isStandard = head.startsWith('S');
    if (isStandard) standard = citation;
    section.controls.push({
      citation,
      title,
      summary,
      requirement: head.startsWith('A') ? 'addressable' : 'required',
      standard: isStandard ? null : standard,
      condition,
    });
  }
  return sections;
}

export const securityRule: readonly RuleSection[] = parse(rule.trim().split('\n'));

const controls = new Map(securityRule.flatMap(section => section.controls).map(one => [one.citation, one]));

export function controlByCitation(citation: string): Control | undefined {
  return controls.get(citation);
}
