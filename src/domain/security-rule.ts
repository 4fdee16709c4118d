/**
 * The HIPAA Security Rule: every standard and implementation specification of 45 CFR Part 164, Subpart C, sections
 * 164.308 to 164.316, as in force. Titles are the rule's own terms where it has one. The sentences are ours, and stand in for
 * its text nowhere.
 */
export interface Control {
  /** Such as `164.312(e)(2)(ii)`; unique. */
  readonly citation: string;
  readonly title: string;
  /** What it asks for, in one sentence. */
  readonly summary: string;
  /** A standard is always required (164.306(c)); a specification may be addressable (164.306(d)). */
  readonly requirement: 'required' | 'addressable';
  /** The citation of the standard that a specification belongs to; null for a standard. */
  readonly standard: string | null;
  /** Whom it concerns, of a control that does not concern every covered entity and business associate; null for all others. */
  readonly condition: string | null;
}

/** A section with its controls: each standard, then its specifications. */
export interface RuleSection {
  readonly citation: string;
  readonly title: string;
  readonly controls: readonly Control[];
}

// A line is a section (§), a standard (S), or a specification of the standard above: required (R) or addressable (A). Its last part
// says whom it concerns, where that is not everybody.
const rule = `
§164.308 | Administrative safeguards
S (a)(1)(i) | Security management process | Prevent, detect, contain and correct security violations.
R (a)(1)(ii)(A) | Risk analysis | Assess thoroughly what could harm electronic health information.
R (a)(1)(ii)(B) | Risk management | Bring the risks down to a reasonable and appropriate level.
R (a)(1)(ii)(C) | Sanction policy | Sanction workforce members who break security policies.
R (a)(1)(ii)(D) | Information system activity review | Review audit logs, access reports and incidents regularly.
S (a)(2) | Assigned security responsibility | Name the person who answers for security.
S (a)(3)(i) | Workforce security | See that those who need access have it, and that nobody else gets it.
A (a)(3)(ii)(A) | Authorization and/or supervision | Authorize or supervise whoever works with health information.
A (a)(3)(ii)(B) | Workforce clearance procedure | Determine that a person’s access is appropriate.
A (a)(3)(ii)(C) | Termination procedures | End access when employment or another arrangement ends, or a clearance asks for it.
S (a)(4)(i) | Information access management | Have policies for who is authorized to reach health information.
R (a)(4)(ii)(A) | Isolating health care clearinghouse functions | Keep a clearinghouse’s data apart from the larger organization. | Organizations of which a health care clearinghouse is a part.
A (a)(4)(ii)(B) | Access authorization | Have policies for granting access, such as through a workstation, transaction or program.
A (a)(4)(ii)(C) | Access establishment and modification | Set up, document, review and change rights of access.
S (a)(5)(i) | Security awareness and training | Train everybody in the workforce, management included.
A (a)(5)(ii)(A) | Security reminders | Keep security in mind with periodic updates.
A (a)(5)(ii)(B) | Protection from malicious software | Guard against, detect and report malicious software.
A (a)(5)(ii)(C) | Log-in monitoring | Watch log-in attempts and report discrepancies.
A (a)(5)(ii)(D) | Password management | Create, change and safeguard passwords.
S (a)(6)(i) | Security incident procedures | Have policies for security incidents.
R (a)(6)(ii) | Response and reporting | Respond to incidents, limit their harm, and document them.
S (a)(7)(i) | Contingency plan | Be ready for emergencies that damage systems with health information.
R (a)(7)(ii)(A) | Data backup plan | Keep exact copies that can be retrieved.
R (a)(7)(ii)(B) | Disaster recovery plan | Have procedures to restore lost data.
R (a)(7)(ii)(C) | Emergency mode operation plan | Keep critical processes secure while an emergency lasts.
A (a)(7)(ii)(D) | Testing and revision procedures | Test and revise the plans periodically.
A (a)(7)(ii)(E) | Applications and data criticality analysis | Weigh how critical each application and its data are.
S (a)(8) | Evaluation | Evaluate periodically, and after changes, how well security meets the rule.
S (b)(1) | Business associate contracts and other arrangements | Let business associates, and their subcontractors, hold health information only with satisfactory assurances. | Organizations that let others hold health information for them.
R (b)(3) | Written contract or other arrangement | Document these assurances in writing. | Organizations that let others hold health information for them.
§164.310 | Physical safeguards
S (a)(1) | Facility access controls | Limit physical access to systems and their facilities.
A (a)(2)(i) | Contingency operations | Allow access to the facility for restoring data in an emergency.
A (a)(2)(ii) | Facility security plan | Protect the facility and equipment from tampering and theft.
A (a)(2)(iii) | Access control and validation procedures | Control who enters, by role, visitors included, and who reaches programs for testing and revising them.
A (a)(2)(iv) | Maintenance records | Document repairs and changes of what keeps the facility secure.
S (b) | Workstation use | Say what workstations are for, how and where they are used.
S (c) | Workstation security | Keep workstations physically to authorized users.
S (d)(1) | Device and media controls | Govern hardware and media that come, go and move with data on them.
R (d)(2)(i) | Disposal | Dispose of data, and of what it is stored on, for good.
R (d)(2)(ii) | Media re-use | Remove data from media before they are used again.
A (d)(2)(iii) | Accountability | Record where hardware and media go, and who answers for them.
A (d)(2)(iv) | Data backup and storage | Make a retrievable copy of data before equipment is moved.
§164.312 | Technical safeguards
S (a)(1) | Access control | Let in only the people and programs that were granted access.
R (a)(2)(i) | Unique user identification | Give every user a name or number of their own.
R (a)(2)(ii) | Emergency access procedure | Have a way to reach needed health information in an emergency.
A (a)(2)(iii) | Automatic logoff | End sessions after a time of inactivity.
A (a)(2)(iv) | Encryption and decryption | Have a way to encrypt and decrypt health information.
S (b) | Audit controls | Record and examine activity in systems with health information.
S (c)(1) | Integrity | Protect health information from improper alteration and destruction.
A (c)(2) | Mechanism to authenticate electronic protected health information | Be able to confirm that nobody altered or destroyed data without authorization.
S (d) | Person or entity authentication | Verify that whoever seeks access is who they claim to be.
S (e)(1) | Transmission security | Guard health information while it travels over a network.
A (e)(2)(i) | Integrity controls | See that data is not changed unnoticed on its way.
A (e)(2)(ii) | Encryption | Encrypt data on its way where appropriate.
§164.314 | Organizational requirements
S (a)(1) | Business associate contracts or other arrangements | Have contracts or arrangements that meet the following. | Organizations that let others hold health information for them.
R (a)(2)(i) | Business associate contracts | Have business associates meet this rule, bind subcontractors, and report incidents. | Organizations that have contracts with business associates.
R (a)(2)(ii) | Other arrangements | Between government entities, an arrangement of equal effect will do. | Government entities that have such an arrangement.
R (a)(2)(iii) | Business associate contracts with subcontractors | The same holds between a business associate and its subcontractor. | Business associates that have subcontractors.
S (b)(1) | Requirements for group health plans | Have plan documents oblige the sponsor to safeguard health information. | Group health plans.
R (b)(2) | Plan documents | Have the sponsor implement safeguards, back its separation from the plan with security measures, bind its agents, and report incidents. | Group health plans.
§164.316 | Policies and procedures and documentation requirements
S (a) | Policies and procedures | Have reasonable and appropriate policies and procedures for this rule.
S (b)(1) | Documentation | Keep policies, procedures and required records in writing.
R (b)(2)(i) | Time limit | Keep documentation for six years from its creation or from when it was last in effect, whichever is later.
R (b)(2)(ii) | Availability | Make documentation available to those who carry it out.
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

const controls = new Map(
  securityRule.flatMap(({ controls }) => controls).map(control => [control.citation, control]),
);

/** Undefined for a citation that the rule does not have. */
export function controlByCitation(citation: string): Control | undefined {
  return controls.get(citation);
}
