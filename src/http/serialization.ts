import buildSerializers from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Serializer = ReturnType<ReturnType<ReturnType<typeof buildSerializers>>>;

/**
 * Serializes like Fastify, but compiles serializers on demand, and once for all routes and statuses with the same schema. Fastify compiles
 * all of them at start, which takes a large part of the start time.
 */
export const serialization = {
  schemaController: {
    compilersFactory: {
      buildSerializer(schemas, options) {
        const compile = buildSerializers()(schemas, options);
        const serializers = new Map<string, Serializer>();
        return route => {
          const form = JSON.stringify(route.schema);
          const known = serializers.get(form);
          if (known) return known;
          let compiled: Serializer | undefined;
          const serializer: Serializer = value => {
            compiled ??= compile(route);
            return compiled(value);
          };
          serializers.set(form, serializer);
          return serializer;
        };
      },
    },
  },
} satisfies Pick<FastifyServerOptions, 'schemaController'>;
