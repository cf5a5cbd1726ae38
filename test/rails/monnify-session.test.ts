import { Value } from 'typebox/value';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMonnifyRail, createRailCaller, MonnifyCredentials } from '../../src/rails/index.ts';
import { CREDENTIALS, HOUR_MS, type MonnifyFixture, openMonnify, payment, TENANT } from './monnify-support.ts';

const LIVE = { ...TENANT, mode: 'LIVE' } as const;

let fixture: MonnifyFixture;

beforeEach(async () => {
  fixture = await openMonnify();
});
afterEach(() => fixture.server.close());

const sends = () => fixture.server.requests.filter((seen) => seen.path.endsWith('/disbursements/single'));

describe('a session at Monnify', () => {
  it('is one login for calls at the same moment and for an hour of calls', async () => {
    await Promise.all(Array.from({ length: 10 }, () => fixture.caller.send(payment())));
    fixture.clock.move(HOUR_MS - 70_000);
    await fixture.caller.send(payment());
    expect(fixture.server.logins()).toBe(1);
    fixture.clock.move(20_000);
    await fixture.caller.send(payment());
    expect(fixture.server.logins()).toBe(2);
  });

  it('that ran out early is opened again once, and the payout goes out once', async () => {
    await fixture.caller.balance(TENANT);
    fixture.server.forgetTokens();
    const request = payment();
    expect((await fixture.caller.send(request)).outcome).toBe('succeeded');
    expect([fixture.server.logins(), sends().length, fixture.server.executions(request.railReference)]).toEqual([
      2, 2, 1,
    ]);
  });

  it('that ran out although the transfer was made finds that transfer', async () => {
    const request = payment();
    fixture.server.breakNext('send', 'unauthorized', { executed: true });
    expect(await fixture.caller.send(request)).toMatchObject({ outcome: 'succeeded', sent: true });
    expect(fixture.server.executions(request.railReference)).toBe(1);
  });

  it('that cannot be opened again after a transfer was asked for leaves it unknown, never unsent', async () => {
    for (const how of ['reset', 'http-500', 'unauthorized', 'truncated-json'] as const) {
      await fixture.caller.balance(TENANT);
      fixture.server.forgetTokens();
      fixture.server.breakNext('prepare', how);
      const answer = await fixture.caller.send(payment());
      expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_CREDENTIALS_REFUSED', sent: true });
    }
  });

  it('opens the circuit only where logins get no answer, or a fault of Monnify, and not where one is refused', async () => {
    for (const [how, circuit] of [
      ['unauthorized', 'closed'],
      ['rate-limited', 'closed'],
      ['http-500', 'open'],
      ['reset', 'open'],
    ] as const) {
      const { baseUrl } = fixture.server;
      const rail = createMonnifyRail({ credentials: CREDENTIALS, baseUrl, clock: fixture.clock });
      const caller = createRailCaller(rail, { limits: { breakerCalls: 4 } });
      for (let at = 0; at < 4; at += 1) {
        fixture.server.breakNext('prepare', how);
        expect(await caller.send(payment())).toMatchObject({ outcome: 'unknown', sent: false });
      }
      expect(caller.circuit(), how).toBe(circuit);
    }
    expect(sends()).toHaveLength(0);
  });

  it('that never was says that nothing was sent, and why', async () => {
    for (const [how, reason] of [
      ['unauthorized', 'RAIL_CREDENTIALS_REFUSED'],
      ['reset', 'RAIL_NOT_ASKED'],
      ['http-502-html', 'RAIL_ANSWER_UNEXPECTED'],
    ] as const) {
      fixture.server.breakNext('prepare', how);
      expect(await fixture.callerWith(CREDENTIALS).send(payment())).toMatchObject({
        outcome: 'unknown',
        reason,
        sent: false,
      });
    }
    expect(sends()).toHaveLength(0);
  });
});

describe('an account at Monnify', () => {
  it('sends no live payout with a test key and no sandbox payout with a live one', async () => {
    const live = fixture.callerWith({ ...CREDENTIALS, apiKey: 'MK_PROD_0123456789' });
    for (const [rail, tenant] of [
      [fixture.caller, LIVE],
      [live, TENANT],
    ] as const) {
      const answer = await rail.send(payment({ tenant }));
      expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_MODE_MISMATCH', sent: false });
    }
    expect(fixture.server.requests).toHaveLength(0);
  });

  it('reports its balance whether it is written as text or as a number, and none that it cannot read', async () => {
    for (const [shown, availableMinor] of [
      ['74999750.25', 7_499_975_025n],
      [74_999_750.25, 7_499_975_025n],
      ['0.009', 0n],
    ] as const) {
      fixture.server.books.balanceShown = shown;
      expect(await fixture.caller.balance(TENANT)).toEqual({ currency: 'NGN', availableMinor });
    }
    fixture.server.books.balanceShown = 'plenty';
    await expect(fixture.caller.balance(TENANT)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('takes only credentials that look like the provider’s', () => {
    expect(Value.Check(MonnifyCredentials, CREDENTIALS)).toBe(true);
    for (const change of [{ apiKey: 'FLWSECK-1' }, { secretKey: '' }, { walletAccountNumber: '1' }, { more: 1 }]) {
      expect(Value.Check(MonnifyCredentials, { ...CREDENTIALS, ...change })).toBe(false);
    }
  });
});
