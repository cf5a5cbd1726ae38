import { type Clock, systemClock } from '../../src/platform/clock.ts';
import {
  createMonnifyRail,
  type MonnifyCredentials,
  type RailCaller,
  type SendRequest,
} from '../../src/rails/index.ts';
import { clockOf } from '../support/clock.ts';
import { createHurriedCaller } from '../support/hurried-caller.ts';
import { newReference } from './harness.ts';
import {
  ACCOUNTS,
  API_KEY,
  type MonnifyServer,
  SECRET_KEY,
  startMonnifyServer,
  WALLET,
} from './providers/monnify-server.ts';

export const TENANT = { merchantId: '01890000-0000-7000-8000-000000000001', mode: 'SANDBOX' } as const;
export const CREDENTIALS = { apiKey: API_KEY, secretKey: SECRET_KEY, walletAccountNumber: WALLET };
export const HOUR_MS = 3_600_000;

export interface MovedClock extends Clock {
  move(byMs: number): void;
}

export function movedClock(): MovedClock {
  let ahead = 0;
  return {
    ...clockOf(() => new Date(systemClock.now().getTime() + ahead)),
    move(byMs) {
      ahead += byMs;
    },
  };
}

/** A stand-in with a clock of its own, and the adapter before it. */
export interface MonnifyFixture {
  server: MonnifyServer;
  clock: MovedClock;
  caller: RailCaller;
  callerWith(credentials: MonnifyCredentials): RailCaller;
}

export async function openMonnify(): Promise<MonnifyFixture> {
  const server = await startMonnifyServer();
  const clock = movedClock();
  const callerWith = (credentials: MonnifyCredentials) =>
    createHurriedCaller(createMonnifyRail({ credentials, baseUrl: server.baseUrl, clock }), {
      isUnanswered: ({ accountNumber }) => accountNumber === ACCOUNTS.unansweredExecuted,
      abandonAfterMs: 1_000,
      limits: { breakerCalls: 1_000 },
    });
  return { server, clock, callerWith, caller: callerWith(CREDENTIALS) };
}

export function payment(changes: Partial<SendRequest> = {}): SendRequest {
  return {
    tenant: TENANT,
    railReference: newReference(),
    amountMinor: 1_234_505n,
    currency: 'NGN',
    bankCode: '057',
    accountNumber: ACCOUNTS.plain,
    accountName: 'ADAEZE OBI',
    narration: 'Salary',
    ...changes,
  };
}
