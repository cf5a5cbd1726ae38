import { randomUUID } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import {
  createRailCaller,
  createSandboxRail,
  SANDBOX_SCENARIOS,
  type SandboxRail,
  type SendRequest,
} from '../../src/rails/index.ts';
import { scenarioFor } from '../../src/rails/sandbox/scenarios.ts';
import { signWebhook } from '../../src/rails/sandbox/webhooks.ts';
import { exportRecord } from '../../src/reconciliation/views.ts';
import { openTestDatabase } from '../support/database.ts';
import { createHurriedCaller, sandboxGivesNoAnswer } from '../support/hurried-caller.ts';
import { describeRail } from './conformance.ts';
import { type FalseFacts, REPORTED } from './harness.ts';
import { accountOf, newTenant, openRail, paymentTo, SECRET, SIGNAL } from './sandbox-support.ts';

const ORDINARY = ['0000000017', '0000000018', '0000000011', '0000000014', '0000000010', '0123456785', '0000099999'];

let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ database, drop } = await openTestDatabase());
});
afterAll(() => drop());

/** The outcome of a send; a throw is what the caller would call unknown. */
async function sending(rail: SandboxRail, request: SendRequest): Promise<string> {
  const answer = await createHurriedCaller(rail, { isUnanswered: sandboxGivesNoAnswer, abandonAfterMs: 200 }).send(
    request,
  );
  return answer.outcome;
}

/** As `sending`, of what answers by now: however busy the machine is. */
async function sendingAgain(rail: SandboxRail, request: SendRequest): Promise<string> {
  return (await createRailCaller(rail).send(request)).outcome;
}

async function querying(rail: SandboxRail, request: SendRequest): Promise<string> {
  return (await createRailCaller(rail).query(request)).outcome;
}

async function executions(rail: SandboxRail, tenant: Tenant, railReference: string): Promise<number> {
  const all = await rail.listTransfers(tenant, { after: '', limit: 1_000 });
  return all.filter((line) => line.railReference === railReference && line.outcome === 'succeeded').length;
}

describeRail(
  'sandbox',
  async () => {
    const own = await openTestDatabase();
    const tenant = newTenant();
    let scenario = scenarioFor('', 'early-webhook');
    const rail = createSandboxRail({
      database: own.database,
      providerWebhooks: { secret: SECRET, deliver: async () => undefined },
    });
    return {
      rail,
      tenant,
      accounts: {
        plain: { bankCode: '058', accountNumber: '0123456785' },
        nameNotFound: accountOf('name-not-found'),
        definiteFailure: accountOf('failed-do-not-honour'),
        unansweredExecuted: accountOf('timeout-executed'),
        unansweredLost: accountOf('timeout-not-executed'),
        pending: accountOf('pending-then-success'),
        unlistedCode: accountOf('unlisted-code'),
      },
      executions: (railReference) => executions(rail, tenant, railReference),
      misreport(falseFacts) {
        scenario = scenarioFor('', falseFacts === undefined ? 'early-webhook' : falseScenario(falseFacts));
        return { scenario: scenario.name };
      },
      webhook: ({ railReference, amountMinor, account = { bankCode: '058', accountNumber: '0123456785' } }) => {
        const row = {
          rail_reference: railReference,
          amount_minor: amountMinor,
          currency: 'NGN',
          bank_code: account.bankCode,
          account_number: account.accountNumber,
          session_id: '9'.repeat(30),
          webhooks_delivered: 0,
        };
        return signWebhook(SECRET, tenant, row, scenario, new Date())!.request;
      },
      settlementFile: (line) => {
        const record = exportRecord({ reported: line, sessionId: '', status: 'successful', at: new Date() });
        return { text: stringify([record], { header: true }), amountsInKobo: false };
      },
      close: () => own.drop(),
    };
  },
  { reports: REPORTED.sandbox },
);

/** The scenario that reports these false facts. */
function falseScenario({ amountMinor, currency, accountNumber }: FalseFacts): string {
  if (amountMinor !== undefined) return 'other-amount';
  if (currency !== undefined) return 'other-currency';
  return accountNumber === undefined ? 'other-reference' : 'other-account';
}

