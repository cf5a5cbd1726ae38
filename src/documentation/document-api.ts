import swagger from '@fastify/swagger';
import type { RouteOptions } from 'fastify';
import Fastify, { type FastifyInstance } from 'fastify';
import type { RouteFacts } from '../access/index.ts';
import { madeOnce } from '../platform/cache.ts';
import { sendStored, storeFile } from '../platform/http/stored-file.ts';
import { type ApiDocument, FACTS } from './document.ts';
import { publicDocument } from './finish-document.ts';
import { guidePages } from './guide-pages.ts';

/**
 * The page runs scripts of this service and of nobody else, none of them written into the page, and talks to this service
 * alone. Its styles are made by its script as it goes.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Manilla API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The same is in /openapi.json.</noscript>
    <script src="/docs/js/scalar.js"></script>
    <script src="/docs/js/start.js"></script>
  </body>
</html>
`;

/**
 * The dashboard makes a sandbox key for this page and leaves it in the browser's storage under this name; the page takes
 * it out at once, so that it is nowhere but in the page's own memory.
 */
const KEY_ITEM = 'manilla.reference-key';

const START = `'use strict';
(() => {
  const take = (storage) => {
    const key = storage.getItem('${KEY_ITEM}');
    storage.removeItem('${KEY_ITEM}');
    return key;
  };
  const found = [sessionStorage, localStorage].map(take).find((key) => /^sk_test_[0-9A-Za-z]+$/.test(key ?? ''));
  globalThis.Scalar.createApiReference('#reference', {
    url: '/openapi.json',
    theme: 'kepler',
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    hideClientButton: true,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    authentication: {
      preferredSecurityScheme: 'bearer',
      securitySchemes: { bearer: { token: found ?? '' } },
    },
  });
})();
`;

interface File {
  type: string;
  content(): string | Promise<Buffer>;
}

const FILES: Readonly<Record<string, File>> = {
  '/docs': { type: 'text/html', content: () => PAGE },
  '/docs/js/start.js': { type: 'text/javascript', content: () => START },
  '/docs/js/scalar.js': { type: 'text/javascript', content: loadScript },
};

/** The API reference at /docs. Its script weighs megabytes, so it is loaded when somebody first opens the page. */
function referencePage(app: FastifyInstance): void {
  for (const [url, { type, content }] of Object.entries(FILES)) {
    const stored = madeOnce(async () => storeFile(type, await content()));
    app.get(url, { config: { isFile: true }, schema: { hide: true } }, async (request, reply) => {
      reply.header('content-security-policy', PAGE_POLICY);
      return sendStored(request, reply, await stored(), 'no-cache');
    });
  }
}

/** The package brings its script as a text that only its own plugin hands out. */
async function loadScript(): Promise<Buffer> {
  const plugin = Fastify();
  await plugin.register(import('@scalar/fastify-api-reference'), {
    routePrefix: '/docs',
    configuration: { url: '/openapi.json' },
  });
  const answer = await plugin.inject({ method: 'GET', url: '/docs/js/scalar.js' });
  await plugin.close();
  return answer.rawPayload;
}

/** The groups of operations, in the order of the reference. */
const TAGS = [
  { name: 'Merchant', description: 'The profile of the business.' },
  { name: 'Wallets', description: 'The main wallet, its balances and its statement.' },
  { name: 'Collections', description: 'Money in: account numbers, and what was paid to them.' },
  { name: 'Refunds', description: 'Payments in that go back to their payers.' },
  { name: 'Settlements', description: 'What was collected, on its way to your own bank account.' },
  { name: 'Stores', description: 'Branches with wallets of their own.' },
  { name: 'Subaccounts', description: 'Child accounts of the merchant.' },
  { name: 'Banks', description: 'The bank directory and name enquiry.' },
  { name: 'Payouts', description: 'Money out to a bank account, now or at a date.' },
  { name: 'Bulk payouts', description: 'Many payouts at once: validated, corrected, then dispatched together.' },
  { name: 'Beneficiaries', description: 'Saved bank accounts.' },
  { name: 'Approvals', description: 'What waits for the approval of others, and the rules that ask for it.' },
  { name: 'Transactions', description: 'What moved, what became of it, and the evidence.' },
  { name: 'Events', description: 'What happened, in order.' },
  { name: 'Webhooks', description: 'The address that events are sent to, its secret and its deliveries.' },
  { name: 'Access', description: 'Short-lived tokens in place of secret keys.' },
  { name: 'Payment sessions', description: 'An account number or a page for one payment, and what came of it.' },
  { name: 'Payment links', description: 'A page under which payers open payment sessions themselves.' },
  { name: 'Customers', description: 'Who pays, as the merchant wrote it down.' },
  { name: 'Search', description: 'Find something by what is known of it.' },
  { name: 'Sandbox', description: 'Test money and test time.' },
];

/** The version of the interface; the operations carry none in their paths. */
const VERSION = '0.1.0';

const DESCRIPTION = `Merchant wallets and payouts. A merchant holds a wallet, opens stores and subaccounts, moves money between them
and pays out to bank accounts.

Amounts are JSON numbers in naira with at most two decimals. Send an \`Idempotency-Key\` with every request that changes
something: the same key and body gets the first answer again, with \`Idempotency-Replayed: true\`. A refusal is
\`{status: false, message, code, errors?, requestId, docUrl}\`: programs read \`code\`, people read \`message\`, and
\`docUrl\` explains the code. A method that an address does not have is answered 405 with \`Allow\`,
which names the methods of signed-in people as well.

Guides: [/docs/guides](/docs/guides). All pages as text for language models: [/llms.txt](/llms.txt).`;

interface DocumentOptions {
  /** The section of the document that says what is sent to merchants. */
  webhooks: Record<string, object>;
  /** What the guards before a route may refuse with, and whether it keeps its answer under an idempotency key. */
  factsOf(route: RouteOptions): RouteFacts;
  publicUrl: string | undefined;
}

/** Serves the document made from the schemas that validate, and a reference page that loads nothing from elsewhere. */
export async function documentApi(
  app: FastifyInstance,
  { webhooks, factsOf, publicUrl }: DocumentOptions,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Manilla',
        version: VERSION,
        description: DESCRIPTION,
        contact: { name: 'The operator of this installation' },
        license: { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
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
    transform: ({ schema, url, route }) => ({
      url,
      schema: schema?.hide === true ? schema : ({ ...schema, [FACTS]: factsOf(route) } as typeof schema),
    }),
  });
  let finished: ApiDocument | undefined;
  const read = () => (finished ??= publicDocument(madeDocument(app)));
  const stored = madeOnce(async () => storeFile('application/json', JSON.stringify(read())));
  app.get('/openapi.json', { config: { isFile: true }, schema: { hide: true } }, async (request, reply) =>
    sendStored(request, reply, await stored(), 'no-cache'),
  );
  referencePage(app);
  guidePages(app, { read, publicUrl });
}

/** What the routes of an app say, before it is finished. */
export const madeDocument = (app: FastifyInstance): ApiDocument =>
  JSON.parse(JSON.stringify(app.swagger())) as ApiDocument;
