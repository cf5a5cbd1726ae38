import type { FastifyInstance } from 'fastify';
import { requireOwnPage } from '../access/index.ts';
import { formatMoney } from '../money/index.ts';
import { outstandingOf, type ReadSession, requireSession, SANDBOX_PAGE } from '../payment-sessions/index.ts';
import type { Tenant } from '../platform/tenant.ts';
import { firstCharacters, oneForm } from '../platform/text.ts';
import type { PayerScenarioName } from '../rails/index.ts';
import { type PayAccountDeps, payAccount } from '../sandbox/index.ts';
import type { Assets } from './assets.ts';
import { type Html, html, pageAddress, stateLine, wayBack } from './html.ts';
import { documentOf } from './page.ts';
import { type Checkout, type CheckoutDeps, readCheckout } from './read-checkout.ts';
import {
  addressesOf,
  embeddingOf,
  fieldOf,
  keepSecret,
  requireOwner,
  requireSandboxOwner,
  type SessionRoute,
  seeOther,
  sendPage,
} from './scope.ts';

/** The attempts that a payer can make on the page. It asks for no data of a card, and could keep none. */
const ATTEMPTS = {
  approved: { channel: 'CARD', label: 'Card: approved', scenario: 'paid' },
  declined: { channel: 'CARD', label: 'Card: declined by the bank', scenario: null },
  pending: { channel: 'CARD', label: 'Card: takes a minute, then approved', scenario: 'pending_first' },
  unreported: { channel: 'CARD', label: 'Card: approved, and nobody reports it', scenario: 'never_notified' },
  transfer: { channel: 'BANK_TRANSFER', label: 'Transfer: arrives at once', scenario: 'paid' },
} as const satisfies Record<
  string,
  { channel: 'CARD' | 'BANK_TRANSFER'; label: string; scenario: PayerScenarioName | null }
>;

type AttemptName = keyof typeof ATTEMPTS;

const isAttempt = (text: string): text is AttemptName => Object.hasOwn(ATTEMPTS, text);

/** The result of the form that was just sent. */
const RESULTS = {
  declined: 'The bank declined the card. You have not paid anything. Try again, or pay in another way.',
  unknown: 'Choose what happens first.',
} as const;

interface TestPage {
  address(part: string): string;
  /** The attempts that the page offers. */
  attempts: readonly AttemptName[];
  result: keyof typeof RESULTS | undefined;
  /** A payment was just made on it. */
  isDone: boolean;
}

const TITLE = 'Test payment page';

/** A page that plays the page of a payment company. */
function testPage(assets: Assets, { session }: Checkout, { row }: ReadSession, page: TestPage): string {
  const left = outstandingOf(row);
  return documentOf(assets, {
    title: `${TITLE} · ${session.merchantName}`,
    header: html`<header class="bank"><p>${TITLE}</p></header>
<aside class="sandbox" aria-label="Test payment"><strong>This is no real payment company.</strong> No real money moves, and no card number is asked for.</aside>`,
    content:
      page.isDone || left === 0n ? done(session, page) : formHtml(session, page, formatMoney(left, row.currency)),
  });
}

type Shown = Pick<Checkout['session'], 'merchantName' | 'returnUrl' | 'cancelUrl' | 'description'>;

function done({ merchantName, returnUrl }: Shown, { address, isDone }: TestPage): Html {
  return html`<h1 tabindex="-1">${isDone ? 'Thank you' : 'Nothing is left to pay'}</h1>
${stateLine('done', isDone ? 'The payment company has your payment.' : 'This payment was made before.')}
${wayBack(returnUrl, `Back to ${merchantName}`, 'main')}
<p><a href="${address('')}">See the payment</a></p>`;
}

