import { formatMoney, parseAmount } from '../money/index.ts';
import { type PublicSessionView, SANDBOX_PAGE, type SessionStatus } from '../payment-sessions/index.ts';
import { lagosTime } from '../platform/clock.ts';
import { copyRow, type Html, html, pageAddress, plainRow, stateLine, wayBack } from './html.ts';
import type { Checkout } from './read-checkout.ts';

type Amounts = Pick<PublicSessionView, 'currency'>;

/** An amount of the API as `₦1,234.50`. */
function moneyText({ currency }: Amounts, amount: number): string {
  return formatMoney(parseAmount(amount, 'amount', { allowZero: true }), currency);
}

/** An hour of the day in Lagos, `14:32`. */
function hourText(time: string): string {
  return lagosTime(new Date(time)).slice('2026-11-20T'.length, '2026-11-20T10:30'.length);
}

/** The time that is left, in words: `about 29 minutes`. */
function timeLeftText(until: string, now: Date): string {
  const minutes = Math.ceil((Date.parse(until) - now.getTime()) / 60_000);
  if (minutes <= 1) return 'less than 1 minute';
  return minutes < 120 ? `about ${minutes} minutes` : `about ${Math.floor(minutes / 60)} hours`;
}

/** The provider's answer to a check that the payer asked for. */
export type Checked = 'received' | 'not_yet' | 'lately' | 'unavailable';

export const CHECKED: Readonly<Record<Checked, string>> = {
  received: 'We found your payment.',
  not_yet: 'Your money is not here yet. Banks can take some minutes. We keep looking. You may close this page.',
  lately: 'We asked the bank a moment ago. We keep looking. You may close this page.',
  unavailable: 'We cannot ask the bank at the moment. We try again by ourselves. You may close this page.',
};

/** The headline of the page, which a screen reader announces when it changes. */
export function headlineOf(status: SessionStatus, session: PublicSessionView): string {
  const { merchantName } = session;
  switch (status) {
    case 'OPENING':
      return `Pay ${moneyText(session, session.amountToPay)} to ${merchantName}`;
    case 'OPEN':
      return `Pay ${moneyText(session, session.amountToPay)} to ${merchantName}`;
    case 'PARTIALLY_PAID':
      return `${moneyText(session, session.outstanding)} is still missing`;
    case 'PAID':
      return 'Thank you. We have received your payment.';
    case 'EXPIRED':
      return 'The time for this payment is over';
    case 'CANCELLED':
      return 'This payment was cancelled';
    case 'FAILED':
      return 'This payment could not be opened';
  }
}

export interface ContentOptions {
  /** Where the forms and links of the page lead, by their last part. */
  address(part: string): string;
  /** The provider's answer, where the payer asked for a check just now. */
  checked?: Checked | undefined;
}

/** The content of the page, by the state of the session. Scripts put it there again when the state changes. */
export function contentOf(checkout: Checkout, options: ContentOptions): Html {
  const { session, status } = checkout;
  return html`<h1 tabindex="-1">${headlineOf(status, session)}</h1>
${session.description === null ? null : html`<p class="about">${session.description}</p>`}
${bodyOf(checkout, options)}`;
}

function bodyOf(checkout: Checkout, options: ContentOptions): Html {
  const { session } = checkout;
  switch (checkout.status) {
    case 'OPENING':
      return html`${stateLine('wait', isPaidOnPage(session) ? 'We are opening the payment page for you.' : 'We are getting an account number for you.')}
<p>This takes some seconds. Please stay on this page.</p>${lookAgain(options)}`;
    case 'OPEN':
      return html`${stateLine('wait', 'We are waiting for your payment.')}${feeOnTop(session)}${howToPay(checkout, options)}`;
    case 'PARTIALLY_PAID':
      return html`${stateLine('part', `${moneyText(session, session.received)} came in. ${moneyText(session, session.outstanding)} is still missing.`)}
<p>Please send the rest in the same way.</p>${howToPay(checkout, options)}`;
    case 'PAID':
      return paid(session);
    case 'EXPIRED':
      return expired(session);
    case 'CANCELLED':
      return html`${stateLine('stop', 'There is nothing to pay here any more.')}${ifSent(session)}${backToShop(session)}`;
    case 'FAILED':
      return html`${stateLine('warn', `We could not ${isPaidOnPage(session) ? 'open the payment page' : 'get an account number'}. You have not paid anything.`)}
<p>Please go back to ${session.merchantName} and start again.</p>${backToShop(session)}`;
  }
}

function howToPay({ session, now }: Checkout, options: ContentOptions): Html {
  const hour = hourText(session.expiresAt);
  return html`${
    session.accounts.length > 0 &&
    html`${sendExactly(session)}
${session.accounts.map((account, at) => accountOf(session, account, at))}`
  }
${ussd(session)}${providerPage(session, options)}
<p>${session.accounts.length > 0 ? 'This number works' : 'You can pay'} until <strong>${hour}</strong> (Lagos time). Time left: <span role="timer" aria-live="off" id="countdown" data-until="${session.expiresAt}" data-now="${now.toISOString()}">${timeLeftText(session.expiresAt, now)}</span>.</p>
${options.checked && html`<p class="result">${CHECKED[options.checked]}</p>`}
<form method="post" action="${options.address('/check')}" id="check"><button class="main">${isPaidOnPage(session) ? 'I have paid' : 'I have sent the money'}</button></form>
${lookAgain(options)}
${wayBack(session.cancelUrl, `Cancel and go back to ${session.merchantName}`, 'cancel')}`;
}

