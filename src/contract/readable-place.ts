/** Writes the words of a place. @param rest what follows the first space of the locator @param at the origin, URL or host before it */
type Write = (rest: string, at: string) => string;

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const ofPage: Write = (rest, at) => `${capitalized(rest)} on ${at}`;

/** The part before the first space, and the rest without it. */
function split(text: string): [first: string, rest: string] {
  const end = text.indexOf(' ');
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}

const form: Write = (rest, at) => `Form on ${at}, submitted to ${split(rest)[1]}`;
/** Inputs without a name. */
const unnamed: Readonly<Record<string, string>> = { 'in the path': 'Last part of the path' };

const parameter: Write = (rest, at) => {
  const name = rest.slice('parameter '.length);
  if (Object.hasOwn(unnamed, name)) return `${unnamed[name]} of ${at}`;
  const field = / of a form$/.exec(name);
  return field ? `Form field ${name.slice(0, field.index)} of ${at}` : `Parameter ${name} of ${at}`;
};

const origins: Readonly<Record<string, string>> = {
  foreign: 'any origin',
  similar: 'origins that contain its name',
  lookalike: 'origins that begin with its name',
  suffix: 'origins that end with its domain',
  dot: 'origins that differ in a dot',
  subdomain: 'any subdomain',
  plain_http: 'its plain HTTP origin',
  localhost: 'localhost',
  null: 'the origin null',
  '*': 'every origin',
};

const certificate: Write = (rest, at) => {
  const [what, name] = split(rest);
  return what === 'issuer' ? `Issuer certificate ${name} of ${at}` : `Certificate of ${at}`;
};

/** Locators of websites that begin with an origin, URL or host, by check or family. */
const ofWebsites: Readonly<Record<string, Write>> = {
  cookies: (name, host) => `Cookie ${name} of ${host}`,
  cors: (rest, at) => {
    const kind = rest.startsWith('origin ') ? split(rest)[1] : rest;
    return `CORS of ${at}: allows ${Object.hasOwn(origins, kind) ? origins[kind] : kind}`;
  },
  csp: (rest, at) => `Content Security Policy of ${at}: ${rest}`,
  'csp.missing_directive': (name, at) => `Content Security Policy of ${at}: no ${name}`,
  exposure: (_, at) => `Source maps of ${at}`,
  headers: (name, at) => `Header ${name} of ${at}`,
  'headers.cross_origin_isolation': (name, at) => `Header Cross-Origin-${capitalized(name)}-Policy of ${at}`,
  'hipaa.health_terms_in_url': (name, at) => `Parameter ${name} in URLs of ${at}`,
  'hipaa.identity_form_insecure': form,
  'hipaa.session_replay': (vendor, at) => `Session recording by ${vendor} on ${at}`,
  'hipaa.tracker': (vendor, at) => `Tracker of ${vendor} on ${at}`,
  'hipaa.tracker_in_script': (vendor, at) => `Tracker of ${vendor} in scripts of ${at}`,
  injection: parameter,
  libraries: (line, at) => `Library ${line.replace(/@(?=[^@]*$)/, ' ')} on ${at}`,
  mail: (what, domain) => `${capitalized(what)} of ${domain}`,
  'page.error_details': (kind, at) => `Error page of ${kind} on ${at}`,
  'page.no_integrity': (rest, at) => {
    const [element, host] = split(rest);
    return `${element === 'link' ? 'Style sheet' : capitalized(element)} of ${host} on ${at}`;
  },
  'page.opener': (host, at) => `Links to ${host} on ${at}`,
  'page.private_address': (place, at) => `Address in ${place} of ${at}`,
  'page.taken_over_host': (host, at) => `Files of ${host} on ${at}`,
  reflection: parameter,
  'tls.legacy_protocol': (version, at) => `TLS ${version === 'TLSv1' ? '1.0' : version.slice(4)} of ${at}`,
  'tls.weak_cipher': (suite, at) => `${suite} of ${at}`,
  'tls.weak_key': certificate,
  'tls.weak_signature': certificate,
  'transport.insecure_form': form,
  'transport.mixed_content': (rest, at) => {
    const [element, url] = split(rest);
    return `Content ${url} (${element}) on ${at}`;
  },
};