function formHtml({ merchantName, returnUrl, cancelUrl, description }: Shown, page: TestPage, amount: string): Html {
  const { address, result, attempts } = page;
  const back = [cancelUrl, returnUrl].find((one) => pageAddress(one) !== undefined) ?? null;
  return html`<h1 tabindex="-1">Pay ${amount} to ${merchantName}</h1>
${description !== null && html`<p class="about">${description}</p>`}
${result !== undefined && html`<p class="result" role="alert">${RESULTS[result]}</p>`}
<form method="post" action="${address(SANDBOX_PAGE)}">
<label for="try">What happens</label>
<select id="try" name="try">
${attempts.map((name) => html`<option value="${name}">${ATTEMPTS[name].label}</option>`)}
</select>
<label for="payerName">Your name</label>
<input id="payerName" name="payerName" maxlength="${MAX_NAME}" autocomplete="off" placeholder="Ada Obi">
<button class="main">Pay ${amount}</button>
</form>
<p class="small">To try what happens when nobody pays, close this page or go back.</p>
${wayBack(back, `Cancel and go back to ${merchantName}`, 'cancel')}
<p><a href="${address('')}">Back to the payment</a></p>`;
}

export type SandboxPageDeps = CheckoutDeps & PayAccountDeps;

const HIDDEN = { schema: { hide: true } };
const MAX_NAME = 100;

/** The page to which a payer of a sandbox's session is sent, as to a payment company's. Nobody's money moves. */
export function sandboxPageRoutes(app: FastifyInstance, deps: SandboxPageDeps, assets: Assets): void {
  app.get<SessionRoute>(`/checkout/:sessionId${SANDBOX_PAGE}`, HIDDEN, async (request, reply) => {
    const { sessionId } = request.params;
    const { s: clientSecret, paid, checked } = request.query;
    const address = addressesOf(request);
    if (typeof clientSecret === 'string') {
      requireOwner(deps, request, clientSecret);
      keepSecret(request, reply, { sessionId, clientSecret });
      return seeOther(reply, address(SANDBOX_PAGE));
    }
    const tenant = requireSandboxOwner(deps, request);
    const [checkout, session] = await Promise.all([
      readCheckout(deps, tenant, sessionId),
      requireSession(deps, tenant, sessionId),
    ]);
    const page = testPage(assets, checkout, session, {
      address,
      attempts: attemptsOf(session),
      result:
        typeof checked === 'string' && Object.hasOwn(RESULTS, checked) ? (checked as keyof typeof RESULTS) : undefined,
      isDone: paid !== undefined,
    });
    return sendPage(reply, page, embeddingOf(checkout, request));
  });
  app.post<SessionRoute>(`/checkout/:sessionId${SANDBOX_PAGE}`, HIDDEN, async (request, reply) => {
    requireOwnPage(request, deps.publicUrl);
    const tenant = requireSandboxOwner(deps, request);
    const wanted = fieldOf(request, 'try');
    const result = await attempt(deps, tenant, {
      session: await requireSession(deps, tenant, request.params.sessionId),
      wanted,
      payerName: firstCharacters(oneForm(fieldOf(request, 'payerName')), MAX_NAME),
    });
    const address = addressesOf(request);
    return seeOther(
      reply,
      result === undefined ? address(SANDBOX_PAGE, { paid: 'yes' }) : address(SANDBOX_PAGE, { checked: result }),
    );
  });
}

/** The attempts that the page of this session offers: none where the session has no such page. */
function attemptsOf({ row }: ReadSession): AttemptName[] {
  const offered = row.opens === 'PAGE' && row.opened_at !== null ? row.page_channels.split(' ') : [];
  return (Object.keys(ATTEMPTS) as AttemptName[]).filter((name) => offered.includes(ATTEMPTS[name].channel));
}

interface Attempt {
  session: ReadSession;
  wanted: string;
  payerName: string;
}

/** Pays what is left, by our reference of the page. @returns why nothing was paid; undefined where it was */
async function attempt(
  deps: SandboxPageDeps,
  tenant: Tenant,
  { session, wanted, payerName }: Attempt,
): Promise<keyof typeof RESULTS | undefined> {
  if (!isAttempt(wanted) || !attemptsOf(session).includes(wanted)) return 'unknown';
  const { channel, scenario } = ATTEMPTS[wanted];
  if (scenario === null) return 'declined';
  const amountMinor = outstandingOf(session.row);
  // Two tabs, or a double click: the session was paid meanwhile, and the page then says so.
  if (amountMinor === 0n) return undefined;
  await payAccount(deps, {
    tenant,
    accountNumber: session.row.id.replaceAll('-', ''),
    channel,
    amountMinor,
    scenario,
    ...(payerName !== '' && { payer: { name: payerName } }),
    idempotency: undefined,
  });
  return undefined;
}
