import type { Privileges } from './catalog-privileges.ts';

/**
 * All privileges of the service's database roles. Add a new table, function or grant here only if a statement needs it.
 */
export const expectedPrivileges: Privileges = {
  app: {
    database: 'connect',
    'public.advance_data_version()': 'execute',
    'public.api_keys':
      'select(organization_id id kind system_id scopes created_at expires_at revoked_at last_used_at name allowed_addresses) insert(organization_id id kind system_id token_hash public_key scopes expires_at name allowed_addresses) update(expires_at revoked_at)',
    'public.append_audit()': 'execute',
    'public.append_pending_audit()': 'execute',
    'public.attestation_evidence': 'select insert(attestation_id evidence_id linked_by)',
    'public.audit_entries': 'select',
    'public.audit_heads': 'select',
    'public.check_assessments': 'select insert update(outcome reason scan_id looked_at)',
    'public.control_attestations':
      'select insert(control statement attested_by valid_until applies) update(withdrawn_at withdrawn_by withdrawal_reason)',
    'public.control_notes': 'select insert(control note written_by)',
    'public.domain_proofs':
      'select insert(organization_id source_id token) update(proven_by proven_at) delete',
    'public.event_inbox': 'select insert(channel system_id event_id) update(attempts) delete',
    'public.events': 'select insert(organization_id id channel system_id key_id kind occurred_at payload)',
    'public.evidence':
      'select insert(id kind name media_type bytes sha256 scan_id created_by master_key_id wrapped_key) update(master_key_id wrapped_key) delete',
    'public.evidence_pieces': 'select insert',
    'public.finding_decisions':
      'select insert(organization_id finding_id number decision reason accepted_until actor_kind actor_id severity_rank)',
    'public.finding_episodes': 'select insert update(closed_at closed_by_scan)',
    'public.finding_views': 'select insert update(name filters shared) delete',
    'public.findings':
      'select insert update(category fingerprint locator severity title remediation seen hipaa observed triage accepted_until updated_at last_seen_at subject)',
    'public.idempotent_requests': 'select insert(person_id key_hash request_hash) update(status answer)',
    'public.inventory': 'select insert update',
    'public.memberships': 'select update(visited_at previous_visit_at)',
    'public.organizations': 'select',
    'public.people': 'select(id email name)',
    'public.posture_scores': 'select insert update(score sources critical high medium low info recorded_at)',
    'public.probe_assessments': 'select insert',
    'public.probe_targets': 'select insert update delete',
    'public.probes': 'select insert update',
    'public.scan_runs': 'select insert update(status cause started_at finished_at process_deaths)',
    'public.scans':
      'select insert update(status verdict runs_planned runs_succeeded failure_cause started_at finished_at)',
    'public.send_jobs()': 'execute',
    'public.source_credentials':
      'select insert update(type master_key_id wrapped_key ciphertext stored_at) delete',
    'public.source_postures': 'select insert update(critical high medium low info) delete',
    'public.source_changes': 'select insert delete',
    'public.sources':
      'select insert update(status risk_statement_version risk_accepted_at scan_authorized_at)',
    'public.systems': 'select insert update(name environment kind approved)',
    'public.watches':
      'select insert update(every_hours next_scan_at last_scan_id turned_on_by turned_on_at) delete',
    'schema public': 'usage',
  },
  system: {
    database: 'connect',
    'pgboss.bam': 'select update',
    'pgboss.job': 'select insert update delete',
    'pgboss.job_common': 'select insert update delete',
    'pgboss.job_dependency': 'select insert update delete',
    'pgboss.queue': 'select update',
    'pgboss.queue_stats': 'select',
    'pgboss.queue_stats_DAY': 'select',
    'pgboss.schedule': 'select',
    'pgboss.subscription': 'select',
    'pgboss.version': 'select update',
    'pgboss.warning': 'select insert delete',
    'public.admit_requests()': 'execute',
    'public.api_keys': 'select update(last_used_at)',
    'public.append_audit()': 'execute',
    'public.audit_entries': 'select',
    'public.audit_heads': 'select',
    'public.backup_codes': 'select insert update(used_at) delete',
    'public.data_versions': 'select',
    'public.event_inbox': 'select(organization_id)',
    'public.evidence': 'select(organization_id master_key_id)',
    'public.findings': 'select(organization_id id triage accepted_until)',
    'public.idempotent_requests':
      'select(person_id created_at) insert(person_id key_hash request_hash) delete',
    'public.invitations': 'select insert update(expires_at accepted_at revoked_at declined_at)',
    'public.known_devices': 'select insert update(last_used_at) delete',
    'public.memberships': 'select insert update(role joined_at left_at visited_at previous_visit_at)',
    'public.one_time_links': 'select insert update(used_at) delete',
    'public.organizations': 'select insert(name)',
    'public.passkeys': 'select insert update(sign_count transports name last_used_at origin) delete',
    'public.people': 'select insert update(email name password_hash password_changed_at email_verified_at)',
    'public.pending_audit_entries': 'select(organization_id)',
    'public.pending_identities': 'select insert delete',
    'public.person_identities': 'select insert update(email followed_at) delete',
    'public.probes': 'select(organization_id id interval_seconds last_seen_at silent_since)',
    'public.record_audit()': 'execute',
    'public.request_admissions': 'select insert update(admitted_at)',
    'public.request_nonces': 'select insert',
    'public.request_nonces_0': 'select truncate',
    'public.request_nonces_1': 'select truncate',
    'public.request_nonces_2': 'select truncate',
    'public.schema_migrations': 'select',
    'public.sessions':
      'select insert update(token_hash address user_agent last_seen_at expires_at second_factor_at stepped_up_at challenge challenge_expires_at ended_at renewals) delete',
    'public.sign_in_attempts': 'select insert update(failures blocked_until last_attempt_at) delete',
    'public.source_credentials': 'select(organization_id master_key_id)',
    'public.spent_challenges': 'select insert delete',
    'public.totp_factors':
      'select insert update(confirmed master_key_id wrapped_key ciphertext last_step created_at) delete',
    'public.watches': 'select(organization_id source_id next_scan_at)',
    'schema pgboss': 'usage',
    'schema public': 'usage',
  },
};
