import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { Type } from 'typebox';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../../http/app.ts';
import { isSignedPath } from '../pathname.ts';

export interface DocumentationOptions {
  readonly version: string;
  /** `x-<brand>-`. */
  readonly headerPrefix: string;
  /** Where clients reach the service: its public address, or else the path at which it is served here. */
  readonly serverUrl: string;
}

const introduction = `
Every request carries a bearer token and an Ed25519 signature over nine values joined with \`|\`:

\`v2|METHOD|pathname|timestamp|nonce|application/json|sha256(body)|tokenId|2\`

The pathname has no query string; GET, HEAD and DELETE sign the empty body. Whatever is wrong with the signature, the key,
the clock, the nonce or a limit, the answer is the same 401. Lists hold at most 100 rows, newest first, and continue with
\`cursor\`.
`;

/** The OpenAPI 3.1 document, generated from the schemas that the routes validate with. */
export async function documentation(app: App, options: DocumentationOptions): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parapet API',
        version: options.version,
        description: introduction.trim(),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: options.serverUrl, description: 'This service' }],
      tags: ['Systems', 'Sources', 'Findings', 'Scans', 'Ingest'].map(name => ({
        name,
        description: purposes[name]!,
      })),
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'The bearer token. Never enough by itself.',
          },
          signature: {
            type: 'apiKey',
            in: 'header',
            name: `${options.headerPrefix}signature`,
            description: 'Ed25519 signature of the canonical message: 128 lower-case hex characters.',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      if (!isSignedPath(url)) return { schema: { ...schema, hide: true }, url };
      const tag = tagOf(url);
      const { scope, privilegedScope, bodyOptional, documentedBody } = route.config ?? {};
      const privileged = privilegedScope
        ? ', plus `sources:privileged` for postgres, mysql and supabase sources'
        : '';
      return {
        url,
        schema: {
          ...schema,
          ...(documentedBody ? { body: documentedBody } : {}),
          tags: [tag],
          operationId: operationId(route.method as string, url),
          description: `Scope: \`${scope}\`${privileged}.`,
          ...(bodyOptional ? { [optionalBody]: true } : {}),
          security: [{ bearer: [], signature: [] }],
          headers: isRead(route.method)
            ? Type.Object({ ...signedHeaders(options.headerPrefix), ...conditional })
            : Type.Object(signedHeaders(options.headerPrefix)),
          ...(isRead(route.method) ? { response: unlessUnchanged(schema) } : {}),
        },
      };
    },
    transformObject: given => {
      const { openapiObject } = given as { openapiObject: OpenApiDocument };
      for (const operation of Object.values(openapiObject.paths).flatMap(Object.values)) {
        if (operation[optionalBody]) operation.requestBody!.required = false;
        delete operation[optionalBody];
      }
      return openapiObject as never;
    },
  });
}

/** Marks an operation whose body may be left out: the plugin has no way to say so, and calls every body required. */
const optionalBody = 'x-body-optional';

interface OpenApiDocument {
  readonly paths: Record<
    string,
    Record<string, { requestBody?: { required: boolean }; [optionalBody]?: true }>
  >;
}

function isRead(method: string | string[]): boolean {
  return [method].flat().some(each => each === 'GET' || each === 'HEAD');
}

/** The page to read the document on, and the document itself. */
export async function referencePage(app: App): Promise<void> {
  keepSerialized(app);
  app.addHook('onRequest', async ({ url }) => {
    // To find out that there is no such file takes the plugin longer than any other answer, and longer for each folder of a path.
    const name = /^\/docs\/static\/([^?]*)/.exec(url)?.[1];
    if (name !== undefined && !/^(?:theme\/)?[\w.-]{1,64}$/.test(name)) throw new Refusal('not_found');
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: contentSecurityPolicy,
    uiConfig: { docExpansion: 'list', deepLinking: true, tryItOutEnabled: false, supportedSubmitMethods: [] },
    theme: { title: 'Parapet API', css: [{ filename: 'parapet.css', content: style }] },
  });
  app.get('/docs/openapi.json', { schema: { hide: true } as object }, async () => app.swagger());
}

/** The document is one object, which anybody may ask for: it is serialized and encoded once, not for each request. */
function keepSerialized(app: App): void {
  const encoded = new WeakMap<object, Buffer>();
  // Fastify sends bytes as well as text; its types name text alone.
  app.setReplySerializer((payload): string => {
    const document = payload as object;
    const bytes = encoded.get(document) ?? Buffer.from(JSON.stringify(document));
    encoded.set(document, bytes);
    return bytes as unknown as string;
  });
}

const contentSecurityPolicy =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page for reading: what would ask for secrets or send requests is left out, since a browser cannot sign. */
const style = '.topbar, .scheme-container, .authorization__btn { display: none !important }';

const purposes: Record<string, string> = {
  Systems: 'Applications and sites that are inspected.',
  Sources: 'Websites and databases attached to a system, from draft to scan authorization.',
  Findings: 'Posture issues that scans have seen.',
  Scans: 'Scan sessions, their runs and verdicts.',
  Ingest: 'What probes and Shield push.',
};

function tagOf(url: string): string {
  if (url.startsWith('/functions/')) return 'Ingest';
  const resource = url.split('/')[3]!;
  return resource[0]!.toUpperCase() + resource.slice(1);
}

/** `POST /api/v1/sources/:id/risk-accept` becomes `postSourcesIdRiskAccept`. */
function operationId(method: string, url: string): string {
  const words = url.replace(/^\/(api|functions)\/v1\//, '').match(/[a-z]+/g) ?? [];
  return method.toLowerCase() + words.map(word => word[0]!.toUpperCase() + word.slice(1)).join('');
}

const conditional = {
  'if-none-match': Type.Optional(
    Type.String({ description: 'Tags of answers that the client has, or `*` (RFC 9110, section 13.1.2).' }),
  ),
};

const taggedBy = { ETag: { type: 'string', description: 'Names this answer, for `If-None-Match`.' } };

const unchanged = {
  type: 'null',
  description: 'Nothing has changed since the answer whose ETag `If-None-Match` names',
  headers: taggedBy,
};

/** The responses of a read, whose answer has a tag and may be left out by it. */
function unlessUnchanged(schema: unknown): object {
  const { response = {} } = schema as { response?: Record<number, object> };
  return { ...response, 200: { ...response[200], headers: taggedBy }, 304: unchanged };
}

function signedHeaders(prefix: string) {
  return {
    [`${prefix}timestamp`]: Type.String({
      maxLength: 16,
      pattern: '^[0-9]+$',
      description: "Unix seconds, within 300 of the server's clock.",
    }),
    [`${prefix}nonce`]: Type.String({
      minLength: 8,
      maxLength: 128,
      pattern: '^[A-Za-z0-9._~-]+$',
      description: 'Unique per key. Spent also when the request is refused for a limit.',
    }),
    [`${prefix}token-id`]: Type.String({ format: 'uuid', description: 'The id of the key.' }),
    [`${prefix}schema`]: Type.Optional(Type.Enum(['2'])),
  };
}
