import { secretsChecks } from './checks.ts';
import { enclosing, type Reading, type SecretRule, type Verdict } from './rule.ts';

const check = secretsChecks.cloudKey;
const day = 86_400_000;

/** The parameters of a signature, decoded. */
function parametersOf(text: string): ReadonlyMap<string, string> {
  const all = text.matchAll(/(?:^|[?&;\s"'])(?:amp;)?([a-z]{2,3})=([^&;\s"'<>\\]{1,200})/g);
  return new Map([...all].map(([, name = '', value = '']) => [name, decode(value)]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * What a shared access signature allows. One that only reads a single file, or expires within days, is how files are shared on
 * purpose, like a presigned URL.
 */
function judgeSignature(match: RegExpExecArray, { now }: Reading): Verdict | boolean {
  const text = enclosing(match, 500, ' \t\r\n"\'`<>');
  const parameters = parametersOf(text);
  const expiry = parameters.get('se') ?? '';
  const expires = /^\d{9,11}$/.test(expiry) ? Number(expiry) * 1_000 : Date.parse(expiry);
  if (Number.isNaN(expires)) return false;
  const rights = parameters.get('sp') ?? '';
  const isMessaging = parameters.has('skn') || text.includes('SharedAccessSignature');
  if (!isMessaging && !(parameters.has('sv') && parameters.has('sp'))) return false;
  if (now !== null && expires < now + 7 * day) return false;
  const writes = /[acwdx]/.test(rights);
  const isWide = /^[cds]$/.test(parameters.get('sr') ?? '') || parameters.has('ss') || isMessaging;
  if (!writes && !isWide) return false;
  const until = new Date(expires).toISOString().slice(0, 10);
  const what = isMessaging
    ? 'use a messaging service'
    : writes
      ? 'change files'
      : 'read all files of a container';
  return {
    name: `an Azure shared access signature that allows anyone to ${what} until ${until}`,
    severity: writes || isMessaging ? 'high' : 'medium',
  };
}

export const azureKeys: readonly SecretRule[] = [
  {
    kind: 'azure-account-key',
    name: 'the key of an Azure storage account',
    check,
    severity: 'critical',
    anchors: ['AccountKey='],
    // The first is the storage emulator's fixed key, the second that of Cosmos DB's.
    pattern:
      /AccountKey=(?!Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1|C2y6yDjf5\/R)(?<random>[0-9A-Za-z+/\\]{86,100})==/y,
  },
  {
    kind: 'azure-access-key',
    name: 'a shared access key of an Azure service',
    check,
    anchors: ['SharedAccessKey='],
    pattern: /SharedAccessKey=(?<random>[0-9A-Za-z+/\\]{43,50})=/y,
  },
  {
    kind: 'azure-app-configuration',
    name: 'a connection string of Azure App Configuration',
    check,
    anchors: ['.azconfig.io;Id='],
    within: true,
    pattern: /\.azconfig\.io;Id=[\w+/:=.-]{8,60};Secret=(?<random>[\w+/]{36,90}={0,2})/y,
  },
  {
    kind: 'azure-client-secret',
    name: 'a client secret of Microsoft Entra ID',
    check,
    anchors: ['Q~'],
    within: true,
    pattern: /(?<=(?<![\w.~-])[\w.~-]{3}\d)Q~(?<random>[\w.~-]{31,34})(?![\w.~-])/y,
  },
  {
    kind: 'azure-sas-token',
    name: 'an Azure shared access signature',
    check,
    anchors: ['sig='],
    pattern: /sig=(?<random>[\w%+/-]{40,160}(?:%3D|=)?)/y,
    looksAround: true,
    accepts: judgeSignature,
  },
];
