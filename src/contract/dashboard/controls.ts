import { type Static, Type } from 'typebox';
import { verdicts } from '../scans.ts';
import { Severity } from '../severity.ts';
import { choice, closed, NullableTimestamp, Timestamp, text, Uuid } from '../values.ts';
import { Effect } from './findings.ts';

/** Whether current results support a control. Never a statement of compliance. */
const controlStates = ['supported', 'attention', 'attested', 'not_assessed', 'not_applicable'] as const;

const Count = Type.Integer({ minimum: 0 });
const NullableText = Type.Union([Type.String(), Type.Null()]);

/** One standard or implementation specification of 45 CFR Part 164, Subpart C. */
export const Control = closed({
  citation: Type.String({ examples: ['164.312(e)(2)(ii)'] }),
  title: Type.String(),
  summary: Type.String({ description: 'What it requires, in our words.' }),
  requirement: choice(['required', 'addressable'] as const),
  standard: Type.Union([Type.String(), Type.Null()], {
    description: 'Citation of its standard; null for a standard.',
  }),
  condition: Type.Union([Type.String(), Type.Null()], {
    description:
      'The organizations it applies to; null if it applies to all. Only a control with a condition can be attested as not applicable.',
  }),
  state: choice(
    controlStates,
    '`attested`: a person attested it, without proof. `not_applicable`: a person attested that it does not apply.',
  ),
  reasons: Type.Array(Type.String(), { description: 'Reasons for the state, most important first.' }),
  checks: Type.Integer({ minimum: 0, description: 'Checks that map to the control.' }),
  showing: Type.Integer({
    minimum: 0,
    description: 'Mapped checks whose pass shows the safeguard working.',
  }),
  open: Type.Integer({ minimum: 0, description: 'Open findings of these checks above info.' }),
  accepted: Count,
  attested_until: Type.Union([Timestamp, Type.Null()], {
    description: 'Expiry of the latest attestation, which may be in the past; null without one.',
  }),
  has_note: Type.Boolean(),
});
export type Control = Static<typeof Control>;

export const ControlMatrix = closed({
  assessed_at: Timestamp,
  totals: closed({
    supported: Count,
    attention: Count,
    attested: Count,
    not_assessed: Count,
    not_applicable: Count,
  }),
  sections: Type.Array(
    closed({ citation: Type.String(), title: Type.String(), controls: Type.Array(Control) }),
  ),
});
export type ControlMatrix = Static<typeof ControlMatrix>;

/** A mapped check with its results on the sources in scope. */
const ControlCheck = closed({
  id: Type.String(),
  title: Type.String(),
  severity: Severity,
  effect: Effect,
  reason: Type.String({ description: 'Why the check relates to the control.' }),
  passed: Type.Integer({ minimum: 0, description: 'Sources with a current pass.' }),
  assessed: Type.Integer({ minimum: 0, description: 'Sources with a current result.' }),
  not_assessed: Type.Integer({ minimum: 0, description: 'Sources on which it was not assessed.' }),
  outdated: Type.Integer({ minimum: 0, description: 'Sources whose latest result is outdated.' }),
  open: Count,
  accepted: Count,
  false_positives: Count,
  not_applicable: Type.Integer({ minimum: 0, description: 'Sources to which it does not apply.' }),
});
export type ControlCheck = Static<typeof ControlCheck>;

/** A pass that counts toward support: its check can show the safeguard working. */
const ControlPass = closed({
  check: Type.String(),
  title: Type.String(),
  source_id: Uuid,
  source_name: Type.String(),
  passed_at: Timestamp,
  probe: Type.Union([Type.String(), Type.Null()], {
    description: 'Name and version of the probe that assessed it; null if the service did.',
  }),
});
export type ControlPass = Static<typeof ControlPass>;

