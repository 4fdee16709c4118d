import { secretsChecks } from './checks.ts';
import { isGenuineLogin, looksGenuine } from './genuine.ts';
import { enclosing, type SecretRule } from './rule.ts';

const { databaseUrl, urlPassword, apiToken } = secretsChecks;

/** Schemes of connection strings, without the driver that SQLAlchemy adds after a `+`. */
const databases =
  /^(?:postgres(?:ql)?|pgsql|mysql2?|mysqlx|mariadb|mongodb|rediss?|valkeys?|amqps?|mssql|sqlserver|clickhouses?|cockroach(?:db)?|oracle|db2|snowflake|redshift|trino|presto|vertica|neo4j|bolt|cassandra|couchbases?|couchdbs?|influxdb|libsql|nats|hana|teradata|firebird|questdb|opensearch|elasticsearch)$/;
const services =
  /^(?:https?|ftps?|sftp|smtps?|submission|ssh|git|svn|rsync|imaps?|pop3s?|ldaps?|mqtts?|stomp|wss?|socks5h?|sips?|xmpp)$/;

/** The parts of a matched URL. Its scheme precedes the anchor. */
function loginOf(match: RegExpExecArray) {
  const before = match.input.slice(Math.max(0, match.index - 32), match.index);
  const [scheme = ''] =
    /(?<![\w+.-])[a-z][a-z\d]{1,14}(?:\+[a-z\d_]{1,15})?$/i.exec(before)?.[0].toLowerCase().split('+') ?? [];
  const { user = '', password = '', host = '' } = match.groups ?? {};
  return { scheme, user, password, host };
}