/** The fee on top of the price, where the payer pays it. */
function feeOnTop(session: PublicSessionView): Html | null {
  const { amount, fee, vat } = session;
  if (fee === 0 && vat === 0) return null;
  const [price, charge, tax] = [amount, fee, vat].map((part) => moneyText(session, part));
  return html`<p class="small">This is ${price} plus a fee of ${charge} and VAT of ${tax}.</p>`;
}

function sendExactly(session: PublicSessionView): Html {
  const amount = html`<strong>${moneyText(session, session.outstanding)}</strong>`;
  if (session.amountRule !== 'EXACT') {
    return html`<p>Send ${amount}${session.amountRule === 'AT_LEAST' && ' or more'} from your bank app to this account number.</p>`;
  }
  return html`<p>Send exactly ${amount} from your bank app to this account number, in one transfer.</p>
<p class="small">If you send another amount, the payment may take longer, or your bank may get the money back.</p>`;
}

function accountOf(session: PublicSessionView, account: PublicSessionView['accounts'][number], at: number): Html {
  const { accountNumber, bankName, accountName } = account;
  const amount = moneyText(session, session.outstanding);
  return html`${at > 0 && html`<h2>Or to this account</h2>`}
<dl class="account">
${at === 0 && copyRow('Amount', amount, amount.replaceAll(/[^\d.]/g, '').replace(/\.00$/, ''))}
${copyRow('Account number', accountNumber, accountNumber)}
${plainRow('Bank', bankName)}
${plainRow('Account name your bank shows', accountName)}
</dl>`;
}

function ussd({ ussdCode }: PublicSessionView): Html | null {
  if (ussdCode === null) return null;
  const call = html`<a href="tel:${encodeURIComponent(ussdCode)}">${ussdCode}</a>`;
  return html`<h2>Or dial from your phone</h2><dl class="account">${copyRow('Code', call, ussdCode)}</dl>`;
}

/** Whether it is paid on a page of the payment company: a card always is, and an account number never. */
const isPaidOnPage = ({ channels }: Pick<PublicSessionView, 'channels'>): boolean =>
  channels.includes('CARD') || !channels.includes('BANK_TRANSFER');

/**
 * The last part of the path of the sandbox's own page, where the session is paid on it. Undefined where a provider has
 * the page.
 */
export function sandboxPageOf({ sessionId, mode, pageUrl }: PublicSessionView): string | undefined {
  const isOurs = mode === 'SANDBOX' && URL.parse(pageUrl ?? '')?.pathname === `/checkout/${sessionId}${SANDBOX_PAGE}`;
  return isOurs ? SANDBOX_PAGE : undefined;
}

function providerPage(session: PublicSessionView, { address }: ContentOptions): Html | null {
  const { pageUrl, channels, accounts } = session;
  const own = sandboxPageOf(session);
  const href = own === undefined ? pageAddress(pageUrl) : address(own);
  if (href === undefined) return null;
  const byCard = channels.length > 1 ? 'Pay with a card or in another way' : 'Pay with a card';
  const text = channels.includes('CARD') ? byCard : 'Continue to the payment page';
  return html`<p><a class="${accounts.length > 0 ? 'other' : 'main'}" href="${href}"${own === undefined && html` target="_top"`}>${text}</a></p>
<p class="small">You pay on the page of the payment company${channels.includes('CARD') && ', where your card stays'}. Come back here afterwards. If it does not work there, open it again and pay in another way.</p>`;
}

/** A link to look again, for browsers without scripts. With scripts the page looks by itself. */
function lookAgain({ address }: ContentOptions): Html {
  return html`<noscript><p><a href="${address('')}">Look again now</a>. This page also looks every 20 seconds.</p></noscript>`;
}

function paid(session: PublicSessionView): Html {
  const { merchantName, excess, amountRule } = session;
  const isTooMuch = excess > 0 && amountRule === 'EXACT';
  return html`${stateLine('done', `${merchantName} has received ${moneyText(session, session.received)}.`)}
${isTooMuch && html`<p>You sent ${moneyText(session, excess)} more than needed. Please ask ${merchantName} to return it.</p>`}
<p>You may close this page.</p>${receipt(session)}${backToShop(session)}`;
}

function expired(session: PublicSessionView): Html {
  const { received, outstanding, merchantName } = session;
  if (received > 0 && outstanding === 0) return paidLate(session);
  return html`${stateLine('stop', 'Please do not send money to this account number any more.')}
${received > 0 && html`<p>${moneyText(session, received)} came in. ${moneyText(session, outstanding)} was missing. Please ask ${merchantName} what happens now.</p>`}
${ifSent(session)}
<p>If you still want to pay, go back to ${merchantName} and start again. You get a new account number.</p>${backToShop(session)}`;
}

/** Asks who has paid all of it not to pay again. */
function paidLate(session: PublicSessionView): Html {
  const { received, merchantName } = session;
  return html`${stateLine('stop', `${moneyText(session, received)} came in, a part of it or all of it after the time was over.`)}
<p>Please do not pay again. Ask ${merchantName} what happens now, and name the reference below.</p>${receipt(session)}${backToShop(session)}`;
}

function ifSent(session: PublicSessionView): Html {
  return html`<p>If you have sent the money already, it is not lost. It comes to ${session.merchantName} late, or your bank gets it back. Please ask ${session.merchantName}, and name the reference below.</p>${receipt(session)}`;
}

function receipt({ reference }: PublicSessionView): Html {
  return html`<dl class="account">${copyRow('Reference', reference, reference)}</dl>`;
}

function backToShop({ returnUrl, cancelUrl, merchantName, status }: PublicSessionView): Html | null {
  const address = status === 'PAID' ? returnUrl : (cancelUrl ?? returnUrl);
  return wayBack(address, `Back to ${merchantName}`, 'main');
}
