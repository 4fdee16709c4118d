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
  /** Public URL of the service, or its path. */
  readonly serverUrl: string;
}

const introduction = `
Every request requires a bearer token and an Ed25519 signature of nine values, joined with \`|\`:

\`v2|METHOD|pathname|timestamp|nonce|application/json|sha256(body)|tokenId|2\`

The pathname excludes the query string. GET, HEAD and DELETE sign the digest of an empty body. An invalid signature, key, clock
or nonce and an exceeded limit all return the same 401. Lists return at most 100 rows, newest first; use \`cursor\` for the next page.
`;

/** Generates the OpenAPI 3.1 document from the validation schemas of the routes. */
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
            description: 'Bearer token of the key. A signature is also required.',
          },
          signature: {
            type: 'apiKey',
            in: 'header',
            name: `${options.headerPrefix}signature`,
            description: 'Ed25519 signature of the canonical message, 128 lowercase hex characters.',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      if (!isSignedPath(url)) return { schema: { ...schema, hide: true }, url };
      const tag = tagOf(url);
      const { scope, privilegedScope, bodyOptional, documentedBody } = route.config ?? {};
      const privileged = privilegedScope
        ? ', plus `sources:privileged` for postgres, mysql, redis and supabase sources'
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
          response: named(isRead(route.method) ? unlessUnchanged(schema) : responsesOf(schema)),
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

/** Marks an operation with an optional body: the plugin declares every body as required. */
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

/** Serves the API reference and the OpenAPI document. */
export async function referencePage(app: App): Promise<void> {
  keepSerialized(app);
  app.addHook('onRequest', async ({ url }) => {
    // A missing file takes the plugin longer than any other answer, and longer with every path segment.
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

/** Serializes the document once, since unauthenticated clients can request it. */
function keepSerialized(app: App): void {
  const encoded = new WeakMap<object, Buffer>();
  // Fastify also sends buffers, but its types allow only strings.
  app.setReplySerializer((payload): string => {
    const document = payload as object;
    const bytes = encoded.get(document) ?? Buffer.from(JSON.stringify(document));
    encoded.set(document, bytes);
    return bytes as unknown as string;
  });
}

const contentSecurityPolicy =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Hides controls for credentials and requests: the page cannot sign requests. */
const style = '.topbar, .scheme-container, .authorization__btn { display: none !important }';

const purposes: Record<string, string> = {
  Systems: 'Applications and sites of the organization.',
  Sources:
    'Websites and databases of a system: create, accept risk, store a credential, test, authorize scans.',
  Findings: 'Failed checks reported by scans.',
  Scans: 'Scans with their runs and verdicts.',
  Ingest: 'Events pushed by probes and Shield.',
};

function tagOf(url: string): string {
  if (url.startsWith('/functions/')) return 'Ingest';
  const resource = url.split('/')[3]!;
  return resource[0]!.toUpperCase() + resource.slice(1);
}

/** Converts `POST /api/v1/sources/:id/risk-accept` to `postSourcesIdRiskAccept`. */
function operationId(method: string, url: string): string {
  const words = url.replace(/^\/(api|functions)\/v1\//, '').match(/[a-z]+/g) ?? [];
  return method.toLowerCase() + words.map(word => word[0]!.toUpperCase() + word.slice(1)).join('');
}

const conditional = {
  'if-none-match': Type.Optional(
    Type.String({ description: 'ETags of cached answers, or `*` (RFC 9110, section 13.1.2).' }),
  ),
};

const taggedBy = { ETag: { type: 'string', description: 'Identifies this answer, for `If-None-Match`.' } };

const unchanged = {
  type: 'null',
  description: 'Not modified: the ETag in `If-None-Match` is current',
  headers: taggedBy,
};

type Responses = Record<string, { readonly headers?: object }>;

function responsesOf(schema: unknown): Responses {
  return (schema as { response?: Responses }).response ?? {};
}

const requestId = {
  type: 'string',
  format: 'uuid',
  description: 'Identifies the request in the log of the service. Another one for each request.',
};

/** Adds the header that every answer has. */
function named(responses: Responses): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...response.headers, 'X-Request-Id': requestId } },
    ]),
  );
}

/** Adds the ETag header and the 304 to the responses of a GET. */
function unlessUnchanged(schema: unknown): Responses {
  const response = responsesOf(schema);
  return { ...response, 200: { ...response[200], headers: taggedBy }, 304: unchanged };
}

function signedHeaders(prefix: string) {
  return {
    [`${prefix}timestamp`]: Type.String({
      maxLength: 16,
      pattern: '^[0-9]+$',
      description: 'Unix time in seconds, within 300 seconds of the server clock.',
    }),
    [`${prefix}nonce`]: Type.String({
      minLength: 8,
      maxLength: 128,
      pattern: '^[A-Za-z0-9._~-]+$',
      description:
        'Unique for each request of the key. Also used up by a request that is refused because of a limit.',
    }),
    [`${prefix}token-id`]: Type.String({ format: 'uuid', description: 'ID of the key.' }),
    [`${prefix}schema`]: Type.Optional(Type.Enum(['2'])),
  };
}
