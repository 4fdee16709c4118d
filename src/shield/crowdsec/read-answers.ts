import ipaddr from 'ipaddr.js';
import type { ShieldAlert, ShieldDecision } from '../../contract/shield-events.ts';
import { shieldBounds } from '../../contract/shield-events.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import { asObject, itemsAt, objectAt, textAt } from '../audit-logs/json-fields.ts';
import { type StripOptions, strippedAddress } from '../strip/strip-request.ts';

type Clients = StripOptions['clients'];

/** Reads alerts: only their scenario, source, count and time. Their events have paths, user agents and lines of logs. */
export function readAlerts(answer: unknown, clients: Clients): ShieldAlert[] {
  return listOf(answer).flatMap(entry => {
    const alert = idOf(entry);
    const created = timeOf(textAt(entry, 'created_at'));
    if (alert === undefined || created === undefined) return [];
    const start = timeOf(textAt(entry, 'start_at')) ?? created;
    const source = objectAt(entry, 'source');
    return {
      alert,
      // An operator's alert has no lines of logs, and their reason as its scenario.
      scenario: itemsAt(entry, 'events').length > 0 ? scenarioOf(textAt(entry, 'scenario')) : 'other',
      scope: wordOf(textAt(source, 'scope'), scopes),
      network: networkOf(textAt(source, 'scope'), textAt(source, 'value'), clients),
      events: Math.min(
        Math.max(0, Math.trunc(Number(textAt(entry, 'events_count'))) || 0),
        Number.MAX_SAFE_INTEGER,
      ),
      created_at: created,
      start_at: start,
      stop_at: timeOf(textAt(entry, 'stop_at')) ?? start,
      simulated: asObject(entry)?.simulated === true,
    };
  });
}

export function readDecisions(answer: unknown, clients: Clients): ShieldDecision[] {
  return listOf(answer).flatMap(entry => {
    const decision = idOf(entry);
    if (decision === undefined) return [];
    const origin = wordOf(textAt(entry, 'origin'), origins);
    return {
      decision,
      type: wordOf(textAt(entry, 'type'), types),
      scope: wordOf(textAt(entry, 'scope'), scopes),
      network: networkOf(textAt(entry, 'scope'), textAt(entry, 'value'), clients),
      remaining_seconds: secondsOf(textAt(entry, 'duration')),
      origin,
      // Of other origins, it is text that a person wrote.
      scenario: origin === 'crowdsec' ? scenarioOf(textAt(entry, 'scenario')) : 'other',
    };
  });
}

const scopes = ['ip', 'range', 'country', 'as'] as const;
const types = ['ban', 'captcha', 'throttle'] as const;
const origins = ['crowdsec', 'cscli', 'capi', 'lists'] as const;

function wordOf<Word extends string>(text: string, words: readonly Word[]): Word | 'other' {
  const written = text.slice(0, 100).toLowerCase();
  // Imported decisions count as an operator's.
  const word = written === 'cscli-import' ? 'cscli' : written;
  return words.find(one => one === word) ?? 'other';
}

const listOf = (answer: unknown): readonly unknown[] => (Array.isArray(answer) ? answer : []);

function idOf(entry: unknown): number | undefined {
  const id = asObject(entry)?.id;
  return Number.isSafeInteger(id) && Number(id) > 0 ? Number(id) : undefined;
}

/** Scenarios of the hub have the name of their author. Anything else is text of an operator. */
function scenarioOf(text: string): string {
  const isName = text.length <= shieldBounds.scenario && /^[0-9A-Za-z._-]+\/[0-9A-Za-z._-]+$/.test(text);
  return isName ? text : 'other';
}

/** @param text RFC 3339, or as Go prints times: `2026-11-26 09:11:22.5 +0000 UTC` */
function timeOf(text: string): string | undefined {
  if (text.length > 60) return undefined;
  const [, day, clock, fraction = ''] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?(?: \+0000 UTC|Z)$/.exec(text) ?? [];
  const time = new Date(`${day}T${clock}${fraction.slice(0, 4)}Z`);
  // Go's time that was never set is in the year 1.
  return time.getTime() >= 0 && time.getUTCFullYear() <= 2999 ? timestampOf(time) : undefined;
}

/** @param text as Go prints durations: `3h59m58.87s` */
function secondsOf(text: string): number {
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})(?:\.\d{1,12})?s)?$/.exec(text) ?? [];
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

/** The network of an address or range; a range that is larger than a client's network stays as it is. */
function networkOf(scope: string, value: string, clients: Clients): string | null {
  const word = wordOf(scope, scopes);
  if (word !== 'ip' && word !== 'range') return null;
  const [address = '', prefix] = value.slice(0, 60).split('/');
  const whole = strippedAddress(address, clients === 'none' ? 'none' : 'full');
  if (whole === null || clients === 'none') return null;
  const bits = /^\d{1,3}$/.test(prefix ?? '') ? Number(prefix) : undefined;
  const isLarge = bits !== undefined && bits < (ipaddr.parse(whole).kind() === 'ipv4' ? 24 : 48);
  if (isLarge || (clients === 'full' && bits !== undefined)) return `${whole}/${bits}`;
  return strippedAddress(address, clients);
}
