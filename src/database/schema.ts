// Written by maintenance/write-schema.ts from the migrated database: `npm run schema`.

import type { ColumnType } from 'kysely';
import type { RunCause, TestError } from '../contract/causes.ts';
import type { AuditEntry } from '../contract/dashboard/audit.ts';
import type { NoticeKind } from '../contract/dashboard/notifications.ts';
import type { InventoryItem, SourceReport } from '../contract/dashboard/probes.ts';
import type { SourceDetail } from '../contract/dashboard/sources.ts';
import type { FindingView } from '../contract/dashboard/views.ts';
import type { EventChannel } from '../contract/events.ts';
import type { FindingStatus } from '../contract/findings.ts';
import type { KeyKind, Scope } from '../contract/keys.ts';
import type { RunStatus, Scan, Verdict } from '../contract/scans.ts';
import type { Severity } from '../contract/severity.ts';
import type {
  ActiveDecisions,
  AttackClass,
  FirewallEngine,
  FirewallMode,
  FirewallProblem,
  ShieldAlert,
  ShieldDecision,
} from '../contract/shield-events.ts';
import type { ConnectionMode, Credential, SourceKind, SourceStatus } from '../contract/sources.ts';
import type { System } from '../contract/systems.ts';

/** Has a default, which an insert may leave to the database. */
type Defaulted<T> =
  T extends ColumnType<infer Selected, infer Inserted, infer Updated>
    ? ColumnType<Selected, Inserted | undefined, Updated>
    : ColumnType<T, T | undefined, T>;
/** Is computed from the other columns. */
type Computed<T> = ColumnType<Selected<T>, never, never>;
type Selected<T> = T extends ColumnType<infer S, unknown, unknown> ? S : T;
/** Is read in the contract's form. */
type Timestamp = ColumnType<string, string | Date, string | Date>;
/** Is written as text. */
type Json<T> = ColumnType<T, string, string>;

interface ApiKeys {
  allowed_addresses: Defaulted<string[]>;
  created_at: Defaulted<Timestamp>;
  expires_at: Timestamp;
  id: Defaulted<string>;
  kind: KeyKind;
  last_used_at: Timestamp | null;
  name: string | null;
  organization_id: Defaulted<string>;
  public_key: Buffer;
  revoked_at: Timestamp | null;
  scopes: Scope[];
  system_id: string | null;
  token_hash: Buffer;
}

interface AttestationEvidence {
  attestation_id: string;
  evidence_id: string;
  linked_at: Defaulted<Timestamp>;
  linked_by: string;
  organization_id: Defaulted<string>;
}

interface AuditEntries {
  action: string;
  actor_id: string;
  actor_kind: AuditEntry['actor']['kind'];
  address: string | null;
  detail: Json<AuditEntry['detail']>;
  hash: Buffer;
  object_id: string;
  object_kind: string;
  occurred_at: Timestamp;
  organization_id: Defaulted<string>;
  previous_hash: Buffer;
  sequence: number;
}

interface AuditHeads {
  hash: Buffer;
  organization_id: Defaulted<string>;
  sequence: number;
}

interface BackupCodes {
  code_hash: Buffer;
  person_id: string;
  used_at: Timestamp | null;
}

interface Backups {
  bytes: number;
  encrypted: boolean;
  file: string | null;
  finished_at: Defaulted<Timestamp>;
  made_at: Timestamp;
  row_count: number;
  scheduled: boolean;
}

interface ChangeCounts {
  changes: number;
  ends_at: Timestamp;
  holder: string;
}

interface CheckAssessments {
  check_id: string;
  looked_at: Timestamp;
  organization_id: string;
  outcome: SourceDetail['assessments'][number]['outcome'];
  reason: string | null;
  scan_id: string;
  source_id: string;
}

interface CheckCountChanges {
  check_id: string;
  count: number;
  day: Date;
  hipaa: boolean;
  organization_id: string;
  severity_rank: number;
  state: string;
}

interface CheckCountDeltas {
  check_ids: string[];
  counts: number[];
  days: Date[];
  hipaa: boolean[];
  id: Defaulted<number>;
  organization_id: Defaulted<string>;
  severity_ranks: number[];
  states: string[];
}

interface CheckCounts {
  check_id: string;
  count: number;
  day: Date;
  hipaa: boolean;
  organization_id: Defaulted<string>;
  severity_rank: number;
  state: string;
}

