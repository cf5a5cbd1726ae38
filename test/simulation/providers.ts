import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/db/database.ts';
import type { Secrets } from '../../src/platform/secrets.ts';
import { addRail } from '../../src/rail-accounts/index.ts';
import type { ProviderWebhookRequest } from '../../src/rails/index.ts';
import { CREDENTIALS } from '../rails/monnify-support.ts';
import {
  SECRET_KEY as FLUTTERWAVE_KEY,
  SECRET_HASH,
  startFlutterwaveServer,
} from '../rails/providers/flutterwave-server.ts';
import { CONTRACT } from '../rails/providers/monnify-payments-server.ts';
import { startMonnifyServer } from '../rails/providers/monnify-server.ts';
import { SECRET_KEY as PAYSTACK_KEY, startPaystackServer } from '../rails/providers/paystack-server.ts';
import type { CreditRow, WalletBooks } from '../rails/providers/wallet-books.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/** A stand-in of a provider with its books, behind a line that can be cut. */
export interface Provider {
  name: string;
  books: WalletBooks;
  line: TcpProxy;
  deposit(accountNumber: string, amountMinor: bigint): CreditRow;
  /** As the provider signs it; `amountMinor` is what it says in place of the truth. */
  webhook(credit: CreditRow, changes?: { amountMinor?: bigint }): ProviderWebhookRequest;
  /** The provider's id of a credit, as payments in have it. */
  idOf(credit: CreditRow): string;
  close(): Promise<void>;
}

type Unlined = Omit<Provider, 'line'> & { baseUrl: string; credentials: object };

async function paystack(): Promise<Unlined> {
  const server = await startPaystackServer();
  const { books, chargeSuccess } = server.wallets;
  return {
    name: 'paystack',
    books,
    baseUrl: server.baseUrl,
    credentials: { secretKey: PAYSTACK_KEY },
    deposit: (accountNumber, amountMinor) => books.deposit({ accountNumber, amountMinor }),
    webhook: (credit, changes) => server.signed(chargeSuccess(credit, changes)),
    idOf: ({ id }) => String(id),
    close: server.close,
  };
}

async function flutterwave(): Promise<Unlined> {
  const server = await startFlutterwaveServer();
  const { books, chargeCompleted } = server.wallets;
  return {
    name: 'flutterwave',
    books,
    baseUrl: server.baseUrl,
    credentials: { secretKey: FLUTTERWAVE_KEY, secretHash: SECRET_HASH },
    deposit: (accountNumber, amountMinor) => books.deposit({ accountNumber, amountMinor }),
    webhook: (credit, changes) => server.signed(chargeCompleted(credit, changes)),
    idOf: ({ id }) => String(id),
    close: server.close,
  };
}

async function monnify(): Promise<Unlined> {
  const server = await startMonnifyServer();
  const { wallets } = server;
  return {
    name: 'monnify',
    books: wallets.books,
    baseUrl: server.baseUrl,
    credentials: { ...CREDENTIALS, contractCode: CONTRACT },
    deposit(accountNumber, amountMinor) {
      wallets.deposit({ accountNumber, amountMinor });
      return wallets.books.credits.at(-1) as CreditRow;
    },
    webhook: (credit, changes) => server.signed(wallets.successfulTransaction(credit, changes)),
    idOf: (credit) => wallets.keyOf(credit).providerTransactionId ?? '',
    close: server.close,
  };
}

/** Three providers, each an account of the sandbox mode. */
export async function startProviders(deps: { database: Database; secrets: Secrets }): Promise<Provider[]> {
  const started = await Promise.all([paystack(), flutterwave(), monnify()]);
  return Promise.all(
    started.map(async ({ baseUrl, credentials, ...provider }) => {
      const line = await startTcpProxy(Number(new URL(baseUrl).port));
      const { name } = provider;
      await addRail(
        { ...deps, clock: systemClock },
        {
          name,
          provider: name,
          mode: 'SANDBOX',
          credentials: JSON.stringify(credentials),
          baseUrl: `http://127.0.0.1:${line.port}`,
          openToMerchants: false,
          replace: false,
          check: false,
        },
      );
      return {
        ...provider,
        line,
        async close() {
          await line.close();
          await provider.close();
        },
      };
    }),
  );
}
