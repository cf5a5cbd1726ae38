import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import {
  type Assets,
  acceptPages,
  documentOf,
  type Html,
  html,
  loadAssets,
  merchantHeader,
  NOT_EMBEDDED,
  plainRow,
  problemPage,
  sendPage,
  stateLine,
  testBanner,
} from '../checkout/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { networkOf } from '../platform/http/allowed-hosts.ts';
import { sendDocument } from '../platform/http/documents.ts';
import type { RequestLimits } from '../platform/http/request-limits.ts';
import { type Receipt, readReceipt } from './receipt.ts';
import { fileNameOf, type ReceiptDrawer } from './receipt-drawer.ts';
import { type OpenedLink, openReceiptLink } from './receipt-links.ts';

export interface PublicReceiptDeps {
  database: Database;
  clock: Clock;
  limits: RequestLimits;
  drawReceipt: ReceiptDrawer;
}

interface ReceiptRoute {
  Params: { token?: string };
}

const HIDDEN = { schema: { hide: true } };
/** The link is good, and there is no receipt any more. */
const GONE = 410;

/**
 * The receipt of a payout under a link. No key guards it: the 256 bits of the address do. It is for people, so it is
 * not in the API document.
 */
export function publicReceiptRoutes(deps: PublicReceiptDeps): FastifyPluginAsync {
  return async (app) => {
    const assets = await loadAssets();
    await app.register(async (pages) => {
      acceptPages(pages, assets, unknownReceipt);
      receiptRoutes(pages, deps, assets);
    });
  };
}

function receiptRoutes(app: FastifyInstance, deps: PublicReceiptDeps, assets: Assets): void {
  // Also without a token, as an address that was cut off.
  app.get<ReceiptRoute>('/receipt/:token?', HIDDEN, async (request, reply) => {
    const link = await openCounted(deps, request);
    const payer = await payerOf(deps, link);
    const receipt = await receiptOrReturned(deps, link);
    const page =
      receipt === 'RETURNED'
        ? returnedPage(assets, payer, link.tenant.mode === 'SANDBOX')
        : receiptPage(assets, { receipt, payer, pdf: `/receipt/${request.params.token}/pdf` });
    return sendPage(receipt === 'RETURNED' ? reply.code(GONE) : reply, page, NOT_EMBEDDED);
  });
  app.get<ReceiptRoute>('/receipt/:token/pdf', HIDDEN, async (request, reply) => {
    const link = await openCounted(deps, request);
    const receipt = await readReceipt(deps.database, link.tenant, link.transactionId, { isShared: true });
    const content = await deps.drawReceipt(link.tenant.merchantId, receipt);
    const document = { fileName: fileNameOf(receipt), contentType: 'application/pdf', content };
    return sendDocument(reply.header('x-robots-tag', 'noindex'), document);
  });
}

/**
 * Requests are counted by their network before anything is read, and guesses as those of strangers, too.
 * @throws AppError `RECEIPT_LINK_NOT_FOUND`, `RATE_LIMITED`
 */
async function openCounted(deps: PublicReceiptDeps, request: FastifyRequest<ReceiptRoute>): Promise<OpenedLink> {
  const { token = '' } = request.params;
  deps.limits.countKey(request, `receipt/${networkOf(request.ip)}`);
  try {
    return await openReceiptLink(deps, token);
  } catch (error) {
    throw deps.limits.countRefusal(request, error);
  }
}

const payerOf = async ({ database }: PublicReceiptDeps, { tenant }: OpenedLink): Promise<string> =>
  (await requireMerchant(database, tenant.merchantId)).business_name;

async function receiptOrReturned(deps: PublicReceiptDeps, link: OpenedLink): Promise<Receipt | 'RETURNED'> {
  try {
    return await readReceipt(deps.database, link.tenant, link.transactionId, { isShared: true });
  } catch (error) {
    if (error instanceof AppError && error.code === 'RECEIPT_RETURNED') return 'RETURNED';
    throw error;
  }
}

/** For a link that opens nothing: the same whatever is wrong with it. */
const unknownReceipt = (assets: Assets): string =>
  problemPage(assets, 'This link does not work', [
    'It may have expired, or it was withdrawn. Please ask the sender for a new one.',
  ]);

interface SharedReceipt {
  receipt: Receipt;
  payer: string;
  /** Where its PDF is. */
  pdf: string;
}

/** A receipt on screen, under its link. */
function receiptPage(assets: Assets, { receipt, payer, pdf }: SharedReceipt): string {
  return documentOf(assets, {
    title: `Receipt of ${receipt.amount} · ${payer}`,
    header: headerOf(payer, receipt.isTest),
    content: html`<h1 tabindex="-1">${receipt.amount}</h1>
${receipt.isTest ? stateLine('warn', 'Test: no real money was paid.') : stateLine('done', 'Paid. The bank has confirmed it.')}
<dl class="account">${receipt.lines.map(({ label, value }) => plainRow(label, value))}</dl>
<p><a class="main" href="${pdf}">Save as PDF</a></p>
<p class="small">Should the bank return the money later, this page says so.</p>`,
  });
}

/** Instead of a receipt, where the money came back after the link was made. */
function returnedPage(assets: Assets, payer: string, isTest: boolean): string {
  return documentOf(assets, {
    title: `Returned payment · ${payer}`,
    header: headerOf(payer, isTest),
    content: html`<h1 tabindex="-1">The bank returned this payment</h1>
${stateLine('warn', 'The money went back to who paid it. There is no receipt of it any more.')}
<p>Please ask ${payer}.</p>`,
  });
}

function headerOf(payer: string, isTest: boolean): Html {
  return html`${merchantHeader(payer, undefined)}${isTest ? testBanner(null) : null}`;
}