interface CheckSources {
  check_id: string;
  organization_id: Defaulted<string>;
  outcome: string;
  source_id: string;
}

interface CheckTitles {
  check_id: string;
  id: Defaulted<number>;
  organization_id: Defaulted<string>;
  title: string;
}

interface ControlAttestations {
  applies: Defaulted<boolean>;
  attested_at: Defaulted<Timestamp>;
  attested_by: string;
  control: string;
  id: Defaulted<string>;
  organization_id: Defaulted<string>;
  statement: string;
  valid_until: Timestamp;
  withdrawal_reason: string | null;
  withdrawn_at: Timestamp | null;
  withdrawn_by: string | null;
}

interface ControlNotes {
  control: string;
  id: Defaulted<string>;
  note: string | null;
  organization_id: Defaulted<string>;
  written_at: Defaulted<Timestamp>;
  written_by: string;
}

interface DataVersions {
  organization_id: Defaulted<string>;
  shard: number;
  subject: 'systems' | 'sources' | 'findings' | 'scans';
  version: number;
}

interface DomainProofs {
  created_at: Defaulted<Timestamp>;
  organization_id: Defaulted<string>;
  proven_at: Timestamp | null;
  proven_by: 'dns_txt' | 'well_known_file' | null;
  source_id: string;
  token: string;
}

interface EventCountDeltas {
  channel: string;
  count: number;
  hour: Timestamp;
  key_id: string;
  kind: string;
  organization_id: Defaulted<string>;
  received_day: Timestamp;
  retention_days: number;
  system_id: string;
}

interface EventCounts {
  at: Timestamp;
  count: number;
  grain: 'hour' | 'day' | 'hour_of_all' | 'day_of_all';
  organization_id: Defaulted<string>;
  received_day: Timestamp;
  retention_days: number;
  series: number;
}

interface EventInbox {
  attempts: Defaulted<number>;
  channel: string;
  event_id: string;
  key_id: string;
  organization_id: Defaulted<string>;
  received_at: Timestamp;
  retention_days: number;
  sequence: Defaulted<number>;
  system_id: string;
}

interface EventSeries {
  channel: string;
  id: Defaulted<number>;
  kind: string;
  organization_id: Defaulted<string>;
  system_id: string;
}

interface EventSeriesKeys {
  key_id: string;
  organization_id: Defaulted<string>;
  series: number;
}

interface Events {
  channel: EventChannel;
  id: string;
  key_id: string;
  kind: string;
  occurred_at: Timestamp;
  organization_id: Defaulted<string>;
  payload: Json<unknown>;
  received_at: Timestamp;
  retention_days: number;
  series_hash: Computed<number>;
  system_id: string;
}

interface Evidence {
  bytes: number;
  created_at: Defaulted<Timestamp>;
  created_by: string;
  id: Defaulted<string>;
  kind: 'controls' | 'scan' | 'file';
  master_key_id: string;
  media_type: string;
  name: string;
  organization_id: Defaulted<string>;
  retained_until: Computed<Timestamp>;
  scan_id: string | null;
  sha256: Buffer;
  wrapped_key: Buffer;
}

interface EvidencePieces {
  ciphertext: Buffer;
  evidence_id: string;
  number: number;
  organization_id: Defaulted<string>;
}

interface FindingComments {
  author_id: string;
  body: string;
  created_at: Defaulted<Timestamp>;
  edited_at: Timestamp | null;
  finding_id: string;
  id: Defaulted<string>;
  organization_id: Defaulted<string>;
}

interface FindingDecisions {
  accepted_until: Timestamp | null;
  actor_id: string;
  actor_kind: string;
  decided_at: Defaulted<Timestamp>;
  decision: 'accepted' | 'false_positive' | 'reopened' | 'expired';
  finding_id: string;
  number: number;
  organization_id: Defaulted<string>;
  reason: string | null;
  severity_rank: number | null;
}

interface FindingEdits {
  actor_id: string;
  actor_kind: string;
  due_on: Date | null;
  edit: 'owner' | 'due' | 'left';
  edited_at: Defaulted<Timestamp>;
  finding_id: string;
  id: Defaulted<number>;
  organization_id: Defaulted<string>;
  owner_id: string | null;
}

interface FindingEpisodes {
  closed_at: Timestamp | null;
  closed_by_scan: string | null;
  finding_id: string;
  number: number;
  opened_at: Defaulted<Timestamp>;
  opened_by_scan: string;
  organization_id: Defaulted<string>;
}

