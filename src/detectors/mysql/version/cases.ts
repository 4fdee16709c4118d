import type { MysqlCapture } from '../../../captures/mysql.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { mariadbWith, mysqlWith, notSeen } from '../hardened-capture.ts';

const behind = 'mysql.version_behind';
const ended = 'mysql.version_end_of_life';

export const cases: readonly GoldenCase<MysqlCapture>[] = [
  { name: 'current MySQL', capture: mysqlWith(), expected: [] },
  {
    name: 'MariaDB of Debian, which backports fixes',
    capture: mariadbWith(),
    expected: [],
    notAssessed: [behind],
  },
  {
    name: 'MariaDB of its vendor, current',
    capture: mariadbWith({
      version: '10.11.19-MariaDB-log',
      version_comment: 'MariaDB Server',
    }),
    expected: [],
  },
  {
    name: 'MySQL 8.0 a few years behind, past its end of life',
    capture: mysqlWith({ version: '8.0.28' }),
    expected: [
      { check: ended, locator: 'MySQL 8.0' },
      { check: behind, locator: 'MySQL 8.0' },
    ],
  },
  {
    name: 'the same before the end of its support',
    capture: { ...mysqlWith({ version: '8.0.46' }), collected_at: '2026-04-30T23:00:00.000Z' },
    expected: [],
  },
  {
    name: 'MySQL 8.4 without this year’s fixes',
    capture: mysqlWith({ version: '8.4.3' }),
    expected: [{ check: behind, locator: 'MySQL 8.4' }],
  },
  {
    name: 'Percona Server behind',
    capture: mysqlWith({
      version: '8.4.3-3',
      version_comment: 'Percona Server (GPL), Release 3, Revision ee6b5d8',
    }),
    expected: [behind],
  },
  {
    name: 'MariaDB 10.5 from a container image',
    capture: mariadbWith({
      version: '10.5.29-MariaDB-log',
      version_comment: 'mariadb.org binary distribution',
    }),
    expected: [{ check: ended, locator: 'MariaDB 10.5' }],
  },
  {
    name: 'MariaDB of its vendor for Debian',
    capture: mariadbWith({
      version: '10.11.2-MariaDB-1:10.11.2+maria~deb12',
      version_comment: 'mariadb.org binary distribution',
    }),
    expected: [{ check: behind, locator: 'MariaDB 10.11' }],
  },
  {
    name: 'MySQL of Red Hat',
    capture: mysqlWith({ version: '8.0.46', version_comment: 'Source distribution' }),
    expected: [ended],
    notAssessed: [behind],
  },
  {
    name: 'MariaDB 10.6 of Ubuntu',
    capture: mariadbWith({ version: '10.6.22-MariaDB-0ubuntu0.22.04.1', version_comment: 'Ubuntu 22.04' }),
    expected: [ended],
    notAssessed: [behind],
  },
  {
    name: 'Amazon RDS in extended support',
    capture: mysqlWith({
      version: '5.7.44-rds.20250508',
      version_comment: 'Source distribution',
      basedir: '/rdsdbbin/mysql/',
    }),
    expected: [ended],
    notAssessed: [behind],
  },
  {
    name: 'Aurora, whose version number does not change with fixes',
    capture: mysqlWith({ version: '8.4.7', aurora_version: '8.4.7' }),
    expected: [],
    notAssessed: [behind],
  },
  {
    name: 'a version missing from the table',
    capture: mysqlWith({ version: '26.7.0' }),
    expected: [],
    notAssessed: [behind, ended],
  },
  {
    name: 'an invalid version',
    capture: mysqlWith({ version: null }),
    expected: [],
    notAssessed: [behind, ended],
  },
  {
    name: 'a series whose newest release is unknown',
    capture: mariadbWith({ version: '11.4.5-MariaDB-log', version_comment: 'MariaDB Server' }),
    expected: [],
    notAssessed: [behind],
  },
  {
    name: 'an outdated table',
    capture: { ...mysqlWith(), collected_at: '2027-11-21T12:00:00.000Z' },
    expected: [{ check: 'mysql.version_table_outdated', locator: 'MySQL' }],
  },
  {
    name: 'settings could not be read',
    capture: { ...mysqlWith(), variables: notSeen('The server took too long to answer.') },
    expected: [],
    notAssessed: [behind, ended, 'mysql.version_table_outdated'],
  },
];
