import { expect, it } from 'vitest';
import { createLogger } from './logger.ts';

it('logs a database error without values of the row', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: line => void lines.push(line) });
  const err = Object.assign(new Error('violates check constraint "positive"'), {
    code: '23514',
    table: 'people',
    constraint: 'positive',
    detail: 'Failing row contains (grace@example.org).',
    where: 'SQL statement "insert into people values (\'grace@example.org\')"',
    internalQuery: "insert into people values ('grace@example.org')",
  });
  logger.error({ err }, 'request failed');
  expect(JSON.parse(lines[0]!).err).toMatchObject({
    message: 'violates check constraint "positive"',
    stack: expect.stringContaining('logger.test.ts'),
    code: '23514',
    table: 'people',
    constraint: 'positive',
  });
  expect(lines.join()).not.toContain('grace');
});