interface FindingMentions {
  comment_id: string;
  mentioned_at: Defaulted<Timestamp>;
  organization_id: Defaulted<string>;
  person_id: string;
}

interface FindingViews {
  created_at: Defaulted<Timestamp>;
  filters: Json<FindingView['filters']>;
  id: Defaulted<string>;
  name: string;
  organization_id: Defaulted<string>;
  person_id: string;
  shared: Defaulted<boolean>;
}

interface Findings {
  accepted_until: Timestamp | null;
  category: string;
  created_at: Defaulted<Timestamp>;
  due_on: Date | null;
  fingerprint: string;
  hipaa: boolean;
  id: Defaulted<string>;
  last_seen_at: Defaulted<Timestamp>;
  locator: string;
  observed: Defaulted<boolean>;
  opened_at: Computed<Timestamp>;
  organization_id: Defaulted<string>;
  owner_id: string | null;
  remediation: string;
  reopened_at: Timestamp | null;
  search_text: Computed<string>;
  seen: string;
  severity: Severity;
  severity_rank: Computed<number>;
  source_id: string;
  status: Computed<FindingStatus>;
  subject: string | null;
  system_id: string;
  title: string;
  triage: 'accepted' | 'false_positive' | null;
  updated_at: Defaulted<Timestamp>;
}

interface IdempotentRequests {
  answer: Buffer | null;
  created_at: Defaulted<Timestamp>;
  key_hash: Buffer;
  organization_id: Defaulted<string>;
  person_id: string;
  request_hash: Buffer;
  status: number | null;
}

interface Inventory {
  dismissed_at: Timestamp | null;
  first_seen_at: Defaulted<Timestamp>;
  host: string;
  kind: SourceKind;
  last_seen_at: Defaulted<Timestamp>;
  organization_id: Defaulted<string>;
  probe_id: string | null;
  source_id: string | null;
  system_id: string;
  via: InventoryItem['via'];
}

interface Invitations {
  accepted_at: Timestamp | null;
  created_at: Defaulted<Timestamp>;
  declined_at: Timestamp | null;
  email: string;
  expires_at: Timestamp;
  id: Defaulted<string>;
  invited_by: string | null;
  organization_id: Defaulted<string>;
  revoked_at: Timestamp | null;
  role: 'member' | 'admin' | 'owner';
  token_hash: Buffer;
}

interface KnownDevices {
  created_at: Defaulted<Timestamp>;
  last_used_at: Defaulted<Timestamp>;
  person_id: string;
  token_hash: Buffer;
}

interface LastScans {
  created_at: Timestamp;
  finished_at: Timestamp | null;
  of_system: boolean;
  organization_id: Defaulted<string>;
  scan_id: string;
  status: string;
  target_id: string;
}

interface Memberships {
  former_name: string | null;
  joined_at: Defaulted<Timestamp>;
  left_at: Timestamp | null;
  organization_id: Defaulted<string>;
  person_id: string;
  previous_visit_at: Timestamp | null;
  role: 'member' | 'admin' | 'owner';
  visited_at: Timestamp | null;
}

interface Nodes {
  connections: number | null;
  host: string;
  id: string;
  role: 'all' | 'api' | 'worker';
  seen_at: Defaulted<Timestamp>;
  started_at: Timestamp;
  version: string;
}

interface Notices {
  created_at: Defaulted<Timestamp>;
  id: Defaulted<string>;
  kind: NoticeKind;
  object_id: string | null;
  once: string | null;
  organization_id: Defaulted<string>;
  person_id: string | null;
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info' | null;
  waits: Defaulted<boolean>;
}

interface NotificationChannels {
  ciphertext: Buffer;
  created_at: Defaulted<Timestamp>;
  digest: Defaulted<'none' | 'daily' | 'weekly'>;
  digested_until: Defaulted<Timestamp>;
  format: 'slack' | 'teams' | 'mattermost' | 'google_chat' | 'discord';
  host: string;
  id: Defaulted<string>;
  kinds: NoticeKind[];
  master_key_id: string;
  name: string;
  next_digest_at: Timestamp | null;
  organization_id: Defaulted<string>;
  severity: Defaulted<'critical' | 'high' | 'medium' | 'low'>;
  time_zone: Defaulted<string>;
  wrapped_key: Buffer;
}

