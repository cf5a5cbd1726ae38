import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/platform/db/database.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import {
  createSandboxRail,
  type ProviderWebhook,
  type ProviderWebhookRequest,
  SANDBOX_SCENARIOS,
  type SandboxRailDeps,
  type SendRequest,
} from '../../src/rails/index.ts';
import { clockOf } from '../support/clock.ts';

export const SECRET = 'webhook-secret';
/** Of a caller that never aborts. */
export const SIGNAL = new AbortController().signal;

export function newTenant(): Tenant {
  return { merchantId: randomUUID(), mode: 'SANDBOX' };
}

export function accountOf(scenario: string): { bankCode: string; accountNumber: string } {
  const found = SANDBOX_SCENARIOS.find((entry) => entry.name === scenario);
  if (found === undefined) throw new Error(`no scenario ${scenario}`);
  return { bankCode: '058', accountNumber: `0000${found.suffix}` };
}

export function paymentTo(tenant: Tenant, account: { bankCode: string; accountNumber: string }): SendRequest {
  return {
    tenant,
    railReference: randomUUID(),
    amountMinor: 5_000n,
    currency: 'NGN',
    accountName: 'ADAEZE OBI',
    narration: 'test',
    ...account,
  };
}

/** A rail with a clock that tests move, and the provider webhooks that it delivered. */
export function openRail(database: Database, options: Partial<SandboxRailDeps> = {}) {
  const clock = { at: new Date('2026-11-02T09:00:00Z'), ...clockOf((): Date => new Date(clock.at)) };
  const taken: ProviderWebhookRequest[] = [];
  const providerWebhooks = {
    secret: SECRET,
    deliver: async (request: ProviderWebhookRequest) => void taken.push(request),
  };
  const rail = createSandboxRail({ database, clock, providerWebhooks, ...options });
  const forward = (seconds: number) => {
    clock.at = new Date(clock.at.getTime() + seconds * 1_000);
  };
  const read = async (): Promise<ProviderWebhook[]> =>
    (await Promise.all(taken.map((one) => rail.verifyWebhook(one)))).flat();
  return { rail, clock, forward, taken, read };
}
