import { PAYER_SCENARIOS } from '../rails/index.ts';
import type { Assets } from './assets.ts';
import { type Html, html } from './html.ts';
import { documentOf } from './page.ts';
import { stateLine } from './page-parts.ts';
import type { Checkout } from './read-checkout.ts';

/** What a person typed, as it was typed. */
export interface BankForm {
  accountNumber: string;
  amount: string;
  payerName: string;
  scenario: string;
}

interface BankPage {
  address(part: string): string;
  form: BankForm;
  /** What is wrong with the form. */
  mistake?: string;
  /** What was sent just now, as it was typed. */
  paid?: string;
}

const TITLE = 'Test bank';

/** The bank of a sandbox's payers, as a form. */
export function sandboxBankPage(assets: Assets, { session }: Checkout, page: BankPage): string {
  const { paid } = page;
  return documentOf(assets, {
    title: `${TITLE} · ${session.merchantName}`,
    header: html`<header class="bank"><p>${TITLE}</p></header>
<aside class="sandbox" aria-label="Test payment"><strong>This is no real bank.</strong> No real money moves.</aside>`,
    content: paid === undefined ? formOf(page) : sent(page, paid),
  });
}

function sent({ address }: BankPage, paid: string): Html {
  return html`<h1 tabindex="-1">Transfer sent</h1>
${stateLine('done', `You sent ₦${paid}.`)}
<p>The payment page shows it in a moment.</p>
<p><a class="main" href="${address('')}">Back to the payment page</a></p>
<p><a href="${address('/sandbox-bank')}">Send another transfer</a></p>`;
}

function formOf({ address, form, mistake }: BankPage): Html {
  return html`<h1 tabindex="-1">Send money</h1>
${mistake !== undefined && html`<p class="result" role="alert">${mistake}</p>`}
<form method="post" action="${address('/sandbox-bank')}">
<label for="accountNumber">Account number</label>
<input id="accountNumber" name="accountNumber" inputmode="numeric" autocomplete="off" required value="${form.accountNumber}">
<label for="amount">Amount in naira</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" required value="${form.amount}">
<label for="payerName">Your name</label>
<input id="payerName" name="payerName" maxlength="100" autocomplete="off" placeholder="Ada Obi" value="${form.payerName}">
<details${form.scenario !== 'paid' && html` open`}><summary>Try an ugly case</summary>
<label for="scenario">What becomes of the transfer</label>
<select id="scenario" name="scenario">
${PAYER_SCENARIOS.map(({ name, happens }) => html`<option value="${name}"${name === form.scenario && html` selected`}>${happens}</option>`)}
</select></details>
<button class="main">Send money</button>
</form>
<p><a href="${address('')}">Back to the payment page</a></p>`;
}