interface NotificationSettings {
  digest: Defaulted<'none' | 'daily' | 'weekly'>;
  digested_until: Defaulted<Timestamp>;
  kinds: NoticeKind[];
  next_digest_at: Timestamp | null;
  organization_id: Defaulted<string>;
  person_id: string;
  severity: Defaulted<'critical' | 'high' | 'medium' | 'low'>;
}

interface OneTimeLinks {
  created_at: Defaulted<Timestamp>;
  expires_at: Timestamp;
  person_id: string | null;
  purpose: 'set_up' | 'password';
  token_hash: Buffer;
  used_at: Timestamp | null;
}

interface OrganizationDeletions {
  deleted_at: Defaulted<Timestamp>;
  id: string;
  logged_at: Timestamp | null;
}

interface Organizations {
  created_at: Defaulted<Timestamp>;
  deleted_at: Timestamp | null;
  due_days_critical: Defaulted<number | null>;
  due_days_high: Defaulted<number | null>;
  due_days_low: Defaulted<number | null>;
  due_days_medium: Defaulted<number | null>;
  erasing_since: Timestamp | null;
  event_retention_days: Defaulted<7 | 30 | 90 | 180 | 365>;
  id: Defaulted<string>;
  name: string;
  scan_retention_applies_at: Defaulted<Timestamp>;
  scan_retention_days: Defaulted<30 | 90 | 180 | 365 | 730 | 2190 | null>;
}

interface Outbox {
  attempts: Defaulted<number>;
  channel_id: string | null;
  created_at: Defaulted<Timestamp>;
  error: string | null;
  id: Defaulted<string>;
  organization_id: Defaulted<string>;
  period_from: Timestamp | null;
  person_id: string | null;
  purpose: 'alert' | 'digest' | 'test' | 'code';
  ready_at: Defaulted<Timestamp>;
  sent_at: Timestamp | null;
  state: Defaulted<'waiting' | 'sending' | 'sent' | 'empty' | 'failed'>;
  unsubscribe_hash: Buffer | null;
}

interface OutboxNotices {
  message_id: string;
  notice_id: string;
  organization_id: Defaulted<string>;
}

interface Passkeys {
  created_at: Defaulted<Timestamp>;
  credential_id: string;
  id: Defaulted<string>;
  last_used_at: Timestamp | null;
  name: string;
  origin: string | null;
  person_id: string;
  public_key: Buffer;
  sign_count: number;
  transports: string[];
}

interface PendingAuditEntries {
  action: string;
  actor_id: string;
  actor_kind: string;
  address: string | null;
  detail: Json<unknown>;
  id: Defaulted<number>;
  object_id: string;
  object_kind: string;
  occurred_at: Defaulted<Timestamp>;
  organization_id: Defaulted<string>;
}

interface PendingIdentities {
  created_at: Defaulted<Timestamp>;
  email: string | null;
  expires_at: Timestamp;
  issuer: string;
  name: string | null;
  purpose: 'sign_in' | 'link' | 'step_up';
  session_id: string | null;
  subject: string;
  token_hash: Buffer;
}

interface People {
  created_at: Defaulted<Timestamp>;
  email: string;
  email_verified_at: Timestamp | null;
  id: Defaulted<string>;
  invited_by: string | null;
  name: string;
  password_changed_at: Timestamp | null;
  password_hash: string | null;
}

interface PersonIdentities {
  created_at: Defaulted<Timestamp>;
  email: string | null;
  followed_at: Timestamp | null;
  id: Defaulted<string>;
  issuer: string;
  person_id: string;
  subject: string;
}

interface PersonPreferences {
  code_email: string | null;
  code_expires_at: Timestamp | null;
  code_hash: Buffer | null;
  code_tries: Defaulted<number>;
  confirmed_email: string | null;
  person_id: string;
  quiet_except_critical: Defaulted<boolean>;
  quiet_from: number | null;
  quiet_until: number | null;
  time_zone: Defaulted<string>;
}

interface PostureScores {
  critical: number;
  day: Date;
  high: number;
  info: number;
  low: number;
  medium: number;
  organization_id: Defaulted<string>;
  recorded_at: Defaulted<Timestamp>;
  score: number | null;
  sources: number;
}

interface ProbeAssessments {
  assessment_id: string;
  key_id: string | null;
  organization_id: Defaulted<string>;
  probe_id: string;
  probe_version: string;
  received_at: Defaulted<Timestamp>;
  scan_id: string;
  source_id: string;
}

