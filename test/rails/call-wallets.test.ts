import { describe, expect, it } from 'vitest';
import { createRailCaller, NotSentError, type Rail } from '../../src/rails/index.ts';
import type { WalletProvider } from '../../src/rails/wallet-provider.ts';
import { newTenant } from './sandbox-support.ts';
import { HOLDER } from './wallet-support.ts';

const NOBODY = () => Promise.reject(new Error('nobody asks for this'));
const RAIL: Rail = {
  name: 'a rail',
  nameEnquiry: NOBODY,
  send: NOBODY,
  query: NOBODY,
  verifyWebhook: NOBODY,
  balance: NOBODY,
};

/** A provider of which every call comes to this. */
function walletsThat(come: () => Promise<never>): WalletProvider {
  return {
    capabilities: {
      needs: [],
      takesNin: false,
      closesAccounts: true,
      severalBanks: false,
      queriesBySessionId: false,
    },
    openAccount: come,
    closeAccount: come,
    queryCredit: come,
    listCredits: come,
    readCreditWebhook: come,
  };
}

function callerOf(wallets: WalletProvider) {
  const limits = { accountTimeoutMs: 20, queryTimeoutMs: 20, breakerCalls: 1_000 };
  const caller = createRailCaller({ ...RAIL, wallets }, { limits });
  if (caller.wallets === undefined) throw new Error('a rail with wallets has a caller with them');
  return caller.wallets;
}

const TENANT = newTenant();
const KEY = { providerTransactionId: '7', providerReference: null, sessionId: null };
const WINDOW = { from: new Date(0), to: new Date(1), cursor: null };
const OPENING = { tenant: TENANT, reference: 'r', holder: HOLDER, preferredBank: null };
const CLOSING = { tenant: TENANT, reference: 'r', providerAccountId: '7' };

describe('the caller of a wallet provider', () => {
  it.each([
    ['does not answer', () => new Promise<never>(() => undefined), 'RAIL_TIMEOUT'],
    ['breaks off', () => Promise.reject(new Error('reset')), 'RAIL_UNREACHABLE'],
    ['was not asked', () => Promise.reject(new NotSentError('no', { reason: 'NO_REASON' })), 'NO_REASON'],
  ] as const)('calls everything unknown and lists nothing where the provider %s', async (_how, come, reason) => {
    const wallets = callerOf(walletsThat(come));
    const unknown = { outcome: 'unknown', reason, code: null, at: expect.any(Date) };
    expect(await wallets.openAccount(OPENING)).toMatchObject(unknown);
    expect(await wallets.closeAccount(CLOSING)).toMatchObject(unknown);
    expect(await wallets.queryCredit(KEY)).toMatchObject(unknown);
    await expect(wallets.listCredits(WINDOW)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('shows names of banks and accounts without what nobody can see', async () => {
    const account = {
      bankCode: null,
      bankName: 'Wema\u200b Bank',
      accountNumber: '9930000737',
      accountName: 'Ada\u202e Obi\n',
    };
    const said = { code: null, reason: null, message: 'Opened', at: new Date(0) };
    const wallets = callerOf({
      ...walletsThat(NOBODY),
      openAccount: async () => ({ outcome: 'opened', accounts: [account], providerAccountId: '7', ...said }),
    });
    expect(await wallets.openAccount(OPENING)).toMatchObject({
      outcome: 'opened',
      accounts: [{ bankName: 'Wema Bank', accountName: 'Ada Obi' }],
    });
  });

  it('is not there where the rail has no wallets', () => {
    expect(createRailCaller(RAIL).wallets).toBeUndefined();
  });
});