describe('the sandbox rail', () => {
  it('pays ordinary accounts at once with one statement, and resolves names with none', async () => {
    let asked = 0;
    const counted: Database = {
      ...database,
      query(...args) {
        asked += 1;
        return database.query(...args);
      },
    };
    const { rail } = openRail(counted);
    const tenant = newTenant();
    for (const accountNumber of ORDINARY) {
      asked = 0;
      const request = paymentTo(tenant, { bankCode: '044', accountNumber });
      expect(await rail.nameEnquiry(request, SIGNAL)).toMatchObject({ outcome: 'found' });
      expect(asked).toBe(0);
      expect(await rail.send(request, SIGNAL)).toMatchObject({ outcome: 'succeeded', code: '00' });
      expect(asked).toBe(1);
      expect(await rail.query(request, SIGNAL)).toMatchObject({ outcome: 'succeeded', code: '00' });
      expect(asked).toBe(2);
    }
  });

  it('gives a 30-digit session id and the same one again for the same reference', async () => {
    const { rail, forward } = openRail(database);
    const request = paymentTo(newTenant(), { bankCode: '058', accountNumber: '0123456785' });
    const { sessionId } = await rail.send(request, SIGNAL);
    forward(100);
    expect(sessionId).toMatch(/^999999261102090000\d{12}$/);
    expect((await rail.send(request, SIGNAL)).sessionId).toBe(sessionId);
    expect((await rail.query(request, SIGNAL)).sessionId).toBe(sessionId);
  });

  it('gives the owner of an account a Nigerian-looking name, and a mismatched account a different one', async () => {
    const { rail } = openRail(database);
    const tenant = newTenant();
    const nameOf = async (scenario?: string) =>
      (await rail.nameEnquiry({ tenant, bankCode: '058', accountNumber: '0123456785', scenario }, SIGNAL)).accountName;
    expect(await nameOf()).toMatch(/^[A-Z]+ [A-Z]+ [A-Z]+$/);
    const [owner, other] = [await nameOf(), await nameOf('name-mismatch')];
    expect(other?.split(' ').filter((part) => owner?.includes(part))).toEqual([]);
  });

  it('lets the name of a scenario win over the account number, and ignores a name that is none', async () => {
    const { rail } = openRail(database);
    const request = paymentTo(newTenant(), { bankCode: '058', accountNumber: '0123456785' });
    expect((await rail.send({ ...request, scenario: 'failed-limit' }, SIGNAL)).code).toBe('61');
    expect((await rail.send({ ...request, railReference: randomUUID(), scenario: 'nonsense' }, SIGNAL)).code).toBe(
      '00',
    );
  });

  it('fails definitely with the listed code, reason and no execution', async () => {
    const { rail } = openRail(database);
    const tenant = newTenant();
    const expected: Record<string, string> = {
      'failed-do-not-honour': 'DO_NOT_HONOUR',
      'failed-dormant-account': 'ACCOUNT_DORMANT',
      'failed-invalid-account': 'ACCOUNT_INVALID',
      'failed-name-mismatch': 'ACCOUNT_NAME_MISMATCH',
      'failed-rail-funds': 'RAIL_FUNDS_INSUFFICIENT',
      'failed-limit': 'LIMIT_EXCEEDED',
      'failed-suspected-fraud': 'FRAUD_SUSPECTED',
      'failed-not-permitted': 'SENDER_NOT_PERMITTED',
    };
    for (const [scenario, reason] of Object.entries(expected)) {
      const answer = await rail.send(paymentTo(tenant, accountOf(scenario)), SIGNAL);
      expect(answer).toMatchObject({ outcome: 'failed', reason });
    }
    expect((await rail.balance(tenant, SIGNAL)).availableMinor).toBe(1_000_000_000_000n);
  });

  it.each<[scenario: string, send: string, ...queries: string[]]>([
    ['timeout-executed', 'unknown', 'succeeded'],
    ['timeout-not-executed', 'unknown', 'not_found', 'not_found', 'not_found'],
    ['timeout-failed', 'unknown', 'failed'],
    ['error-executed', 'unknown', 'succeeded'],
    ['rail-down', 'unknown', 'unknown', 'not_found'],
    ['pending-then-success', 'unknown', 'unknown', 'succeeded', 'succeeded'],
    ['pending-then-failed', 'unknown', 'unknown', 'failed'],
    ['not-found-then-success', 'unknown', 'not_found', 'succeeded'],
    ['pending-forever', 'unknown', 'unknown', 'unknown', 'unknown'],
    ['late-reversal', 'succeeded', 'succeeded', 'reversed', 'reversed'],
    ['unlisted-code', 'unknown', 'unknown', 'succeeded'],
  ])('plays %s: send %s, then queries %s %s %s', async (scenario, send, ...queries) => {
    const { rail } = openRail(database);
    const request = paymentTo(newTenant(), accountOf(scenario));
    expect(await sending(rail, request)).toBe(send);
    for (const outcome of queries) expect(await querying(rail, request)).toBe(outcome);
  });

  it.each([
    ['pending-then-success', 5, 'succeeded'],
    ['pending-then-failed', 5, 'failed'],
    ['not-found-then-success', 5, 'succeeded'],
    ['late-reversal', 10, 'reversed'],
    ['rail-down', 10, 'not_found'],
  ])('lets time alone bring %s to its end after %d s', async (scenario, seconds, end) => {
    const { rail, forward } = openRail(database);
    const request = paymentTo(newTenant(), accountOf(scenario));
    await sending(rail, request);
    forward(seconds - 0.001);
    expect(await querying(rail, request)).not.toBe(end);
    forward(0.001);
    expect(await querying(rail, request)).toBe(end);
  });

  it('executes a lost transfer once when it is sent again, even many times at once', async () => {
    for (const scenario of ['timeout-not-executed', 'rail-down']) {
      const { rail, forward } = openRail(database);
      const tenant = newTenant();
      const request = paymentTo(tenant, accountOf(scenario));
      await sending(rail, request);
      forward(10);
      expect(await executions(rail, tenant, request.railReference)).toBe(0);
      const again = await Promise.all(Array.from({ length: 5 }, () => sendingAgain(rail, request)));
      expect(new Set(again)).toEqual(new Set(['succeeded']));
      expect(await executions(rail, tenant, request.railReference)).toBe(1);
      expect((await rail.balance(tenant, SIGNAL)).availableMinor).toBe(1_000_000_000_000n - request.amountMinor);
    }
  });

  it('lets a lost transfer arrive at the time of the first that brings it, when two send it again together', async () => {
    const first = openRail(database);
    const tenant = newTenant();
    const request = paymentTo(tenant, accountOf('timeout-not-executed'));
    await sending(first.rail, request);

    // The second reads the transfer as lost, and only then does the first bring it.
    const interrupted: Database = {
      ...database,
      async query(statement, values) {
        const rows = await database.query(statement, values);
        if (statement.name === 'find-sandbox-rail-transfer') await first.rail.send(request, SIGNAL);
        return rows;
      },
    };
    const second = openRail(interrupted);
    second.forward(60);
    expect((await second.rail.send(request, SIGNAL)).outcome).toBe('succeeded');
    const [line] = await first.rail.listTransfers(tenant, { after: '', limit: 1 });
    expect(line?.receivedAt).toEqual(first.clock.now());
  });

  it('stays down for a second send too', async () => {
    const { rail } = openRail(database);
    const request = paymentTo(newTenant(), accountOf('rail-down'));
    expect([await sending(rail, request), await sending(rail, request)]).toEqual(['unknown', 'unknown']);
    expect(await querying(rail, request)).toBe('unknown');
  });

  it('takes about three seconds for a slow success, and has executed it when the caller abandons the call before', async () => {
    const { rail } = openRail(database);
    const tenant = newTenant();
    const request = paymentTo(tenant, accountOf('slow-success'));
    expect(await sending(rail, request)).toBe('unknown');
    expect(await executions(rail, tenant, request.railReference)).toBe(1);
    const startedAt = performance.now();
    const slow = await rail.send({ ...request, railReference: randomUUID() }, SIGNAL);
    expect(slow.outcome).toBe('succeeded');
    expect(performance.now() - startedAt).toBeGreaterThan(2_900);
  });

  it('keeps the books of merchants apart, under the same reference too', async () => {
    const { rail } = openRail(database);
    const [one, two] = [newTenant(), newTenant()];
    const request = paymentTo(one, { bankCode: '058', accountNumber: '0123456785' });
    await rail.send(request, SIGNAL);
    expect((await rail.query({ ...request, tenant: two }, SIGNAL)).outcome).toBe('not_found');
    await rail.send({ ...request, tenant: two, amountMinor: 9n }, SIGNAL);
    expect((await rail.balance(two, SIGNAL)).availableMinor).toBe(1_000_000_000_000n - 9n);
  });

  it('executes each reference once, however many sends of any merchants come at the same moment', async () => {
    const { rail } = openRail(database);
    const [one, two] = [newTenant(), newTenant()];
    const requests = Array.from({ length: 40 }, () => paymentTo(one, { bankCode: '058', accountNumber: '0123456785' }));
    const twins = requests.map((request) => ({ ...request, tenant: two }));
    const mixedUp = { ...requests[0]!, amountMinor: 7n };
    const answers = await Promise.all(
      [...requests, ...twins, ...requests, mixedUp].map((request) => rail.send(request, SIGNAL)),
    );
    expect(answers.slice(0, 120).map((answer) => answer.outcome)).toEqual(
      Array.from({ length: 120 }, () => 'succeeded'),
    );
    expect(answers.filter((answer) => answer.message.startsWith('Sent before'))).toHaveLength(40);
    expect(answers.at(-1)).toMatchObject({ outcome: 'unknown', code: '94' });
    for (const tenant of [one, two]) {
      const lines = await rail.listTransfers(tenant, { after: '', limit: 100 });
      expect(lines).toHaveLength(40);
      expect(new Set(lines.map((line) => line.amountMinor))).toEqual(new Set([5_000n]));
    }
  });

  it('refuses live tenants before it does anything', async () => {
    const { rail } = openRail(database);
    const live: Tenant = { merchantId: randomUUID(), mode: 'LIVE' };
    const request = paymentTo(live, { bankCode: '058', accountNumber: '0123456785' });
    await expect(rail.send(request, SIGNAL)).rejects.toThrow('no live money');
    await expect(rail.nameEnquiry(request, SIGNAL)).rejects.toThrow('no live money');
    await expect(rail.query(request, SIGNAL)).rejects.toThrow('no live money');
  });

  it('gives every scenario its own name and its own suffix of six digits', () => {
    expect(new Set(SANDBOX_SCENARIOS.map((entry) => entry.name)).size).toBe(SANDBOX_SCENARIOS.length);
    expect(new Set(SANDBOX_SCENARIOS.map((entry) => entry.suffix)).size).toBe(SANDBOX_SCENARIOS.length);
    for (const { suffix } of SANDBOX_SCENARIOS) expect(suffix).toMatch(/^9999\d\d$/);
  });
});