interface ProbeKeys {
  key_id: string;
  organization_id: Defaulted<string>;
  probe_id: string;
}

interface ProbeTargets {
  checked_at: Timestamp | null;
  dropped_at: Timestamp | null;
  error_code: TestError | null;
  every_seconds: number;
  latency_ms: number;
  name: string;
  organization_id: Defaulted<string>;
  probe_id: string;
  reported_at: Timestamp;
  silent: Defaulted<boolean>;
  source_id: string;
  state: SourceReport['state'];
}

interface Probes {
  dropped: Defaulted<number>;
  first_seen_at: Defaulted<Timestamp>;
  id: Defaulted<string>;
  ignored: Defaulted<number>;
  ignored_at: Timestamp | null;
  ignored_reason: string | null;
  instance: string;
  interval_seconds: number;
  key_id: string;
  last_seen_at: Defaulted<Timestamp>;
  name: string;
  organization_id: Defaulted<string>;
  removed_at: Timestamp | null;
  reported_at: Timestamp;
  returned_at: Timestamp | null;
  set_aside: number;
  silent_since: Timestamp | null;
  spool_bytes: number;
  spool_events: number;
  spool_oldest_at: Timestamp | null;
  started_at: Timestamp;
  system_id: string;
  version: string;
}

interface Releases {
  prepared_at: Defaulted<Timestamp>;
  version: string;
}

interface RequestAdmissions {
  admitted_at: Date[];
  organization_id: Defaulted<string>;
  subject: string;
}

interface RequestNonces {
  key_id: string;
  nonce: string;
  organization_id: Defaulted<string>;
  slot: number;
}

interface RetentionTurns {
  canceled: Defaulted<number>;
  completed: Defaulted<number>;
  day: Date;
  ended: boolean;
  failed: Defaulted<number>;
  organization_id: Defaulted<string>;
  scan_created_at: Timestamp;
  scan_id: string;
}

interface RoleLogins {
  password: string;
  role: string;
}

interface ScanRuns {
  cause: RunCause | null;
  detector: string;
  finished_at: Timestamp | null;
  id: Defaulted<string>;
  organization_id: Defaulted<string>;
  process_deaths: Defaulted<number>;
  scan_id: string;
  source_id: string;
  started_at: Timestamp | null;
  status: Defaulted<RunStatus>;
}

interface Scans {
  created_at: Defaulted<Timestamp>;
  failure_cause: string | null;
  finding_id: string | null;
  finished_at: Timestamp | null;
  id: Defaulted<string>;
  idempotency_key: string;
  is_own: Defaulted<boolean>;
  is_requested: Defaulted<boolean>;
  organization_id: Defaulted<string>;
  profile: Scan['profile'];
  runs_planned: Defaulted<number>;
  runs_succeeded: Defaulted<number>;
  source_id: string | null;
  sources: Defaulted<number>;
  started_at: Timestamp | null;
  status: Defaulted<Scan['status']>;
  system_id: string | null;
  verdict: Verdict | null;
}

interface SchemaMigrations {
  applied_at: Defaulted<Timestamp>;
  checksum: string;
  name: string;
  oldest: number | null;
  version: number;
}

interface Sessions {
  address: string;
  challenge: string | null;
  challenge_expires_at: Timestamp | null;
  created_at: Defaulted<Timestamp>;
  ended_at: Timestamp | null;
  expires_at: Timestamp;
  id: Defaulted<string>;
  identity_id: string | null;
  last_seen_at: Defaulted<Timestamp>;
  person_id: string;
  renewals: Defaulted<number>;
  second_factor_at: Timestamp | null;
  stepped_up_at: Timestamp | null;
  token_hash: Buffer;
  user_agent: string;
  vouched_email: string | null;
}

interface ShieldAlerts {
  alert: number;
  created_at: Timestamp;
  events: number;
  forwarder_id: string;
  network: string | null;
  organization_id: Defaulted<string>;
  scenario: string;
  scope: ShieldAlert['scope'];
  simulated: boolean;
  start_at: Timestamp;
  stop_at: Timestamp;
}

interface ShieldBlocks {
  authenticated: number;
  blocked: number;
  day: Date;
  network: string;
  organization_id: Defaulted<string>;
  path: string;
  rule: string;
  source_id: string;
}

