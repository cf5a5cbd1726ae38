import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { referencePage } from './reference-page.ts';

export interface OpenApiOptions {
  version: string;
  description: string;
  tags: readonly { name: string; description: string }[];
}

/** Serves the document made from the schemas that validate, and a reference page that loads nothing from elsewhere. */
export async function documentApi(app: FastifyInstance, options: OpenApiOptions): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Manilla', version: options.version, description: options.description },
      servers: [{ url: '/', description: 'This installation' }],
      tags: [...options.tags],
      security: [{ bearer: [] }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'An API key (sk_test_…, sk_live_…, pk_test_…, pk_live_…) or a token from POST /auth/token.',
          },
        },
      },
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  referencePage(app);
}
