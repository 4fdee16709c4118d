import type { Check } from '../../detector.ts';
import { configurationChecks as checks } from './checks.ts';

type Settings = Readonly<Record<string, string>>;

/** What is wrong with a setting's value. */
interface SettingRule {
  readonly check: Check;
  readonly setting: string;
  /** Whether the value, as the server spells it, is a flaw. */
  readonly isFlaw: (value: string, settings: Settings) => boolean;
  /** Why, as the end of a sentence about the setting. */
  readonly because: string;
}

const is = (flaw: string) => (value: string) => value === flaw;
const logsNowhere = (value: string, settings: Settings) =>
  value === '' && settings.daemonize === 'yes' && settings['syslog-enabled'] === 'no';
const savesNothing = ({ save, appendonly }: Settings) => save === '' && appendonly === 'no';
const isReplica = ({ replicaof = '' }: Settings) => replicaof !== '';

export const settingRules: readonly SettingRule[] = [
  { check: checks.logs, setting: 'loglevel', isFlaw: is('nothing'), because: 'nothing is logged' },
  {
    check: checks.logs,
    setting: 'logfile',
    isFlaw: logsNowhere,
    because: 'the server runs in the background without syslog, so its log is discarded',
  },
  {
    check: checks.logs,
    setting: 'acllog-max-len',
    isFlaw: is('0'),
    because: 'failed logins and refused commands are not kept',
  },
  {
    check: checks.slowLog,
    setting: 'slowlog-log-slower-than',
    isFlaw: value => value.startsWith('-'),
    because: 'no command is recorded',
  },
  { check: checks.slowLog, setting: 'slowlog-max-len', isFlaw: is('0'), because: 'no entry is kept' },
  {
    check: checks.persistence,
    setting: 'save',
    isFlaw: (_, settings) => savesNothing(settings),
    because: 'there are no snapshots, and appendonly is no',
  },
  {
    check: checks.durability,
    setting: 'appendfsync',
    isFlaw: (value, { appendonly }) => value === 'no' && appendonly === 'yes',
    because: 'a crash can lose about 30 seconds of writes',
  },
  {
    check: checks.durability,
    setting: 'rdbchecksum',
    isFlaw: (value, { save }) => value === 'no' && save !== '',
    because: 'damaged snapshots are loaded unnoticed',
  },
  {
    check: checks.durability,
    setting: 'stop-writes-on-bgsave-error',
    isFlaw: (value, { save }) => value === 'no' && save !== '',
    because: 'writes are accepted although snapshots fail',
  },
  {
    check: checks.memory,
    setting: 'maxmemory',
    isFlaw: is('0'),
    because: 'the server uses all memory of the machine if clients fill it',
  },
  {
    check: checks.replicaWritable,
    setting: 'replica-read-only',
    isFlaw: (value, settings) => value === 'no' && isReplica(settings),
    because: 'clients can change data on this replica',
  },
  {
    check: checks.socket,
    setting: 'unixsocketperm',
    // The last digit is for all accounts. Connecting requires the right to write.
    isFlaw: (value, { unixsocket = '' }) => unixsocket !== '' && /[2367]$/.test(value),
    because: 'all accounts may connect',
  },
  {
    check: checks.channels,
    setting: 'acl-pubsub-default',
    isFlaw: is('allchannels'),
    because: 'users have all channels, unless their rules restrict them',
  },
];