interface ShieldDays {
  blocked: number;
  day: Date;
  detected: number;
  organization_id: Defaulted<string>;
  source_id: string;
}

interface ShieldDecisions {
  decided_at: Timestamp;
  decision: number;
  ends_at: Timestamp;
  forwarder_id: string;
  network: string | null;
  organization_id: Defaulted<string>;
  origin: ShieldDecision['origin'];
  scenario: string;
  scope: ShieldDecision['scope'];
  type: ShieldDecision['type'];
}

interface ShieldFirewalls {
  engine: FirewallEngine;
  forwarder_id: string;
  interval_seconds: number;
  judged_malformed: Defaulted<number>;
  judged_records: Defaulted<number>;
  lag_bytes: number | null;
  last_record_at: Timestamp | null;
  last_seen_at: Timestamp;
  malformed: number | null;
  mode: FirewallMode;
  organization_id: Defaulted<string>;
  problem: FirewallProblem | null;
  records: number | null;
  reported_at: Timestamp;
  rule_set: string | null;
  rule_set_version: string | null;
  started_at: Timestamp;
  too_long: number | null;
  version: string | null;
}

interface ShieldForwarders {
  active_decisions: Json<ActiveDecisions> | null;
  decisions_at: Timestamp | null;
  dropped: Defaulted<number>;
  first_seen_at: Defaulted<Timestamp>;
  id: Defaulted<string>;
  ignored: Defaulted<number>;
  ignored_at: Timestamp | null;
  ignored_reason: string | null;
  instance: string;
  key_id: string;
  last_seen_at: Timestamp;
  name: string;
  organization_id: Defaulted<string>;
  reported_at: Timestamp;
  system_id: string;
  version: string;
}

interface ShieldHours {
  attack: AttackClass;
  blocked: number;
  detected: number;
  hour: Timestamp;
  organization_id: Defaulted<string>;
  source_id: string;
}

interface ShieldSourceFirewalls {
  engine: FirewallEngine;
  forwarder_id: string;
  last_request_at: Timestamp;
  organization_id: Defaulted<string>;
  source_id: string;
}

interface ShieldTops {
  blocked: number;
  day: Date;
  detected: number;
  kind: 'rule' | 'path' | 'network';
  label: string | null;
  organization_id: Defaulted<string>;
  source_id: string;
  value: string;
}

interface Shields {
  assess_at: Defaulted<Timestamp>;
  organization_id: Defaulted<string>;
  outcome: string | null;
  source_id: string;
  turned_on_at: Defaulted<Timestamp>;
  turned_on_by: string;
}

interface SignInAttempts {
  blocked_until: Timestamp;
  failures: number;
  last_attempt_at: Timestamp;
  subject: Buffer;
}

interface SourceAssessments {
  organization_id: Defaulted<string>;
  seen_at: Timestamp | null;
  source_id: string;
}

interface SourceChanges {
  area: string;
  change: string;
  event_id: string;
  key_id: string | null;
  name: string;
  occurred_at: Timestamp;
  organization_id: Defaulted<string>;
  place: number;
  source_id: string;
}

interface SourceChecks {
  check_ids: string[];
  looked_at: Date[];
  organization_id: Defaulted<string>;
  outcomes: string[];
  reasons: string[];
  scan_ids: string[];
  source_id: string;
}

interface SourceCredentials {
  ciphertext: Buffer;
  master_key_id: string;
  organization_id: Defaulted<string>;
  source_id: string;
  stored_at: Defaulted<Timestamp>;
  type: Credential['type'];
  wrapped_key: Buffer;
}

interface SourceLocators {
  id: Defaulted<number>;
  locators: string;
  organization_id: Defaulted<string>;
  source_id: string;
}

interface SourcePostures {
  critical: number;
  high: number;
  info: number;
  low: number;
  medium: number;
  organization_id: Defaulted<string>;
  source_id: string;
}

interface Sources {
  connection_mode: ConnectionMode;
  created_at: Defaulted<Timestamp>;
  host: string;
  id: Defaulted<string>;
  kind: SourceKind;
  name: string;
  organization_id: Defaulted<string>;
  risk_accepted_at: Timestamp | null;
  risk_statement_version: string | null;
  scan_authorized_at: Timestamp | null;
  status: Defaulted<SourceStatus>;
  system_id: string;
}

