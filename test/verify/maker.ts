import { newId } from '../../src/platform/ids.ts';
import type { Call, Method } from '../approvals/approval-fixture.ts';
import type { TestApp, TestMerchant } from '../support/app.ts';
import type { Random } from './random.ts';

/** What the parts of a history are made with. */
export interface Maker {
  t: TestApp;
  random: Random;
  shop: TestMerchant;
  /** By the shop's secret key; each with an idempotency key. @throws Error for anything but success. */
  must: Must;
  byKey: Call;
  /** Does all that is due now. */
  work(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: what a success carries has many shapes
export type Must = (method: Method, path: string, body?: unknown, headers?: Record<string, string>) => Promise<any>;

export const mustOf =
  (call: Call): Must =>
  async (method, path, body, headers = {}) => {
    const key: Record<string, string> = method === 'GET' ? {} : { 'idempotency-key': newId() };
    const reply = await call(method, path, body, { ...key, ...headers });
    if (reply.body?.status !== true) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.body.data;
  };

/**
 * Moves the sandbox's clock of whom `must` asks for. Minutes pass before and after: a proof allows the clocks of two
 * processes one.
 */
export async function moveSandboxClock({ t }: Maker, must: Must, seconds: number): Promise<void> {
  t.clock.advance(120_000);
  await must('POST', '/sandbox/clock/advance', { seconds });
  t.clock.advance(120_000);
}

/** Amounts in naira at the edges of the fees, and between them. */
export function amountOf({ pick, below }: Random): number {
  return pick([1_000, 5_000, 5_000.01, 9_999.99, 10_000, 50_000, 50_000.01, (10_000 + below(2_000_000)) / 100]);
}
