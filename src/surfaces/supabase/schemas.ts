import { randomBytes } from 'node:crypto';
import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import type { SupabaseCapture, SupabaseTable } from '../../captures/supabase.ts';
import { type ApiAnswer, type ProjectApi, reasonOf } from './project-api.ts';
import { maxTables, readSchemas, readTables } from './read-answers.ts';

type Headers = Readonly<Record<string, string>>;

const maxSchemas = 10;

/** The description of a schema's tables; of the first schema if none is named. */
export function askForTables(api: ProjectApi, service: Headers, schema: string | null): Promise<ApiAnswer> {
  const profile = schema === null ? {} : { 'accept-profile': schema };
  return api.get('/rest/v1/', { ...service, ...profile, accept: 'application/openapi+json' });
}

/**
 * The tables of all schemas that the REST API exposes, those of `public` first. @param root the description of its
 * first schema
 */
export async function tablesOf(
  api: ProjectApi,
  service: Headers,
  root: ApiAnswer,
): Promise<SupabaseCapture['tables']> {
  const first = readTables(root.json);
  if (first === undefined) {
    return notAssessed('The REST API does not describe its tables to the service key.');
  }
  let schemas = await schemasOf(api, service);
  if (!schemas.assessed || schemas.value.length < 2) return { assessed: true, value: { ...first, schemas } };
  const list: SupabaseTable[] = [];
  let truncated = false;
  for (const schema of schemas.value.toSorted((a, b) => Number(b === 'public') - Number(a === 'public'))) {
    const tables = await inSchema(api, service, schema);
    if (!tables.assessed) schemas = tables;
    else {
      list.push(...tables.value.list);
      truncated ||= tables.value.truncated;
    }
  }
  truncated ||= list.length > maxTables;
  return { assessed: true, value: { list: list.slice(0, maxTables), truncated, schemas } };
}

/** PostgREST lists its schemas when a request uses one that it does not expose. */
async function schemasOf(api: ProjectApi, service: Headers): Promise<Assessment<readonly string[]>> {
  try {
    const answer = await askForTables(api, service, `no_such_${randomBytes(6).toString('hex')}`);
    // If a proxy removes the header, every request gets the first schema only.
    if (answer.status === 200 && readTables(answer.json) !== undefined) return { assessed: true, value: [] };
    const names = readSchemas(answer.json);
    if (names === undefined) return notAssessed('The REST API does not list the schemas that it exposes.');
    if (names.length > maxSchemas)
      return notAssessed(`The REST API exposes more than ${maxSchemas} schemas.`);
    return { assessed: true, value: names };
  } catch (error) {
    return notAssessed(reasonOf(error));
  }
}

async function inSchema(api: ProjectApi, service: Headers, schema: string) {
  try {
    const { json } = await askForTables(api, service, schema);
    const value = readTables(json, schema);
    if (value !== undefined) return { assessed: true, value } as const;
  } catch (error) {
    return notAssessed(reasonOf(error));
  }
  return notAssessed('The REST API does not describe the tables of a schema that it exposes.');
}
