import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { referencePage } from './reference-page.ts';
import { type StoredFile, sendStored, storeFile } from './stored-file.ts';

/** The version of the interface; the operations carry none in their paths. */
const VERSION = '0.1.0';

const DESCRIPTION = `Merchant wallets and payouts. A merchant holds a wallet, opens stores and subaccounts, moves money between them
and pays out to bank accounts.

Amounts are JSON numbers in naira with at most two decimals. Send an \`Idempotency-Key\` with every POST and PATCH: the
same key and body gets the first answer again, with \`Idempotency-Replayed: true\`. A failure is
\`{status: false, message, code, errors?}\`; programs read \`code\`, people read \`message\`.`;

const TAGS = [
  { name: 'Merchant', description: 'The profile of the business.' },
  { name: 'Wallets', description: 'The main wallet, its balances and its statement.' },
  { name: 'Stores', description: 'Branches with wallets of their own.' },
  { name: 'Subaccounts', description: 'Child accounts of the merchant.' },
  { name: 'Banks', description: 'The bank directory and name enquiry.' },
  { name: 'Payouts', description: 'Money out to a bank account, now or at a date.' },
  { name: 'Bulk payouts', description: 'Many at once: checked, mended, then paid together.' },
  { name: 'Transactions', description: 'What moved, what became of it, and the evidence.' },
  { name: 'Events', description: 'What happened, in order.' },
  { name: 'Webhooks', description: 'Where you are told of it.' },
  { name: 'Access', description: 'Tokens.' },
  { name: 'Sandbox', description: 'Play money and play time.' },
];

/** Operations that only a signed-in person can use: the dashboard's own, and the operator's. */
const SESSION_ONLY = /^(Dashboard|Operator)/;

interface Operation {
  tags?: string[];
}
type Document = ReturnType<FastifyInstance['swagger']>;

/**
 * What integrators read: the document without the operations that need a person's session. The whole one is the
 * dashboard's, whose types are generated from it (`npm run openapi`).
 */
export function publicDocument(whole: Document): Document {
  const paths: Record<string, object> = {};
  for (const [path, operations] of Object.entries((whole as { paths?: Record<string, object> }).paths ?? {})) {
    const open = Object.entries(operations as Record<string, Operation>).filter(
      ([, operation]) => operation.tags?.some((tag) => SESSION_ONLY.test(tag)) !== true,
    );
    if (open.length > 0) paths[path] = Object.fromEntries(open);
  }
  return Object.assign({}, whole, { paths });
}

/**
 * Serves the document made from the schemas that validate, and a reference page that loads nothing from elsewhere.
 * @param webhooks the section of the document that says what is sent to merchants.
 */
export async function documentApi(app: FastifyInstance, webhooks: Record<string, object>): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Manilla', version: VERSION, description: DESCRIPTION },
      servers: [{ url: '/', description: 'This installation' }],
      tags: TAGS,
      webhooks,
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
  let stored: Promise<StoredFile> | undefined;
  app.get('/openapi.json', { config: { isFile: true }, schema: { hide: true } }, async (request, reply) => {
    stored ??= storeFile('application/json', JSON.stringify(publicDocument(app.swagger())));
    return sendStored(request, reply, await stored, 'no-cache');
  });
  referencePage(app);
}
