import { systemClock } from '../../src/platform/clock.ts';
import { createFlutterwaveRail, createMonnifyRail, createPaystackRail } from '../../src/rails/index.ts';
import { CREDENTIALS } from './monnify-support.ts';
import { SECRET_KEY as FLUTTERWAVE_KEY, SECRET_HASH, startFlutterwaveServer } from './providers/flutterwave-server.ts';
import { CONTRACT } from './providers/monnify-payments-server.ts';
import { startMonnifyServer } from './providers/monnify-server.ts';
import { SECRET_KEY, startPaystackServer } from './providers/paystack-server.ts';
import { describeSettlementSource } from './settlement-conformance.ts';

const NOWHERE = 'http://127.0.0.1:9';

describeSettlementSource(
  'Paystack',
  async () => {
    const server = await startPaystackServer();
    const railAt = (baseUrl: string) =>
      createPaystackRail({ credentials: { secretKey: SECRET_KEY }, baseUrl, clock: systemClock });
    return {
      rail: railAt(server.baseUrl),
      unreachable: railAt(NOWHERE),
      books: server.wallets.settlements,
      server,
      secrets: [SECRET_KEY],
      close: server.close,
    };
  },
  { lists: true, deductions: 'each' },
);

describeSettlementSource(
  'Flutterwave',
  async () => {
    const server = await startFlutterwaveServer();
    const credentials = { secretKey: FLUTTERWAVE_KEY, secretHash: SECRET_HASH };
    const railAt = (baseUrl: string) => createFlutterwaveRail({ credentials, baseUrl, clock: systemClock });
    return {
      rail: railAt(server.baseUrl),
      unreachable: railAt(NOWHERE),
      books: server.wallets.settlements,
      server,
      secrets: [FLUTTERWAVE_KEY, SECRET_HASH],
      close: server.close,
    };
  },
  { lists: true, deductions: 'one' },
);

describeSettlementSource(
  'Monnify',
  async () => {
    const server = await startMonnifyServer();
    const { books, notice } = server.wallets.settlements;
    const credentials = { ...CREDENTIALS, contractCode: CONTRACT };
    const railAt = (baseUrl: string) => createMonnifyRail({ credentials, baseUrl, clock: systemClock });
    return {
      rail: railAt(server.baseUrl),
      unreachable: railAt(NOWHERE),
      books,
      server,
      secrets: [CREDENTIALS.secretKey, CREDENTIALS.apiKey],
      notice(row, how) {
        if (how === 'malformed')
          return server.signed(Buffer.from('{"eventType":"SETTLEMENT","eventData":{"amount":"7"}}'));
        const signed = server.signed(notice(row));
        return how === 'forged' ? { ...signed, rawBody: Buffer.from(`${signed.rawBody.toString()} `) } : signed;
      },
      close: server.close,
    };
  },
  { lists: false, deductions: 'none' },
);
