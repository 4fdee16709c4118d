import { type Static, Type } from 'typebox';
import { verdicts } from '../scans.ts';
import { Severity } from '../severity.ts';
import { choice, closed, NullableTimestamp, Timestamp, text, Uuid } from '../values.ts';
import { Effect } from './findings.ts';

/** How far what is known supports a control. It is never a statement of compliance. */
const controlStates = ['supported', 'attention', 'attested', 'not_assessed', 'not_applicable'] as const;

const Count = Type.Integer({ minimum: 0 });
const NullableText = Type.Union([Type.String(), Type.Null()]);

/** One standard or implementation specification of 45 CFR Part 164, Subpart C. */
export const Control = closed({
  citation: Type.String({ examples: ['164.312(e)(2)(ii)'] }),
  title: Type.String(),
  summary: Type.String({ description: 'What it asks for, in our words.' }),
  requirement: choice(['required', 'addressable'] as const),
  standard: Type.Union([Type.String(), Type.Null()], {
    description: 'The citation of its standard; null for a standard.',
  }),
  condition: Type.Union([Type.String(), Type.Null()], {
    description:
      'Whom it concerns, where that is not everybody: only then can it be attested that it does not apply.',
  }),
  state: choice(
    controlStates,
    '`attested`: by a person, and not proven. `not_applicable`: by what a person attests.',
  ),
  reasons: Type.Array(Type.String(), { description: 'Why, in sentences; what weighs most comes first.' }),
  checks: Type.Integer({ minimum: 0, description: 'Checks that map to it.' }),
  showing: Type.Integer({
    minimum: 0,
    description: 'Of these, checks whose pass shows the safeguard working.',
  }),
  open: Type.Integer({ minimum: 0, description: 'Open findings of these checks above info.' }),
  accepted: Count,
  attested_until: Type.Union([Timestamp, Type.Null()], {
    description: 'Of the newest attestation, expired or not; null where none counts.',
  }),
  has_note: Type.Boolean(),
});
export type Control = Static<typeof Control>;

/** Every control of the Security Rule, by section. */
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

/** A check that maps to a control, with its results on the sources in scope. */
const ControlCheck = closed({
  id: Type.String(),
  title: Type.String(),
  severity: Severity,
  effect: Effect,
  reason: Type.String({ description: 'Why the check says something about the control.' }),
  passed: Type.Integer({ minimum: 0, description: 'Sources on which it passed lately.' }),
  assessed: Type.Integer({ minimum: 0, description: 'Sources on which it was assessed lately.' }),
  not_assessed: Type.Integer({ minimum: 0, description: 'Sources on which it could not be assessed.' }),
  outdated: Type.Integer({ minimum: 0, description: 'Sources whose latest result is too old to count.' }),
  open: Count,
  accepted: Count,
  false_positives: Count,
  not_applicable: Type.Integer({ minimum: 0, description: 'Sources to which it does not apply.' }),
});
export type ControlCheck = Static<typeof ControlCheck>;

/** A pass that counts toward support: of a check that can show the safeguard working. */
const ControlPass = closed({
  check: Type.String(),
  title: Type.String(),
  source_id: Uuid,
  source_name: Type.String(),
  passed_at: Timestamp,
});
export type ControlPass = Static<typeof ControlPass>;

/** A source that the checks of a control looked at, or could. */
const ControlSource = closed({
  id: Uuid,
  name: Type.String(),
  kind: Type.String(),
  looked_at: NullableTimestamp,
  assessed: Count,
  not_assessed: Count,
  outdated: Count,
  open: Count,
  accepted: Count,
});
export type ControlSource = Static<typeof ControlSource>;

/** Where a check could not look, and why. */
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
  note: Type.Union([Type.String(), Type.Null()], { description: 'Null: taken away.' }),
  written_by: NullableText,
  written_at: Timestamp,
});
export type ControlNote = Static<typeof ControlNote>;

/** Evidence of an attestation. */
const LinkedEvidence = closed({
  id: Uuid,
  name: Type.String(),
  kind: choice(['scan', 'file'] as const),
  sha256: Type.String({ description: 'Of the content, in hexadecimal.' }),
  linked_at: Timestamp,
  verdict: Type.Union([choice(verdicts), Type.Null()], {
    description: 'Of a scan, which proves no safeguard by itself.',
  }),
});

export const Attestation = closed({
  id: Uuid,
  control: Type.String(),
  applies: Type.Boolean({ description: 'False: it states why the control does not apply.' }),
  statement: Type.String(),
  state: choice(
    ['current', 'expired', 'withdrawn', 'superseded'] as const,
    'The newest attestation counts: it supersedes those before.',
  ),
  attested_by: NullableText,
  attested_at: Timestamp,
  valid_until: Timestamp,
  withdrawn_at: NullableTimestamp,
  withdrawn_by: NullableText,
  withdrawal_reason: NullableText,
  evidence: Type.Array(LinkedEvidence, {
    description:
      'What stands behind it, as far as it is still kept. Without a file among it, the attestation supports no control.',
  }),
});
export type Attestation = Static<typeof Attestation>;

/** What is behind a control's state. Lists are cut to a hundred, the worst first. */
export const ControlDetail = closed({
  control: Control,
  checks: Type.Array(ControlCheck),
  passes: Type.Array(ControlPass, { description: 'Of checks that can show the safeguard working.' }),
  sources: Type.Array(ControlSource),
  gaps: Type.Array(ControlGap),
  findings: Type.Array(ControlFinding),
  notes: Type.Array(ControlNote, { description: 'Newest first: the first one counts.' }),
  attestations: Type.Array(Attestation, { description: 'Newest first.' }),
});
export type ControlDetail = Static<typeof ControlDetail>;

export const WriteControlNote = closed({
  note: Type.Union([text(4000), Type.Null()], { description: 'Null takes the note away.' }),
});
export const ControlNoteEnvelope = closed({ note: ControlNote });

const evidenceIds = Type.Array(Uuid, {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description:
    'Files, and snapshots of scans, which prove no control by themselves. A snapshot of the controls proves none of them.',
});

export const AttestControl = closed({
  statement: text(4000, 'What is in place, who saw to it, and where that is written down.'),
  applies: Type.Optional(
    Type.Boolean({ default: true, description: 'False: the statement says why the control does not apply.' }),
  ),
  valid_until: Type.String({ ...Timestamp, description: 'At most 366 days away.' }),
  evidence_ids: Type.Optional(evidenceIds),
});
export type AttestControl = Static<typeof AttestControl>;
export const AttestationEnvelope = closed({ attestation: Attestation });
export const LinkEvidence = closed({ evidence_ids: evidenceIds });
export const WithdrawAttestation = closed({ reason: text(1000) });
