import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { hindranceOf, type Principal } from '../access/index.ts';
import type { WalletTotal } from '../ledger/index.ts';
import { type Answer, success } from '../platform/answer.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import { parsePeriod } from '../platform/http/period.ts';
import { answers, Failure, Success } from '../platform/http/schemas.ts';
import { sendAnswer } from '../platform/http/server.ts';
import { goneSignal, sendExport } from '../platform/http/stored-file.ts';
import { listRequest } from '../platform/lists/list.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { ShownWallet, Wallet } from './directory.ts';
import { readStatement, type StatementDeps, streamStatementCsv } from './read-statement.ts';
import { MAX_SUMMARY_DAYS, readSummary } from './read-summary.ts';
import {
  MerchantWalletAnswer,
  NotApprovedAnswer,
  StatementPage,
  StatementQuery,
  SummaryQuery,
  WalletParams,
  WalletSummary,
} from './schemas.ts';
import { merchantWalletView, summaryView } from './views.ts';

export type WalletRoutesDeps = StatementDeps;

/** A page, or the whole period as a file. */
const statementAnswers: Record<'200', object> = {
  200: {
    description: 'A page of entries with the balance after each, or all entries of the period as CSV.',
    content: { 'application/json': { schema: Success(StatementPage) }, 'text/csv': { schema: Type.String() } },
  },
};

export function walletRoutes(deps: WalletRoutesDeps): FastifyPluginAsyncTypebox {
  const readTogether = createWalletReader(deps);
  return async (app) => {
    app.get(
      '/wallet/merchant',
      {
        // Open before approval, because this operation has a refusal of its own form.
        config: { access: { scope: 'wallet:read', beforeApproval: true }, errorCodes: ['KEY_TYPE_NOT_ALLOWED'] },
        schema: {
          tags: ['Wallets'],
          operationId: 'getMerchantWallet',
          summary: 'The merchant wallet and its balances',
          description:
            '`bookedBalance` is what is posted, `availableBalance` what may be spent. The totals of subaccounts are of the same moment, stores not among them.',
          response: { ...answers(MerchantWalletAnswer), 403: Type.Union([NotApprovedAnswer, Failure]) },
        },
      },
      async (request, reply) => sendAnswer(reply, await readMerchantWallet(deps, request.principal, readTogether)),
    );
    app.get(
      '/wallet/summary',
      {
        config: { access: { scope: 'wallet:read' }, errorCodes: ['WALLET_NOT_FOUND'] },
        schema: {
          tags: ['Wallets'],
          operationId: 'getWalletSummary',
          summary: 'What came in and went out by day, with the balance at the end of each',
          description:
            'Of one wallet, or of all together: what moves between your own wallets is then neither in nor out. A period has ' +
            `at most ${MAX_SUMMARY_DAYS} days, and comes with as many days before it. Of one wallet the figures are those of its statement.`,
          querystring: SummaryQuery,
          response: answers(Success(WalletSummary)),
        },
      },
      async (request, reply) => {
        const summary = await readSummary(deps, request.principal.tenant, request.query);
        return sendAnswer(reply, success('Success', summaryView(summary)));
      },
    );
    app.get(
      '/wallet/merchant/statement',
      {
        config: { access: { scope: 'wallet:read' }, errorCodes: ['EXPORTS_BUSY'] },
        schema: {
          tags: ['Wallets'],
          operationId: 'getMerchantWalletStatement',
          summary: 'Statement of the merchant wallet, with the balance after each entry',
          description: 'The last 30 days by default. As CSV with ?format=csv or Accept: text/csv.',
          querystring: StatementQuery,
          response: statementAnswers,
        },
      },
      (request, reply) => sendStatement(deps, request.principal.tenant, request, reply),
    );
    app.get(
      '/wallet/:walletId/statement',
      {
        config: { access: { scope: 'wallet:read' }, errorCodes: ['WALLET_NOT_FOUND', 'EXPORTS_BUSY'] },
        schema: {
          tags: ['Wallets'],
          operationId: 'getWalletStatement',
          summary: 'Statement of any wallet: main, store or subaccount',
          description: 'As the statement of the merchant wallet, for the wallet of a store or subaccount too.',
          params: WalletParams,
          querystring: StatementQuery,
          response: statementAnswers,
        },
      },
      (request, reply) => sendStatement(deps, request.principal.tenant, request, reply, request.params.walletId),
    );
  };
}

interface StatementRequest {
  query: Static<typeof StatementQuery>;
  headers: { accept?: string | undefined };
}

async function sendStatement(
  deps: StatementDeps,
  tenant: Tenant,
  { query, headers }: StatementRequest,
  reply: FastifyReply,
  walletId?: string,
): Promise<FastifyReply> {
  const search = { ...parsePeriod(query), ...(walletId === undefined ? {} : { walletId }) };
  if (wantsCsv(query.format, headers.accept)) {
    return sendExport(reply, 'statement.csv', await streamStatementCsv(deps, tenant, search));
  }
  return sendAnswer(
    reply,
    success('Success', await readStatement(deps, tenant, search, { ...listRequest(query), gone: goneSignal(reply) })),
  );
}

function wantsCsv(format: 'json' | 'csv' | undefined, accept: string | undefined): boolean {
  if (format !== undefined) return format === 'csv';
  return accept?.includes('text/csv') === true;
}

type ReadWallet = (asked: ShownWallet) => Promise<{ wallet: Wallet; total: WalletTotal }>;

/** All who ask at the same moment share one statement for the balances and one for the account numbers. */
function createWalletReader({ wallets, ledger }: WalletRoutesDeps): ReadWallet {
  return createGroupReader(async (asked: ShownWallet[]) => {
    const [shown, totals] = await Promise.all([
      wallets.showPayable(asked),
      ledger.readWalletTotals(asked.map(({ tenant, wallet }) => ({ tenant, walletId: wallet.id }))),
    ]);
    return shown.map((wallet, at) => ({ wallet, total: totals[at] as WalletTotal }));
  });
}

async function readMerchantWallet(
  deps: Pick<StatementDeps, 'wallets'>,
  principal: Principal,
  readTogether: ReadWallet,
): Promise<Answer> {
  const hindrance = hindranceOf(principal);
  if (hindrance !== null) return refusedWallet(hindrance);
  const { tenant } = principal;
  const own = await deps.wallets.requireTenantAccounts(tenant);
  const { wallet, total } = await readTogether({ tenant, wallet: own.wallet });
  const body = { status: true, data: { wallet: merchantWalletView(wallet, total) } };
  return { status: 200, body: JSON.stringify(body) };
}

/** This operation's refusals have a message and a status, and no code. */
function refusedWallet(hindrance: 'SUSPENDED' | 'NOT_APPROVED'): Answer {
  const message =
    hindrance === 'SUSPENDED'
      ? 'Your account is suspended. Please contact support.'
      : 'Your account must be approved before you can perform this action';
  return { status: 403, body: JSON.stringify({ message, status: false }) };
}
