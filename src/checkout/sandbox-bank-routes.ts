import type { FastifyInstance } from 'fastify';
import { requireOwnPage } from '../access/index.ts';
import { parseTypedAmount, typedAmount } from '../money/index.ts';
import { type ReadSession, requireSession } from '../payment-sessions/index.ts';
import { AppError } from '../platform/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import { firstCharacters, isVisible, oneForm } from '../platform/text.ts';
import { PAYER_SCENARIO_NAMES, PAYER_SCENARIOS } from '../rails/index.ts';
import { accountNumberNotFound, type PayAccountDeps, payAccount } from '../sandbox/index.ts';
import type { Assets } from './assets.ts';
import { type Html, html, stateLine } from './html.ts';
import { documentOf } from './page.ts';
import { type Checkout, type CheckoutDeps, readCheckout } from './read-checkout.ts';
import {
  addressesOf,
  embeddingOf,
  fieldOf,
  requireSandboxOwner,
  type SessionRoute,
  seeOther,
  sendPage,
} from './scope.ts';

/** The form as the person filled it in. */
interface BankForm {
  accountNumber: string;
  amount: string;
  payerName: string;
  scenario: string;
}

interface BankPage {
  address(part: string): string;
  form: BankForm;
  /** Why the form was refused. */
  mistake?: string;
  /** The amount that was just sent, as it was typed. */
  paid?: string;
}

const TITLE = 'Test bank';

/** The bank of a sandbox's payers, as a form. */
function sandboxBankPage(assets: Assets, { session }: Checkout, page: BankPage): string {
  const { paid } = page;
  return documentOf(assets, {
    title: `${TITLE} · ${session.merchantName}`,
    header: html`<header class="bank"><p>${TITLE}</p></header>
<aside class="sandbox" aria-label="Test payment"><strong>This is no real bank.</strong> No real money moves.</aside>`,
    content: paid === undefined ? formHtml(page) : sent(page, paid),
  });
}

function sent({ address }: BankPage, paid: string): Html {
  return html`<h1 tabindex="-1">Transfer sent</h1>
${stateLine('done', `You sent ₦${paid}.`)}
<p>The payment page shows it in a moment.</p>
<p><a class="main" href="${address('')}">Back to the payment page</a></p>
<p><a href="${address('/sandbox-bank')}">Send another transfer</a></p>`;
}

function formHtml({ address, form, mistake }: BankPage): Html {
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

export type SandboxBankDeps = CheckoutDeps & PayAccountDeps;

const HIDDEN = { schema: { hide: true } };
const MAX_NAME = 100;

/** A bank on which a person pays a sandbox session as a customer would. Nobody's money moves. */
export function sandboxBankRoutes(app: FastifyInstance, deps: SandboxBankDeps, assets: Assets): void {
  app.get<SessionRoute>('/checkout/:sessionId/sandbox-bank', HIDDEN, async (request, reply) => {
    const tenant = requireSandboxOwner(deps, request);
    const [checkout, { accounts }] = await Promise.all([
      readCheckout(deps, tenant, request.params.sessionId),
      requireSession(deps, tenant, request.params.sessionId),
    ]);
    const { paid } = request.query;
    const page = sandboxBankPage(assets, checkout, {
      address: addressesOf(request),
      form: emptyForm(checkout, accounts),
      ...(typeof paid === 'string' && { paid }),
    });
    return sendPage(reply, page, embeddingOf(checkout, request));
  });
  app.post<SessionRoute>('/checkout/:sessionId/sandbox-bank', HIDDEN, async (request, reply) => {
    requireOwnPage(request, deps.publicUrl);
    const tenant = requireSandboxOwner(deps, request);
    const address = addressesOf(request);
    const form = formOf(request);
    try {
      await pay(deps, { tenant, sessionId: request.params.sessionId }, form);
    } catch (error) {
      if (!(error instanceof AppError) || !REFUSALS.has(error.kind)) throw error;
      const checkout = await readCheckout(deps, tenant, request.params.sessionId);
      const mistake = error.errors?.map(({ field, message }) => `The ${field} ${message}.`).join(' ') ?? error.message;
      const page = sandboxBankPage(assets, checkout, { address, form, mistake });
      return sendPage(reply.code(422), page, embeddingOf(checkout, request));
    }
    return seeOther(reply, address('/sandbox-bank', { paid: form.amount }));
  });
}

/** Refusals that a person who fills in the form can correct. */
const REFUSALS: ReadonlySet<string> = new Set(['invalid', 'refused', 'not_found']);

/** The number stands in it also where the payment page shows none any more: who pays late or twice has kept it. */
function emptyForm({ session }: Checkout, [account]: ReadSession['accounts']): BankForm {
  return {
    accountNumber: account?.account_number ?? '',
    amount: session.payable ? String(session.outstanding) : '',
    payerName: '',
    scenario: 'paid',
  };
}

function formOf(request: { body: unknown }): BankForm {
  return {
    accountNumber: fieldOf(request, 'accountNumber').replaceAll(/\s/g, ''),
    amount: typedAmount(fieldOf(request, 'amount')),
    payerName: firstCharacters(oneForm(fieldOf(request, 'payerName')), MAX_NAME),
    scenario: fieldOf(request, 'scenario'),
  };
}

/** Pays to a number of this session alone, because anybody with the link can use the page. */
async function pay(
  deps: SandboxBankDeps,
  { tenant, sessionId }: { tenant: Tenant; sessionId: string },
  form: BankForm,
): Promise<void> {
  const amountMinor = parseTypedAmount(form.amount);
  const { accounts } = await requireSession(deps, tenant, sessionId);
  if (!accounts.some(({ account_number }) => account_number === form.accountNumber)) throw accountNumberNotFound();
  await payAccount(deps, {
    tenant,
    accountNumber: form.accountNumber,
    amountMinor,
    scenario: PAYER_SCENARIO_NAMES.find((name) => name === form.scenario),
    ...(form.payerName !== '' && isVisible(form.payerName) && { payer: { name: form.payerName } }),
    idempotency: undefined,
  });
}
