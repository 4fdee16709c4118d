import ipaddr from 'ipaddr.js';
import type { RedisCapture, RedisModule } from '../../../captures/redis.ts';
import type { Severity } from '../../../contract/severity.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { printable } from '../../printable.ts';
import { compromiseChecks as checks } from './checks.ts';

type Settings = Readonly<Record<string, string>>;

/** Traces that attacks on open servers leave in settings. Keys are not read. */
export const redisCompromiseDetector: Detector<RedisCapture> = {
  name: 'redis.compromise',
  surface: 'redis',
  checks: Object.values(checks),
  detect: detecting((found, { settings, modules, info }) => {
    if (settings.assessed) detectDump(found, settings.value);
    else found.cannotAssess([checks.dumpInSystemFolder], settings.reason);
    const configured = settings.assessed ? settings.value.replicaof : undefined;
    const primary = info.assessed ? info.value.master_host : undefined;
    if (!settings.assessed && !info.assessed) found.cannotAssess([checks.publicPrimary], info.reason);
    else detectPrimary(found, primary ?? configured?.split(' ')[0] ?? '');
    if (!modules.assessed) return found.cannotAssess([checks.foreignModule], modules.reason);
    const { rows, truncated } = modules.value;
    if (truncated)
      found.cannotAssess([checks.foreignModule], `Only the first ${rows.length} modules were read.`);
    const folder = settings.assessed ? settings.value.dir : undefined;
    for (const module of rows) detectModule(found, module, folder);
  }),
};

/** Folders whose files cron or SSH read. */
const executed =
  /^\/(?:var\/spool\/cron|etc\/cron(?:tab|\.(?:d|hourly|daily|weekly|monthly)))(?:\/|$)|^\/(?:root|home\/[^/]{1,64}|var\/lib\/redis)\/\.ssh(?:\/|$)|^\/etc(?:\/(?:profile\.d|init\.d|systemd\/system))?\/?$/;
/** Folders that web servers usually publish. */
const served =
  /^\/(?:var\/www|srv\/(?:www|http)|usr\/share\/nginx\/html|usr\/local\/(?:apache2\/htdocs|www)|opt\/lampp\/htdocs)(?:\/|$)|\/(?:public_html|htdocs|webapps|wwwroot)(?:\/|$)/;
const runnable = /\.(?:php\d?|phtml|jspx?|aspx?|cgi|sh|so|py|pl)$/i;
const keyFile = /^authorized_keys2?$/;

function detectDump(found: DetectionBuilder, { dir, dbfilename }: Settings) {
  if (dir === undefined || dbfilename === undefined)
    return found.cannotAssess([checks.dumpInSystemFolder], 'The server does not report dir and dbfilename.');
  const [because, severity] = judgeDump(dir, dbfilename);
  if (because === undefined) return;
  const text = `dir is ${quoted(dir)}, and dbfilename is ${quoted(dbfilename)}. ${because}.`;
  found.observe(checks.dumpInSystemFolder, 'dir', text, severity);
}

function judgeDump(dir: string, file: string): [because?: string, severity?: Severity] {
  if (executed.test(dir)) return ['Programs of the system read the files in this folder', 'critical'];
  if (keyFile.test(file) || runnable.test(file)) return ['No snapshot has such a name', 'critical'];
  return served.test(dir) ? ['A web server usually publishes this folder', 'medium'] : [];
}

function detectPrimary(found: DetectionBuilder, host: string) {
  if (!isPublicAddress(host)) return;
  found.observe(
    checks.publicPrimary,
    `primary ${printable(host)}`,
    `The server is a replica of ${quoted(host, 80)}.`,
  );
}

function isPublicAddress(host: string): boolean {
  if (host.length > 64 || !(ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host)))
    return false;
  return ipaddr.process(host).range() === 'unicast';
}

const writable = /^\/(?:tmp|var\/tmp|dev\/shm)\//;
/** The name of the module that public tools for attacks load: it runs commands of the system. */
const knownName = 'system';

function detectModule(found: DetectionBuilder, module: RedisModule, folder: string | undefined) {
  const { name, path } = module;
  const [because, severity] = judgeModule(module, folder);
  if (because === undefined) return;
  found.observe(
    checks.foreignModule,
    `module ${printable(name)}`,
    `The module ${quoted(name, 60)} was loaded${path === '' ? '' : ` from ${quoted(path)}`}. ${because}.`,
    severity,
  );
}

function judgeModule(
  { name, path }: RedisModule,
  folder: string | undefined,
): [because?: string, severity?: Severity] {
  if (name.toLowerCase() === knownName) return ['Tools for attacks load a module of this name', 'critical'];
  if (writable.test(path)) return ['Every program can write files to its folder', 'critical'];
  const isInData =
    path.startsWith('./') || (folder !== undefined && folder !== '/' && path.startsWith(`${folder}/`));
  return isInData
    ? ['The server can write files to its folder, such as what a foreign primary sends', 'high']
    : [];
}