const account = (locator: string) => (locator.startsWith("'") ? `Account ${locator}` : undefined);
const setting = (locator: string) => {
  const [name, value] = split(locator);
  if (!/^[a-z][a-z0-9_.-]*$/.test(name)) return undefined;
  if (value === '') return `Setting ${name}`;
  return /^(?:tls_version|sql_mode|tls-protocols)$/.test(name) ? `Setting ${name}: ${value}` : undefined;
};

/** Locators of databases and of what reports to the service, by check or family. Undefined for other forms. */
const ofOthers: Readonly<Record<string, (locator: string) => string | undefined>> = {
  mysql: locator => (locator === 'server' ? undefined : (account(locator) ?? setting(locator))),
  'mysql.authentication_plugin_old': locator => account(locator) ?? `Default plugin ${locator}`,
  'mysql.global_privileges': locator => account(locator) ?? `Privilege ${locator}`,
  'mysql.test_database_open': locator => `Databases ${locator}`,
  postgres: locator => {
    if (/^(?:host|hostssl|hostnossl|hostgssenc|hostnogssenc|local) /.test(locator))
      return `Rule in pg_hba.conf: ${locator}`;
    const isFunction = locator.endsWith(')') && /^[^ (]+\(/.test(locator);
    return isFunction ? `Function ${locator}` : setting(locator);
  },
  'postgres.archiver_failing': capitalized,
  'postgres.checksum_failures': capitalized,
  'postgres.hba_line_invalid': locator => `File ${locator}`,
  'postgres.ident_map_wide': locator => `User name ${locator}`,
  'postgres.override_weakens': locator => `Setting ${locator}`,
  'postgres.security_module_missing': locator => `Module ${locator}`,
  redis: setting,
  'shield.attack_sustained': locator => `Attacks of type ${split(locator)[1]}`,
  'shield.rule_blocks_users': capitalized,
  shield: locator => `Firewall ${locator}`,
  'supabase.bucket_public': locator => `Bucket ${locator}`,
  'supabase.sign_up_unconfirmed': locator => `Sign-up by ${locator}`,
  supabase: locator => `Table ${locator}`,
};

const familyOf = (check: string) => check.slice(0, check.indexOf('.'));

/** The written form for the check itself, or else for its family. */
function rule<T>(rules: Readonly<Record<string, T>>, check: string): T | undefined {
  if (Object.hasOwn(rules, check)) return rules[check];
  const family = familyOf(check);
  return Object.hasOwn(rules, family) ? rules[family] : undefined;
}

/** What only full scans read (`inFullScan`). */
const fullScan = /(?:, full scan|#full-scan)$/;
const hasDepths = /^(?:cors|exposure|libraries)\./;

/**
 * The place of a finding as people read it: `Cookie sid of portal.example.com` for the locator `portal.example.com sid`. A URL, an origin or
 * a host is itself. Locators stay as they are stored: fingerprints contain them.
 *
 * @param check id of the check
 */
export function readablePlace(check: string, locator: string): string {
  if (hasDepths.test(check) && fullScan.test(locator))
    return `${readablePlace(check, locator.replace(fullScan, ''))} (full scan)`;
  if (check === 'libraries.database_outdated') return 'Advisories of Parapet';
  const [first, rest] = split(locator);
  if (familyOf(check) === 'secrets') {
    const kind = capitalized(first.replaceAll('-', ' '));
    return rest === '' ? locator : `${kind} in ${rest}`;
  }
  const website = rule(ofWebsites, check);
  if (website) return rest === '' ? locator : website(rest, first);
  const isAddress = /^https?:/.test(locator);
  const other = isAddress ? undefined : rule(ofOthers, check)?.(locator);
  if (other !== undefined) return other;
  if (isAddress) return rest === '' ? locator : ofPage(rest, first);
  return /^(?:mysql|postgres|redis|probe)\./.test(check) ? capitalized(locator) : locator;
}
