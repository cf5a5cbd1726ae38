import {
  type Assets,
  documentOf,
  type Html,
  html,
  merchantHeader,
  plainRow,
  stateLine,
  testBanner,
} from '../checkout/index.ts';
import type { Receipt } from './receipt.ts';

interface SharedReceipt {
  receipt: Receipt;
  payer: string;
  /** Where its PDF is. */
  pdf: string;
}

/** A receipt on screen, for whoever has its link. */
export function receiptPage(assets: Assets, { receipt, payer, pdf }: SharedReceipt): string {
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
export function returnedPage(assets: Assets, payer: string, isTest: boolean): string {
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