/** User, password and host of a URL, with plain slashes or escaped ones as in JSON. */
const login =
  /:(?:\/\/|\\\/\\\/)(?<user>[^\s"'`<>()@:/\\?#,]{0,80}):(?<password>[^\s"'`<>()@/\\?#]{4,150})@(?<host>[\w.-]{1,200}|\[[\da-f:.]{2,45}\])/y;
const schemeEnds = ['://', ':\\/\\/'];

/** The user and password of an Authorization header, if they are not those of RFC 7617 or RFC 6749. */
function isGenuineBasic(match: RegExpExecArray): boolean {
  const before = match.input.slice(Math.max(0, match.index - 60), match.index);
  if (!/authorization/i.test(before)) return false;
  const [, user = '', password = ''] =
    /^([\x21-\x39\x3b-\x7e]{2,80}):([\x20-\x7e]{8,150})$/.exec(
      Buffer.from(match.groups?.pair ?? '', 'base64').toString('latin1'),
    ) ?? [];
  return (
    password !== '' &&
    !/^open ?sesame$|^gX1fBat3bV$/i.test(password) &&
    isGenuineLogin(user, password, 'api.clinic.net')
  );
}

/** The value of a name in a connection string: `Server=…;User Id=…` or `host=… user=…`. */
const settingIn = (text: string, setting: RegExp): string => setting.exec(text)?.[1] ?? '';

const hostSetting =
  /(?:^|[;&?,\s"'`])(?:server|data ?source|host(?:name)?|addr(?:ess)?|network address|servername|account) {0,2}= {0,2}([^;&,\s"'`<>]{1,200})/i;
const userSetting =
  /(?:^|[;&?,\s"'`])(?:user ?id|uid|user(?: ?name)?|login) {0,2}= {0,2}([^;&,\s"'`<>]{1,200})/i;
const passwordSetting = /(?:^|[;&?,\s"'`])(?:password|pwd) {0,2}= {0,2}([^;&,\s"'`<>]{1,200})/i;

/** A password among other settings of the same connection string. */
function isConnectionString(match: RegExpExecArray): boolean {
  const text = enclosing(match, 400, '"\'`\n\r\\');
  const host = settingIn(text, hostSetting)
    .replace(/^tcp:/i, '')
    .replace(/[\\:].{0,200}$/s, '');
  const user = settingIn(text, userSetting);
  // Code assigns what other names contain, as in `password=url.password,host=url.host`.
  if (/^[a-z_$][\w$]{0,60}(?:\.[a-z_$][\w$]{0,60}){1,4}(?:\(|$)/i.test(match.groups?.password ?? ''))
    return false;
  return host !== '' && user !== '' && isGenuineLogin(user, match.groups?.password ?? '', host);
}

/** A URL for Java: the login follows as parameters, or precedes the host. */
function isJdbcLogin(match: RegExpExecArray): boolean {
  const url = match[0];
  const host = /(?::\/\/|@(?:\/\/)?)([\w.-]{1,200})/.exec(url)?.[1] ?? '';
  const [, oracleUser = '', oraclePassword = ''] = /:thin:([\w$#]{1,80})\/([^@\s]{1,150})@/i.exec(url) ?? [];
  const user = oracleUser || settingIn(url, userSetting);
  const password = oraclePassword || settingIn(url, passwordSetting);
  return password.length >= 4 && host !== '' && isGenuineLogin(user, password, host);
}

/** Usernames and passwords in URLs, connection strings and headers. */
export const logins: readonly SecretRule[] = [
  {
    kind: 'database-url',
    name: 'a database connection string with its password',
    check: databaseUrl,
    anchors: schemeEnds,
    within: true,
    pattern: login,
    accepts: match => {
      const { scheme, user, password, host } = loginOf(match);
      return databases.test(scheme) && isGenuineLogin(user, password, host);
    },
  },
  {
    kind: 'jdbc-url',
    name: 'a JDBC connection string with its password',
    check: databaseUrl,
    anchors: ['jdbc:'],
    pattern: /(?<url>jdbc:[\w:]{3,40}[^\s"'`<>\\]{8,500})/y,
    accepts: isJdbcLogin,
  },
  {
    kind: 'connection-string',
    name: 'a database connection string with its password',
    check: databaseUrl,
    anchors: ['password=', 'password =', 'pwd=', 'pwd ='],
    anyCase: true,
    pattern: /(?:password|pwd) ?= {0,2}(?<password>[^;&,\s"'`<>\\]{4,120})/iy,
    accepts: isConnectionString,
    looksAround: true,
  },
  {
    kind: 'azure-redis-string',
    name: 'a connection string of Azure Cache for Redis',
    check: databaseUrl,
    anchors: ['.redis.cache.windows.net:'],
    within: true,
    pattern: /\.redis\.cache\.windows\.net:\d{4,5},password=(?<random>[\w+/]{43}=)/y,
  },
  {
    kind: 'url-password',
    name: 'a URL with a username and password',
    check: urlPassword,
    anchors: schemeEnds,
    within: true,
    pattern: login,
    accepts: match => {
      const { scheme, user, password, host } = loginOf(match);
      // Sentry's former DSNs contain a second key, which only allowed reporting errors.
      const isPublic = /(?:^|\.)(?:sentry|ingest)\b/.test(host);
      const isReachable = /\.[a-z][a-z\d-]{1,62}$/i.test(host);
      return (
        services.test(scheme) &&
        user.length >= 2 &&
        password.length >= 6 &&
        isReachable &&
        !isPublic &&
        isGenuineLogin(user, password, host)
      );
    },
  },
  {
    kind: 'basic-credential',
    name: 'a username and password for Basic authentication',
    check: apiToken,
    anchors: ['Basic '],
    pattern: /Basic (?<pair>[0-9A-Za-z+/]{12,400}={0,2})(?![\w+/=])/y,
    accepts: isGenuineBasic,
    looksAround: true,
  },
  {
    kind: 'docker-registry-login',
    name: 'a login of a container registry',
    check: apiToken,
    anchors: ['"auth', "'auth"],
    within: true,
    pattern: /["']auth\\{0,2}["']\s{0,4}:\s{0,4}\\{0,2}["'](?<pair>[0-9A-Za-z+/]{16,2000}={0,2})\\{0,2}["']/y,
    accepts: match => {
      const [, user = '', password = ''] =
        /^([\x21-\x39\x3b-\x7e]{2,80}):([\x21-\x7e]{8,1500})$/.exec(
          Buffer.from(match.groups?.pair ?? '', 'base64').toString('latin1'),
        ) ?? [];
      return (
        /auths/.test(match.input.slice(Math.max(0, match.index - 300), match.index)) &&
        isGenuineLogin(user, password, 'registry.clinic.net')
      );
    },
    looksAround: true,
  },
  {
    kind: 'cloudinary-url',
    name: 'a Cloudinary URL with its API secret',
    check: apiToken,
    anchors: ['cloudinary:'],
    pattern: /cloudinary:(?:\/\/|\\\/\\\/)\d{10,20}:(?<random>[\w-]{20,40})@[\w-]{2,60}/y,
    accepts: match => looksGenuine(match.groups?.random ?? ''),
  },
];
