import type { Mutant } from '../mutant.ts';

const byForwarding = (test: string) => ({ file: 'src/shield/forward-log.test.ts', test });
const byEvents = (test: string) => ({ file: 'test/worker/shield-events.test.ts', test });
const byPaths = (test: string) => ({ file: 'src/shield/strip/path.test.ts', test });

const byCrowdsec = {
  file: 'src/shield/crowdsec/forward-crowdsec.test.ts',
  test: 'reports each alert and decision of the local API once',
};

/** What leaves of a firewall's log, and that it is counted once. */
export const shieldMutants: readonly Mutant[] = [
  {
    name: 'A late heartbeat replaces the state of a firewall',
    file: 'src/resources/shield/forwarders.ts',
    search: 'where f.reported_at <= excluded.reported_at',
    replacement: 'where excluded.reported_at is not null',
    killedBy: byEvents('does not let a report that arrives late replace a newer one'),
  },
  {
    name: 'A heartbeat stores a firewall while Shield is turned off',
    file: 'src/resources/shield/forwarders.ts',
    search: 'order by source_id for key share',
    replacement: 'order by source_id',
    killedBy: byEvents('keeps no firewall of a source whose Shield is turned off'),
  },
  {
    name: 'Late decisions of CrowdSec replace newer ones',
    file: 'src/resources/shield/crowdsec.ts',
    search: 'and (decisions_at is null or decisions_at <= $3)',
    replacement: 'and $3::timestamptz is not null',
    killedBy: byEvents('forgets decisions of CrowdSec that were deleted'),
  },
  ...(['Alerts', 'Decisions'] as const).map(kind => ({
    name: `${kind} of CrowdSec are stored while Shield is off`,
    file: 'src/worker/tasks/process-shield-event.ts',
    search: `if (isOn) return record${kind}(`,
    replacement: `if (forwarder) return record${kind}(`,
    killedBy: byEvents('stores no alerts and decisions of CrowdSec while Shield is off'),
  })),
  {
    name: 'Known combinations find no room on a full day',
    file: 'src/resources/shield/counts.ts',
    search: 'is_known or place <= $8',
    replacement: 'place <= $8',
    killedBy: byEvents(
      'finds rules that block users by what it knows in detail, on a day with no room for more',
    ),
  },
  {
    name: 'The score of a new day misses a change that began the day before',
    file: 'src/resources/posture/posture.ts',
    search: "transaction.query(organizationLock('posture', transaction.organizationId)),",
    replacement: "transaction.query({ text: 'select 1' }),",
    killedBy: {
      file: 'test/resources/posture-days.test.ts',
      test: 'has the newest score on the newest day, whenever its transaction began',
    },
  },
  {
    name: 'A website has a score because its firewall is known',
    file: 'src/resources/posture/posture.ts',
    search: "and not ${isOwn('f.category')}",
    replacement: "and not ${isOwn('f.title')}",
    killedBy: byEvents('gives no score to a website of which the firewall alone is known'),
  },
  {
    name: 'Paths leave as clients sent them',
    file: 'src/shield/strip/strip-request.ts',
    search: 'path: strippedPath(request.path),',
    replacement: 'path: request.path.slice(0, 256),',
    killedBy: byForwarding('modsecurity2 > sends no secret of a request in any spelling'),
  },
  {
    name: 'Queries are part of paths',
    file: 'src/shield/audit-logs/request-fields.ts',
    search: 'target.split(/[?#]/, 1)',
    replacement: 'target.split(/[#]/, 1)',
    killedBy: { file: 'src/shield/audit-logs/read-record.test.ts', test: 'has the time of its id' },
  },
  {
    name: 'Encoded email addresses leave',
    file: 'src/shield/strip/path.ts',
    search: 'const segment = decoded(written);',
    replacement: 'const segment = written;',
    killedBy: byPaths('keeps the names of pages: /caf%C3%A9/%E6%9D%B1%E4%BA%AC'),
  },
  {
    name: 'Random words in paths leave',
    file: 'src/shield/strip/path.ts',
    search: ' && !isScrambled(part)',
    replacement: '',
    killedBy: byPaths('replaces random letters'),
  },
  {
    name: 'Addresses of clients leave in full',
    file: 'src/shield/strip/strip-request.ts',
    search: 'networksOf(plain).site',
    replacement: 'networksOf(plain).client',
    killedBy: byForwarding('states the firewall, the lag and the websites in heartbeats'),
  },
  {
    name: 'Messages of rules contain values of requests',
    file: 'src/shield/rule-book.ts',
    search: ".replace(/%\\{[^%{}]*\\}/g, '…')",
    replacement: '',
    killedBy: {
      file: 'src/shield/rule-book.test.ts',
      test: 'reads messages of rules without what the firewall fills in',
    },
  },
  {
    name: 'A parameter can imitate a rule',
    file: 'src/shield/audit-logs/modsecurity2.ts',
    search: "line.lastIndexOf('[file \"')",
    replacement: "line.indexOf('[file \"')",
    killedBy: {
      file: 'src/shield/audit-logs/read-record.test.ts',
      test: 'is not deceived by a parameter that imitates a rule',
    },
  },
  {
    name: 'A truncated log is read on from its old position',
    file: 'src/shield/log-file/position.ts',
    search: 'return (await hashOf(file, length)) === sha256;',
    replacement: 'return sha256 !== undefined && length >= 0;',
    killedBy: {
      file: 'src/shield/log-file/follow-log.test.ts',
      test: 'notices another file with the same inode',
    },
  },
  {
    name: 'A flood takes memory without a bound',
    file: 'src/shield/aggregate.ts',
    search: 'window.groups.size >= shieldBounds.groups',
    replacement: 'window.groups.size >= shieldBounds.groups * 1_000',
    killedBy: {
      file: 'src/shield/aggregate.test.ts',
      test: 'counts a flood of different requests of different hosts in bounded groups',
    },
  },
  {
    name: 'The reasons that operators write for decisions leave',
    file: 'src/shield/crowdsec/read-answers.ts',
    search: "origin === 'crowdsec' ? scenarioOf(textAt(entry, 'scenario')) : 'other'",
    replacement: "scenarioOf(textAt(entry, 'scenario'))",
    killedBy: byCrowdsec,
  },
  {
    name: 'The reasons that operators write for decisions leave with alerts',
    file: 'src/shield/crowdsec/read-answers.ts',
    search: "itemsAt(entry, 'events').length > 0 ? scenarioOf(textAt(entry, 'scenario')) : 'other'",
    replacement: "scenarioOf(textAt(entry, 'scenario'))",
    killedBy: byCrowdsec,
  },
  {
    name: 'Texts that operators wrote leave as names of scenarios',
    file: 'src/shield/crowdsec/read-answers.ts',
    search: "return isName ? text : 'other';",
    replacement: "return isName ? text : text.replaceAll(/[^A-Za-z]/g, '_') || 'other';",
    killedBy: { ...byCrowdsec, test: 'sends no text of people as the name of a scenario' },
  },
];
