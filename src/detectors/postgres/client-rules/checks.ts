import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { docs, rule } from '../fix.ts';

const hba = docs('auth-pg-hba-conf.html');
const scram = 'hostssl clinic app 10.1.0.0/16 scram-sha-256';
const unauthorized = (reason: string) => lowers(safeguards.accessControl, reason);

export const clientRulesChecks = {
  lineInvalid: {
    id: 'postgres.hba_line_invalid',
    title: 'A file for client authentication has invalid lines',
    severity: 'medium',
    why: 'The server keeps using the rules that it loaded before, so that later changes have no effect, and it does not start again with these lines.',
    fix: {
      advice:
        'Find the lines with `SELECT file_name, line_number, error FROM pg_hba_file_rules WHERE error IS NOT NULL;` (before version 16, without `file_name`), or in `pg_ident_file_mappings`. Correct them, then run `SELECT pg_reload_conf();`.',
    },
    references: [docs('view-pg-hba-file-rules.html'), docs('view-pg-ident-file-mappings.html')],
    safeguards: [unauthorized('Changes of who may connect have no effect.')],
  },
  wideNetwork: {
    id: 'postgres.hba_wide_network',
    title: 'A pg_hba.conf rule allows a wide public network',
    severity: 'low',
    why: 'The rule admits clients from far more addresses than an organization has, or from every host with a name in a domain, which reverse DNS can claim for any address.',
    fix: {
      advice: 'Name the addresses of the clients. If they change, use a VPN or client certificates (`cert`).',
      steps: [rule(scram, 'Replace the rule for the wide network.')],
    },
    references: [hba],
    safeguards: [unauthorized('Clients at many addresses of others can try to sign in.')],
  },
  everyone: {
    id: 'postgres.hba_every_role_and_database',
    title: 'A pg_hba.conf rule is for every role and every database',
    severity: 'low',
    why: 'Each new role and database is reachable from the network at once, and a leaked password of any role works for all databases that the role may use.',
    fix: {
      advice: 'Name the databases and the roles that clients on the network use, or a group (`+group`).',
      steps: [rule(scram, 'Replace the rule.')],
    },
    references: [hba],
    safeguards: [unauthorized('Roles that no one meant to allow on the network can sign in from there.')],
  },
  replication: {
    id: 'postgres.hba_replication_open',
    title: 'A pg_hba.conf rule lets every role replicate from another machine',
    severity: 'medium',
    why: 'Replication copies the whole cluster. Any role that gets REPLICATION, also by mistake, can do so from each address of the rule.',
    fix: {
      advice: 'Name the replication role and the addresses of the standbys.',
      steps: [
        rule(
          'hostssl replication replicator 10.1.0.12/32 scram-sha-256',
          'Replace the rule for replication.',
          { replace: { replicator: 'the replication role', '10.1.0.12/32': 'the standby’s address' } },
        ),
      ],
    },
    references: [hba, docs('warm-standby.html#STREAMING-REPLICATION-AUTHENTICATION')],
    safeguards: [unauthorized('Any role with REPLICATION can copy all data from the network.')],
  },
  external: {
    id: 'postgres.hba_external_unprotected',
    title: 'A pg_hba.conf rule trusts an unprotected authentication service',
    severity: 'medium',
    why: 'Without TLS to the LDAP server, passwords cross the network in clear text. RADIUS protects them with MD5 only. Without the realm, users of every Kerberos realm that the server trusts count as the same user.',
    fix: {
      advice:
        'For LDAP use `ldaps` or `ldaptls=1`, for Kerberos remove `include_realm=0`. Replace RADIUS by LDAP over TLS, certificates or SCRAM.',
      steps: [
        rule(
          'hostssl clinic app 10.1.0.0/16 ldap ldapscheme=ldaps ldapserver=ldap.example.com ldapprefix="uid=" ldapsuffix=",ou=people,dc=example,dc=com"',
          'Replace the rule.',
          {
            replace: {
              clinic: 'the database',
              app: 'the role',
              '10.1.0.0/16': 'the clients’ network',
              'ldap.example.com': 'the LDAP server',
              '",ou=people,dc=example,dc=com"': 'where users are',
            },
          },
        ),
      ],
    },
    references: [docs('auth-ldap.html'), docs('auth-radius.html'), docs('gssapi-auth.html')],
    safeguards: [
      lowers(
        safeguards.passwordManagement,
        'Passwords or identities reach the server over an unprotected connection.',
      ),
    ],
  },
  identMap: {
    id: 'postgres.ident_map_wide',
    title: 'A user name map lets every system user become a role',
    severity: 'high',
    why: 'The pattern matches every name, so everyone whom the operating system, Kerberos or a certificate authority knows can connect as this role.',
    fix: {
      advice:
        'In pg_ident.conf, name the system users, or end the pattern with your realm or domain and map each user to the role of the same name (`\\1`). Then run `SELECT pg_reload_conf();`.',
    },
    references: [docs('auth-username-maps.html')],
    safeguards: [unauthorized('Everyone with an account elsewhere can use the role.')],
  },
} as const satisfies Record<string, Check>;
