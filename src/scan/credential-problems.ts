import type { FieldError } from '../contract/errors.ts';
import type { Credential, SourceKind } from '../contract/sources.ts';
import { ConnectionFailed } from '../surfaces/connection/connection-failed.ts';
import { type DsnForm, mysqlForm, parseDsn, postgresForm, redisForm } from '../surfaces/connection/dsn.ts';
import { isAnonymousKey, isHeaderValue } from '../surfaces/supabase/keys.ts';
import { parseProjectUrl } from '../surfaces/supabase/origin.ts';
import { isBasicUsername, isReservedHeader } from '../surfaces/website/credential-form.ts';

/**
 * Why a credential cannot work with any target: the surfaces would refuse its format at every connection.
 * Empty if its format is valid. No part of the credential is repeated. Its type must fit the kind.
 */
export function credentialProblems(kind: SourceKind, credential: Credential): FieldError[] {
  return problemsOf(kind, credential).map(([field, message]) => ({ path: `credential.${field}`, message }));
}

type Problem = readonly [field: string, message: string];

const dsnForms: Partial<Record<SourceKind, DsnForm>> = { mysql: mysqlForm, redis: redisForm };

function problemsOf(kind: SourceKind, credential: Credential): Problem[] {
  switch (credential.type) {
    case 'basic':
      return problemsWhere(
        [!isBasicUsername(credential.username), 'username', 'must not contain a colon (RFC 7617)'],
        [hasControls(credential.username), 'username', 'must not contain control characters (RFC 7617)'],
        [hasControls(credential.password), 'password', 'must not contain control characters (RFC 7617)'],
      );
    case 'header':
      return problemsWhere([
        isReservedHeader(credential.name),
        'name',
        'must not be a header that HTTP or the scan sets',
      ]);
    case 'dsn': {
      const form = dsnForms[kind] ?? postgresForm;
      const [database, options] = form.numberedDatabases
        ? ['0', 'redis:// connects without TLS']
        : ['database', 'the only option is ?sslmode='];
      const message = `must be ${form.schemes[0]}://user:password@host:${form.defaultPort}/${database}, with special characters percent-encoded; ${options}`;
      return problemsWhere([!fits(() => parseDsn(credential.dsn, form)), 'dsn', message]);
    }
    case 'service_role': {
      const { url, key, anon_key } = credential;
      return problemsWhere(
        [!fits(() => parseProjectUrl(url)), 'url', 'must be the https URL of the project, without a path'],
        [!isHeaderValue(key), 'key', 'must be the key alone, in ASCII without spaces'],
        [
          typeof anon_key === 'string' && !isAnonymousKey(anon_key),
          'anon_key',
          'must be the anon or publishable key of the project',
        ],
      );
    }
  }
}

function problemsWhere(...cases: readonly (readonly [is: boolean, ...problem: Problem])[]): Problem[] {
  return cases.filter(([is]) => is).map(([, ...problem]) => problem);
}

/** Whether a surface accepts it. */
function fits(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    if (error instanceof ConnectionFailed) return false;
    throw error;
  }
}

const hasControls = (text: string) => /[\u0000-\u001f\u007f]/.test(text);
