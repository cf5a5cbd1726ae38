import { formatMoney } from '../money/index.ts';
import type { PayerField, PayersLink } from '../payment-links/index.ts';
import type { Assets } from './assets.ts';
import { type Html, html } from './html.ts';
import { documentOf, merchantHeader, testBanner } from './page.ts';
import { stateLine } from './page-parts.ts';

/** What a payer typed, as it was typed. */
export interface LinkForm {
  /** Names the page that was sent, so that the same form twice opens one session. */
  attempt: string;
  amount: string;
  name: string;
  email: string;
}

export interface LinkPage {
  link: PayersLink;
  logo: string | undefined;
  form: LinkForm;
  /** What is wrong with the form. */
  mistake?: string;
}

/** The page of a payment link: what is paid for, and what the payer has to say first. */
export function linkPage(assets: Assets, page: LinkPage): string {
  const { row, merchant, tenant, status } = page.link;
  return documentOf(assets, {
    title: `${row.title} · ${merchant.business_name}`,
    header: html`${merchantHeader(merchant.business_name, page.logo)}${tenant.mode === 'SANDBOX' ? testBanner(null) : null}`,
    content: html`<h1 tabindex="-1">${row.title}</h1>
${linesOf(row.description)}
${status === 'ACTIVE' ? formOf(page) : closed(page.link)}`,
  });
}

function linesOf(text: string | null): Html[] {
  const lines = (text ?? '').split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => html`<p class="about">${line}</p>`);
}

const REASONS: Readonly<Record<Exclude<PayersLink['status'], 'ACTIVE'>, string>> = {
  INACTIVE: 'This payment link is switched off.',
  EXPIRED: 'This payment link has expired.',
  USED_UP: 'This payment link has already been paid.',
  UNAVAILABLE: 'This business cannot take payments at the moment.',
};

function closed({ status, merchant }: PayersLink): Html {
  if (status === 'ACTIVE') throw new Error('an active link is not closed');
  return html`${stateLine('stop', REASONS[status])}
<p>Nothing can be paid on this page. If you have sent money already, it is not lost. Please ask ${merchant.business_name}.</p>`;
}

function formOf({ link: { row, merchant }, form, mistake }: LinkPage): Html {
  return html`${mistake !== undefined && html`<p class="result" role="alert">${mistake}</p>`}
<form method="post" action="/pay/${row.slug}">
<input type="hidden" name="attempt" value="${form.attempt}">
${amountOf(row, form)}
${fieldOf(row.payer_name, { id: 'name', type: 'text', label: 'Your name', autocomplete: 'name', max: 100 }, form.name)}
${fieldOf(row.payer_email, { id: 'email', type: 'email', label: 'Your e-mail address', autocomplete: 'email', max: 254 }, form.email)}
<button class="main">Continue to payment</button>
</form>
<p class="small">You pay ${merchant.business_name}${row.channels === 'BANK_TRANSFER' && ' by bank transfer'} on the next page.</p>`;
}

function amountOf(row: PayersLink['row'], form: LinkForm): Html {
  const { amount_minor: fixed, min_amount_minor: min, max_amount_minor: max, currency } = row;
  if (fixed !== null) return html`<p>Amount: <strong>${formatMoney(fixed, currency)}</strong></p>`;
  const bounds = `From ${formatMoney(min ?? 0n, currency)} to ${formatMoney(max ?? 0n, currency)}`;
  return html`<label for="amount">Amount in naira</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" required aria-describedby="bounds" value="${form.amount}">
<p class="small" id="bounds">${bounds}.</p>`;
}

interface Field {
  id: string;
  type: string;
  label: string;
  autocomplete: string;
  max: number;
}

function fieldOf(asked: PayerField, { id, type, label, autocomplete, max }: Field, typed: string): Html | null {
  if (asked === 'NOT_ASKED') return null;
  const isRequired = asked === 'REQUIRED';
  return html`<label for="${id}">${label}${!isRequired && ' (optional)'}</label>
<input id="${id}" name="${id}" type="${type}" autocomplete="${autocomplete}" maxlength="${max}"${isRequired && html` required`} value="${typed}">`;
}
