import type { Mutant, TestName } from '../mutant.ts';

const stored = 'src/database/idempotent-requests.ts';
const by = (test: string): TestName => ({ file: 'test/dashboard/idempotency.test.ts', test });

/** Ensures that a repeated request takes effect only once. */
export const idempotencyMutants: readonly Mutant[] = [
  {
    name: 'An idempotency key is not claimed',
    file: 'src/dashboard/plugins/guard.ts',
    search: '      await claimKey(request, transaction);\n',
    replacement: '      void claimKey;\n',
    killedBy: by(
      'POST /organizations/:organization/systems > runs once for one key, on every node, and returns the first response again',
    ),
  },
  {
    name: 'A different request with the same idempotency key gets the first answer',
    file: 'src/dashboard/plugins/idempotency.ts',
    search: 'if (first && !first.isSame)',
    replacement: 'if (first && !first.isSame && !first.answer)',
    killedBy: by(
      'separates keys of people, refuses another request under a key, and a key that is not a UUID',
    ),
  },
  {
    name: 'An idempotency key returns the answer to another person',
    file: stored,
    search: 'from idempotent_requests where person_id = $1 and key_hash = $2',
    replacement: 'from idempotent_requests where $1::uuid is not null and key_hash = $2 order by created_at',
    killedBy: by(
      'separates keys of people, refuses another request under a key, and a key that is not a UUID',
    ),
  },
  {
    name: 'The answer to a request is stored in plain text',
    file: stored,
    search: "Buffer.concat([cipher.update(answer.body, 'utf8'), cipher.final()])",
    replacement: "(cipher.final(), Buffer.from(answer.body, 'utf8'))",
    killedBy: by(
      'stores a response with the secrets of a new key encrypted, and only a hash of the encryption key',
    ),
  },
  {
    name: 'The answer to a request never expires',
    file: stored,
    search: "where created_at < now() - interval '${keptHours} hours'",
    replacement: 'where created_at is null',
    killedBy: by('deletes the response to a request after an hour, and not before'),
  },
  {
    name: 'A scan is requested twice',
    file: 'src/resources/scans/request-scan.ts',
    search: 'if (scan) return { scan, created: true };',
    replacement: 'if (scan) return { scan, created: false };',
    killedBy: {
      file: 'test/api/scan-requests.test.ts',
      test: 'creates once and is then reused, forever and by all keys of the organization',
    },
  },
  {
    name: 'The idempotency key of a scan starts a scan of another target',
    file: 'src/resources/scans/request-scan.ts',
    search: "if (!same) throw new Refusal('idempotency_key_reused');",
    replacement: '',
    killedBy: {
      file: 'test/api/scan-requests.test.ts',
      test: 'creates once and is then reused, forever and by all keys of the organization',
    },
  },
];
