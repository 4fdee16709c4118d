import { describe, expect, it } from 'vitest';
import { mapChecks } from '../domain/control-checks.ts';
import { securityRule } from '../domain/security-rule.ts';
import { allDetectors } from './catalogue.ts';

const checks = allDetectors().flatMap(detector => detector.checks);

describe.each(checks.filter(({ safeguards }) => safeguards.length > 0))('$id', ({ safeguards, severity }) => {
  it('has a one-sentence reason for each safeguard', () => {
    for (const { citation, reason } of safeguards) {
      expect(citation).toMatch(/^164\.\d{3}(\([a-zA-Z0-9]+\))*$/);
      expect(reason).toMatch(/^[A-Z].{20,180}[^.]\.$/);
      expect(reason).not.toMatch(/\. /);
    }
    expect(new Set(safeguards.map(({ citation }) => citation)).size).toBe(safeguards.length);
  });

  it('has severity above info if it maps to a safeguard', () => {
    expect(severity).not.toBe('info');
  });
});

it('lets checks support exactly two safeguards, neither with separate specifications, and only lower all others', () => {
  const showing = [...mapChecks(allDetectors())].flatMap(([citation, mapped]) =>
    mapped
      .filter(({ effect }) => effect === 'shows')
      .map(({ check, surface }) => [citation, surface, check.id] as const),
  );
  const by = (citation: string, surface: string) =>
    showing.filter(([one, kind]) => one === citation && kind === surface).map(([, , id]) => id);
  const [authentication, encryption] = ['164.312(d)', '164.312(e)(2)(ii)'] as const;
  expect(new Set(showing.map(([citation]) => citation))).toEqual(new Set([authentication, encryption]));
  expect(by(encryption, 'website')).toEqual([
    'tls.certificate_expired',
    'tls.certificate_not_yet_valid',
    'tls.name_mismatch',
    'tls.certificate_untrusted',
    'tls.legacy_protocol',
    'transport.no_https',
    'transport.no_redirect',
  ]);
  expect(by(encryption, 'postgres')).toEqual([
    'postgres.ssl_off',
    'postgres.tls_minimum_old',
    'postgres.plaintext_allowed',
  ]);
  expect(by(encryption, 'mysql')).toEqual(['mysql.plaintext_allowed', 'mysql.tls_version_old']);
  expect(by(encryption, 'redis')).toEqual(['redis.plaintext_allowed', 'redis.tls_version_old']);
  expect(by(authentication, 'postgres')).toEqual([
    'postgres.password_encryption_weak',
    'postgres.hba_trust',
    'postgres.hba_password',
    'postgres.hba_md5',
    'postgres.md5_password',
  ]);
  expect(by(authentication, 'mysql')).toEqual([
    'mysql.password_empty',
    'mysql.anonymous_account',
    'mysql.authentication_plugin_old',
  ]);
  expect(by(authentication, 'redis')).toEqual(['redis.no_password', 'redis.user_no_password']);
  const standards = securityRule.flatMap(({ controls }) => controls.map(({ standard }) => standard));
  for (const citation of [authentication, encryption]) expect(standards).not.toContain(citation);
});