interface SpentChallenges {
  challenge_hash: Buffer;
  expires_at: Timestamp;
}

interface Systems {
  approved: Defaulted<boolean>;
  created_at: Defaulted<Timestamp>;
  environment: System['environment'];
  external_id: string | null;
  id: Defaulted<string>;
  kind: System['kind'];
  name: string;
  organization_id: Defaulted<string>;
}

interface TotpFactors {
  ciphertext: Buffer;
  confirmed: boolean;
  created_at: Defaulted<Timestamp>;
  last_step: Defaulted<number>;
  master_key_id: string;
  person_id: string;
  wrapped_key: Buffer;
}

interface ViewAlerts {
  organization_id: Defaulted<string>;
  person_id: string;
  view_id: string;
}

interface Watches {
  every_hours: 1 | 6 | 12 | 24 | 168;
  last_scan_id: string | null;
  next_scan_at: Timestamp;
  organization_id: Defaulted<string>;
  source_id: string;
  turned_on_at: Defaulted<Timestamp>;
  turned_on_by: string;
}

/** All tables and views of the database. */
export interface Schema {
  api_keys: ApiKeys;
  attestation_evidence: AttestationEvidence;
  audit_entries: AuditEntries;
  audit_heads: AuditHeads;
  backup_codes: BackupCodes;
  backups: Backups;
  change_counts: ChangeCounts;
  check_assessments: CheckAssessments;
  check_count_changes: CheckCountChanges;
  check_count_deltas: CheckCountDeltas;
  check_counts: CheckCounts;
  check_sources: CheckSources;
  check_titles: CheckTitles;
  control_attestations: ControlAttestations;
  control_notes: ControlNotes;
  data_versions: DataVersions;
  domain_proofs: DomainProofs;
  event_count_deltas: EventCountDeltas;
  event_counts: EventCounts;
  event_inbox: EventInbox;
  event_series: EventSeries;
  event_series_keys: EventSeriesKeys;
  events: Events;
  evidence: Evidence;
  evidence_pieces: EvidencePieces;
  finding_comments: FindingComments;
  finding_decisions: FindingDecisions;
  finding_edits: FindingEdits;
  finding_episodes: FindingEpisodes;
  finding_mentions: FindingMentions;
  finding_views: FindingViews;
  findings: Findings;
  idempotent_requests: IdempotentRequests;
  inventory: Inventory;
  invitations: Invitations;
  known_devices: KnownDevices;
  last_scans: LastScans;
  memberships: Memberships;
  nodes: Nodes;
  notices: Notices;
  notification_channels: NotificationChannels;
  notification_settings: NotificationSettings;
  one_time_links: OneTimeLinks;
  organization_deletions: OrganizationDeletions;
  organizations: Organizations;
  outbox: Outbox;
  outbox_notices: OutboxNotices;
  passkeys: Passkeys;
  pending_audit_entries: PendingAuditEntries;
  pending_identities: PendingIdentities;
  people: People;
  person_identities: PersonIdentities;
  person_preferences: PersonPreferences;
  posture_scores: PostureScores;
  probe_assessments: ProbeAssessments;
  probe_keys: ProbeKeys;
  probe_targets: ProbeTargets;
  probes: Probes;
  releases: Releases;
  request_admissions: RequestAdmissions;
  request_nonces: RequestNonces;
  retention_turns: RetentionTurns;
  role_logins: RoleLogins;
  scan_runs: ScanRuns;
  scans: Scans;
  schema_migrations: SchemaMigrations;
  sessions: Sessions;
  shield_alerts: ShieldAlerts;
  shield_blocks: ShieldBlocks;
  shield_days: ShieldDays;
  shield_decisions: ShieldDecisions;
  shield_firewalls: ShieldFirewalls;
  shield_forwarders: ShieldForwarders;
  shield_hours: ShieldHours;
  shield_source_firewalls: ShieldSourceFirewalls;
  shield_tops: ShieldTops;
  shields: Shields;
  sign_in_attempts: SignInAttempts;
  source_assessments: SourceAssessments;
  source_changes: SourceChanges;
  source_checks: SourceChecks;
  source_credentials: SourceCredentials;
  source_locators: SourceLocators;
  source_postures: SourcePostures;
  sources: Sources;
  spent_challenges: SpentChallenges;
  systems: Systems;
  totp_factors: TotpFactors;
  view_alerts: ViewAlerts;
  watches: Watches;
}
