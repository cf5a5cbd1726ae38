import { isConclusive } from '../payment-sessions/index.ts';
import type { Assets } from './assets.ts';
import { type Html, html } from './html.ts';
import type { Checkout } from './read-checkout.ts';
import { type ContentOptions, contentOf, headlineOf, sandboxPageOf } from './states.ts';

const REFRESH_SECONDS = 20;

interface Document {
  title: string;
  /** Attributes of the page's body, for its scripts. */
  data?: Html;
  /** Whether a browser without scripts reloads the page by itself. */
  refreshes?: boolean;
  header?: Html;
  content: Html;
}

/** A whole page. */
export function documentOf(assets: Assets, { title, data, refreshes, header, content }: Document): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
${refreshes && html`<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}"></noscript>`}
</head>
<body${data}>
${header}
<main id="content">${content}</main>
<p id="announcement" class="quiet" role="status"></p>
</body>
</html>
`.toString();
}

export interface CheckoutPage extends ContentOptions {
  /**
   * The origin of the shop's page that embeds or opened this one, where the merchant allows it. Undefined: no messages
   * are posted.
   */
  shop: string | undefined;
}

/** The page of a session. */
export function checkoutPage(assets: Assets, checkout: Checkout, page: CheckoutPage): string {
  const { session, status, etag } = checkout;
  const { sessionId } = session;
  return documentOf(assets, {
    title: `${headlineOf(status, session)} · ${session.merchantName}`,
    data: html` data-session="${sessionId}" data-status="${status}" data-conclusive="${String(isConclusive(status))}" data-etag="${etag}" data-state="${page.address('/state')}"${page.shop !== undefined && html` data-shop="${page.shop}"`}`,
    refreshes: !isConclusive(status),
    header: html`${merchantHeader(session.merchantName, checkout.logo)}${sandboxBanner(checkout, page)}`,
    content: contentOf(checkout, page),
  });
}

/** The name of the merchant who is paid, with a picture where there is one that the page may show. */
export function merchantHeader(merchantName: string, logo: string | undefined): Html {
  return html`<header>${logo !== undefined && html`<img src="${logo}" alt="" height="40">`}<p>${merchantName}</p></header>`;
}

function sandboxBanner({ session }: Checkout, { address }: ContentOptions): Html | null {
  if (session.mode !== 'SANDBOX') return null;
  const own = sandboxPageOf(session);
  if (own !== undefined) return testBanner(html` <a href="${address(own)}">Pay on the test page</a>`);
  return testBanner(html` <a href="${address('/sandbox-bank')}">Pay at the test bank</a>`);
}

/** @param more further content of the banner */
export function testBanner(more: Html | null): Html {
  return html`<aside class="sandbox" aria-label="Test payment"><strong>Test payment.</strong> No real money moves.${more}</aside>`;
}

/** The page for a link that opens nothing. It is the same for every reason. */
export function unknownPage(assets: Assets): string {
  return problemPage(assets, 'This payment link does not work', [
    'Please go back to the shop and open the link from there.',
    'If you used a link that worked before, allow cookies for this site and open it again.',
  ]);
}

export function problemPage(assets: Assets, title: string, sentences: readonly string[]): string {
  return documentOf(assets, {
    title,
    content: html`<h1>${title}</h1>${sentences.map((sentence) => html`<p>${sentence}</p>`)}`,
  });
}
