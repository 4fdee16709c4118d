import { noteOf, type Step } from '../remediation/step.ts';

/** Settings for the option files of both servers, which a restart applies. */
export function settings(lines: Readonly<Record<string, string>>, more: Partial<Step> = {}): Step[] {
  const code = optionFile(lines);
  const { note, ...rest } = more;
  const step = { ...rest, code, ...noteOf('Then restart the server.', note) };
  return [
    { ...step, place: 'mariadb.file' },
    { ...step, place: 'mysql.file' },
  ];
}

/** Server settings in the format of the option file. */
export function optionFile(lines: Readonly<Record<string, string>>): string {
  return ['[mysqld]', ...Object.entries(lines).map(([name, value]) => `${name} = ${value}`)].join('\n');
}

/** Statements that both servers accept. */
export function statements(code: string, more: Partial<Step> = {}): Step[] {
  return [
    { place: 'mariadb.sql', code, ...more },
    { place: 'mysql.sql', code, ...more },
  ];
}

/** The placeholder for the account in the code of steps. */
export const account = { "'app'@'10.1.2.%'": 'the account' } as const;