/** A source of a kind that the mapped checks assess. */
const ControlSource = closed({
  id: Uuid,
  name: Type.String(),
  kind: Type.String(),
  looked_at: NullableTimestamp,
  probe: Type.Union([Type.String(), Type.Null()], {
    description: 'Name and version of the probe that assessed it last; null if no probe did.',
  }),
  assessed: Count,
  not_assessed: Count,
  outdated: Count,
  open: Count,
  accepted: Count,
});
export type ControlSource = Static<typeof ControlSource>;

/** A source on which a check was not assessed, with the reason. */
const ControlGap = closed({
  check: Type.String(),
  title: Type.String(),
  source_id: Uuid,
  source_name: Type.String(),
  reason: Type.String(),
});
export type ControlGap = Static<typeof ControlGap>;

const ControlFinding = closed({
  id: Uuid,
  severity: Severity,
  category: Type.String(),
  title: Type.String(),
  seen: Type.String(),
  status: choice(['open', 'accepted'] as const),
  accepted_until: NullableTimestamp,
  source_id: Uuid,
  source_name: Type.String(),
  created_at: Timestamp,
});
export type ControlFinding = Static<typeof ControlFinding>;

const ControlNote = closed({
  note: Type.Union([Type.String(), Type.Null()], { description: 'Null if removed.' }),
  written_by: NullableText,
  written_at: Timestamp,
});
export type ControlNote = Static<typeof ControlNote>;

const LinkedEvidence = closed({
  id: Uuid,
  name: Type.String(),
  kind: choice(['scan', 'file'] as const),
  sha256: Type.String({ description: 'SHA-256 of the content, hexadecimal.' }),
  linked_at: Timestamp,
  verdict: Type.Union([choice(verdicts), Type.Null()], {
    description: 'Verdict of a scan, which proves no safeguard by itself.',
  }),
});

export const Attestation = closed({
  id: Uuid,
  control: Type.String(),
  applies: Type.Boolean({ description: 'False if the statement says why the control does not apply.' }),
  statement: Type.String(),
  state: choice(
    ['current', 'expired', 'withdrawn', 'superseded'] as const,
    'Only the latest attestation counts; it supersedes earlier ones.',
  ),
  attested_by: NullableText,
  attested_at: Timestamp,
  valid_until: Timestamp,
  withdrawn_at: NullableTimestamp,
  withdrawn_by: NullableText,
  withdrawal_reason: NullableText,
  evidence: Type.Array(LinkedEvidence, {
    description: 'Retained evidence. An attestation without a file does not support the control.',
  }),
});
export type Attestation = Static<typeof Attestation>;

/** Details behind the state of a control. Lists have at most 50 entries, most severe first. */
export const ControlDetail = closed({
  control: Control,
  checks: Type.Array(ControlCheck),
  passes: Type.Array(ControlPass, { description: 'Passes of checks that can show the safeguard working.' }),
  sources: Type.Array(ControlSource),
  gaps: Type.Array(ControlGap),
  findings: Type.Array(ControlFinding),
  notes: Type.Array(ControlNote, { description: 'Newest first. Only the first counts.' }),
  attestations: Type.Array(Attestation, { description: 'Newest first.' }),
});
export type ControlDetail = Static<typeof ControlDetail>;

export const WriteControlNote = closed({
  note: Type.Union([text(4000), Type.Null()], { description: 'Null removes the note.' }),
});
export const ControlNoteEnvelope = closed({ note: ControlNote });

const evidenceIds = Type.Array(Uuid, {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description:
    'IDs of files and scan snapshots. A scan snapshot alone does not support a control. Snapshots of controls are not accepted.',
});

export const AttestControl = closed({
  statement: text(4000, 'What is in place, who is responsible, and where it is documented.'),
  applies: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'False if the statement says why the control does not apply.',
    }),
  ),
  valid_until: Type.String({ ...Timestamp, description: 'At most 366 days from now.' }),
  evidence_ids: Type.Optional(evidenceIds),
});
export type AttestControl = Static<typeof AttestControl>;
export const AttestationEnvelope = closed({ attestation: Attestation });
export const LinkEvidence = closed({ evidence_ids: evidenceIds });
export const WithdrawAttestation = closed({ reason: text(1000) });
