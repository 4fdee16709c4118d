import { noteOf, type Step } from '../remediation/step.ts';

/** The URL of a page in PostgreSQL's manual. */
export function docs(page: string): string {
  return `https://www.postgresql.org/docs/current/${page}`;
}

export const managed =
  'On Amazon RDS, Cloud SQL or Azure, change it in the parameter group, database flags or server parameters.';

/** Statements for a superuser. */
export function sql(code: string, more: Partial<Step> = {}): Step {
  return { place: 'postgres.sql', code, ...more };
}

/** Sets parameters of the server that a reload applies. */
export function setParameters(parameters: Readonly<Record<string, string>>, more: Partial<Step> = {}): Step {
  return sql(`${alterSystem(parameters)}\nSELECT pg_reload_conf();`, more);
}

/** Sets parameters of the server that only a restart applies. */
export function setAtRestart(parameters: Readonly<Record<string, string>>, more: Partial<Step> = {}): Step {
  const { note, ...rest } = more;
  return sql(alterSystem(parameters), {
    ...rest,
    ...noteOf('Then restart the server.', note),
  });
}

/** A rule of pg_hba.conf. @param where to put it, as a sentence */
export function rule(code: string, where: string, more: Partial<Step> = {}): Step {
  return {
    place: 'postgres.hba',
    code,
    replace: {
      ...(code.includes('clinic') ? { clinic: 'the database' } : {}),
      ...(code.includes(' app ') ? { app: 'the role' } : {}),
      ...(code.includes('10.1.0.0/16') ? { '10.1.0.0/16': 'the clients’ network' } : {}),
    },
    note: `${where} Then run \`SELECT pg_reload_conf();\` and check \`pg_hba_file_rules\` for errors.`,
    ...more,
  };
}

function alterSystem(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `ALTER SYSTEM SET ${name} = '${value}';`)
    .join('\n');
}
