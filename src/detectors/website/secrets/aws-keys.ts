import { secretsChecks } from './checks.ts';
import { looksGenuine } from './genuine.ts';
import { signsRequest } from './providers/cloud.ts';
import { around, type SecretRule, type Verdict } from './rule.ts';

/** Presigned AWS URLs and forms contain the key's ID without its secret, which is not a leak. */
const credentialScope = /^(?:\/|\\\/|%2F|&#x2f;)\d{8}(?:\/|\\\/|%2F|&#x2f;)/i;

function isForSigning(match: RegExpExecArray): boolean {
  const end = match.index + match[0].length;
  return (
    credentialScope.test(match.input.slice(end, end + 30)) ||
    signsRequest.test(match.input.slice(Math.max(0, match.index - 200), match.index)) ||
    /["'&;](?:x-amz-)?(?:signature|policy)["'=]/i.test(match.input.slice(end, end + 600))
  );
}

/** A secret access key: 40 characters of base64 that are neither a hexadecimal hash nor a path. */
function hasAwsSecret(match: RegExpExecArray): boolean {
  const text = around(match, 300).replaceAll('\\/', '/');
  for (const [candidate] of text.matchAll(/(?<![0-9A-Za-z/+=])[0-9A-Za-z/+]{40}(?![0-9A-Za-z/+=])/g)) {
    const isMixed = /[a-z]/.test(candidate) && /[A-Z]/.test(candidate) && /\d/.test(candidate);
    if (isMixed && new Set(candidate).size >= 20 && looksGenuine(candidate)) return true;
  }
  return false;
}

const temporary: Verdict = {
  name: 'temporary AWS credentials with their secret, which are valid for up to 36 hours',
  severity: 'high',
};

export const awsKeys: readonly SecretRule[] = [
  {
    kind: 'aws-key-pair',
    name: 'an AWS access key with its secret',
    check: secretsChecks.cloudKey,
    severity: 'critical',
    anchors: ['AKIA', 'ASIA'],
    pattern: /A[KS]IA(?<random>[A-Z2-7]{16})(?![0-9A-Za-z])/y,
    hasPartner: true,
    accepts: match => hasAwsSecret(match) && (match[0].startsWith('AKIA') || temporary),
    looksAround: true,
  },
  {
    kind: 'aws-key-id',
    name: 'the ID of an AWS access key',
    check: secretsChecks.cloudKey,
    anchors: ['AKIA', 'ABIA', 'ACCA'],
    pattern: /A(?:KI|BI|CC)A(?<random>[A-Z2-7]{16})(?![0-9A-Za-z])/y,
    accepts: match => !isForSigning(match),
    looksAround: true,
  },
];
