import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import {
  createRailCaller,
  logCircuit,
  NOTHING_REPORTED,
  NotSentError,
  type Rail,
  type RailAnswer,
  type SendRequest,
} from '../../src/rails/index.ts';

const TENANT = { merchantId: '01890000-0000-7000-8000-000000000001', mode: 'SANDBOX' } as const;
const OTHER = { ...TENANT, merchantId: '01890000-0000-7000-8000-000000000002' };
const REQUEST: SendRequest = {
  tenant: TENANT,
  railReference: 'R1',
  amountMinor: 100n,
  currency: 'NGN',
  bankCode: '058',
  accountNumber: '0123456785',
  accountName: 'ADA OBI',
  narration: 'test',
};
const PAID: RailAnswer = {
  outcome: 'succeeded',
  code: '00',
  reason: null,
  message: 'Approved',
  sessionId: '1',
  at: new Date(0),
  reported: NOTHING_REPORTED,
};

type Send = (request: SendRequest, signal: AbortSignal) => Promise<RailAnswer>;

function railThat(send: Send, more: Partial<Rail> = {}): Rail {
  return {
    name: 'fake',
    send,
    query: () => Promise.reject(new Error('no')),
    nameEnquiry: () => Promise.reject(new Error('no')),
    verifyWebhook: () => Promise.resolve([]),
    balance: () => Promise.reject(new Error('no')),
    ...more,
  };
}

const never: Send = () => new Promise(() => undefined);
const broken: Send = () => Promise.reject(new Error('ECONNRESET'));

function circuitLines(rail: { name: string; mode: 'SANDBOX' | 'LIVE' }) {
  const lines: Record<string, unknown>[] = [];
  const keep = (line: unknown) => void lines.push(JSON.parse(String(line)));
  const output = new Writable({ write: (line, _encoding, done) => done(keep(line)) });
  const logger = pino({ base: null, timestamp: false }, output);
  return { lines, onCircuit: logCircuit({ logger, clock: systemClock }, rail) };
}

describe('calling a rail', () => {
  it('hands a conclusive answer through and says that the call was sent', async () => {
    expect(await createRailCaller(railThat(async () => PAID)).send(REQUEST)).toEqual({ ...PAID, sent: true });
  });

  it('turns a throw of the rail into unknown, on every question of money', async () => {
    const caller = createRailCaller(railThat(broken));
    const unreachable = { outcome: 'unknown', reason: 'RAIL_UNREACHABLE', code: null };
    expect(await caller.send(REQUEST)).toMatchObject({ ...unreachable, sent: true });
    expect(await caller.query(REQUEST)).toMatchObject(unreachable);
    expect(await caller.nameEnquiry(REQUEST)).toMatchObject({ ...unreachable, accountName: null });
    await expect(caller.balance(TENANT)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('takes out of an account’s name what nobody sees and what makes it read as another', async () => {
    const named = (accountName: string) =>
      railThat(never, {
        nameEnquiry: async () => ({ ...PAID, outcome: 'found', accountName }),
      });
    const ask = async (name: string) => (await createRailCaller(named(name)).nameEnquiry(REQUEST)).accountName;
    expect(await ask('\u202eIBO ADA\u202c ')).toBe('IBO ADA');
    expect(await ask('ADA\u200b\u00a0OBI\u2066')).toBe('ADA OBI');
    expect(await ask('ADE\u0301')).toBe('AD\u00c9');
  });

  it('treats a rail that throws before it returns a promise, or returns no answer, the same way', async () => {
    const throws = railThat(() => {
      throw new Error('defect');
    });
    const empty = railThat((() => Promise.resolve(undefined)) as unknown as Send);
    for (const rail of [throws, empty]) {
      expect(await createRailCaller(rail).send(REQUEST)).toMatchObject({ outcome: 'unknown', sent: true });
    }
  });

  it('stops waiting at the timeout even when the rail ignores its signal', async () => {
    const caller = createRailCaller(railThat(never), { limits: { sendTimeoutMs: 30 } });
    expect(await caller.send(REQUEST)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_TIMEOUT', sent: true });
  });

  it('aborts the signal of the rail at the timeout, and calls it a timeout however the rail then throws', async () => {
    const waits: Send = async (_request, signal) => {
      await delay(5_000, undefined, { signal });
      return PAID;
    };
    const rejects: Send = (_request, signal) =>
      new Promise((_resolve, reject) => {
        signal.onabort = () => reject(new Error('socket closed'));
      });
    for (const send of [waits, rejects]) {
      const caller = createRailCaller(railThat(send), { limits: { sendTimeoutMs: 30 } });
      expect(await caller.send(REQUEST)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_TIMEOUT', sent: true });
    }
  });

  it('says unknown and sent when the caller aborts during the call', async () => {
    const controller = new AbortController();
    const answer = createRailCaller(railThat(never)).send(REQUEST, controller.signal);
    controller.abort();
    expect(await answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_CALL_ABANDONED', sent: true });
  });

  it('says that nothing was sent when the caller aborted before', async () => {
    let calls = 0;
    const rail = railThat(async () => {
      calls += 1;
      return PAID;
    });
    const answer = await createRailCaller(rail).send(REQUEST, AbortSignal.abort());
    expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_CALL_ABANDONED', sent: false });
    expect(calls).toBe(0);
  });

  it('does not believe "not found" or an invented outcome as the answer to a send', async () => {
    for (const outcome of ['not_found', 'probably'] as RailAnswer['outcome'][]) {
      const caller = createRailCaller(railThat(async () => ({ ...PAID, outcome })));
      expect(await caller.send(REQUEST)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_ANSWER_UNEXPECTED' });
    }
  });

  it('opens the circuit when calls fail, says that nothing was sent, and closes it after a good trial', async () => {
    let working = false;
    let calls = 0;
    const rail = railThat((request, signal) => {
      calls += 1;
      return working ? Promise.resolve(PAID) : broken(request, signal);
    });
    const caller = createRailCaller(rail, { limits: { breakerCalls: 4, breakerPauseMs: 50 } });
    for (let i = 0; i < 4; i += 1) await caller.send(REQUEST);
    const callsBefore = calls;
    expect(caller.circuit()).toBe('open');
    expect(await caller.send(REQUEST)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_CIRCUIT_OPEN', sent: false });
    expect(calls).toBe(callsBefore);

    working = true;
    await delay(200);
    expect(await caller.send(REQUEST)).toMatchObject({ outcome: 'succeeded', sent: true });
    expect(caller.circuit()).toBe('closed');
  });

  it('writes a line where a circuit opens and one where it closes, and none of trials that fail meanwhile', async () => {
    const { lines, onCircuit } = circuitLines({ name: 'first-bank', mode: 'LIVE' });
    let working = false;
    const rail = railThat((request, signal) => (working ? Promise.resolve(PAID) : broken(request, signal)));
    const caller = createRailCaller(rail, { limits: { breakerCalls: 4, breakerPauseMs: 20 }, onCircuit });
    for (let i = 0; i < 10; i += 1) await caller.send(REQUEST);
    const opened = {
      level: 50,
      rail: 'first-bank',
      mode: 'LIVE',
      reason: 'RAIL_UNREACHABLE',
      msg: 'a rail is not called for now, because it did not answer',
    };
    expect(lines).toEqual([opened]);

    await expect.poll(async () => (await caller.send(REQUEST)).sent).toBe(true);
    expect(lines).toEqual([opened]);

    working = true;
    await expect.poll(async () => (await caller.send(REQUEST)).outcome).toBe('succeeded');
    const closed = { level: 40, rail: 'first-bank', mode: 'LIVE', msg: 'a rail is called again' };
    expect(lines).toEqual([opened, { ...closed, openForMs: expect.any(Number) }]);
    expect(lines[1]?.openForMs).toBeGreaterThan(0);
  });

  it('writes whose circuit it is where tenants are kept apart, and at most 20 lines a minute of all of them', async () => {
    const { lines, onCircuit } = circuitLines({ name: 'sandbox', mode: 'SANDBOX' });
    const caller = createRailCaller(railThat(broken, { isolatesTenants: true }), {
      limits: { breakerCalls: 4 },
      onCircuit,
    });
    for (let merchant = 1; merchant <= 30; merchant += 1) {
      const tenant = { ...TENANT, merchantId: `merchant-${merchant}` };
      for (let i = 0; i < 4; i += 1) await caller.send({ ...REQUEST, tenant });
    }
    expect(lines[0]).toMatchObject({ level: 40, rail: 'sandbox', merchantId: 'merchant-1' });
    // The minute may have changed meanwhile.
    expect([20, 30]).toContain(lines.length);
  });

  it('says why where the caller only gets an error: the log of a provider that hangs has no empty reason', async () => {
    const hanging = railThat(never, { balance: () => new Promise(() => undefined) });
    const asked = createRailCaller(hanging, { limits: { balanceTimeoutMs: 20 } }).balance(TENANT);
    await expect(asked).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      cause: { message: 'no answer within 20 ms' },
    });
  });

  it('does not count definite failures or calls that we abort against the rail', async () => {
    const declined = createRailCaller(
      railThat(async () => ({ ...PAID, outcome: 'failed', code: '05' })),
      {
        limits: { breakerCalls: 4 },
      },
    );
    for (let i = 0; i < 10; i += 1) expect(await declined.send(REQUEST)).toMatchObject({ outcome: 'failed' });
    expect(declined.circuit()).toBe('closed');

    const unanswering = createRailCaller(railThat(never), { limits: { breakerCalls: 4 } });
    for (let i = 0; i < 10; i += 1) await unanswering.send(REQUEST, AbortSignal.timeout(1));
    expect(unanswering.circuit()).toBe('closed');
  });

  it('bounds the calls in flight, lets some wait and turns the rest away unsent', async () => {
    let running = 0;
    let most = 0;
    const slow: Send = async () => {
      running += 1;
      most = Math.max(most, running);
      await delay(20);
      running -= 1;
      return PAID;
    };
    const caller = createRailCaller(railThat(slow), { limits: { concurrency: 2, waiting: 3 } });
    const answers = await Promise.all(Array.from({ length: 8 }, () => caller.send(REQUEST)));
    expect(most).toBe(2);
    expect(answers.filter((answer) => answer.sent)).toHaveLength(5);
    for (const answer of answers.filter((turnedAway) => !turnedAway.sent)) {
      expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_BUSY' });
    }
  });

  it('says that nothing was sent where the adapter is certain of it, with the code and the reason that it has', async () => {
    const refused = new NotSentError('No such recipient', { reason: 'RECIPIENT_REFUSED', code: '422', answered: true });
    const caller = createRailCaller(
      railThat(() => Promise.reject(refused)),
      { limits: { breakerCalls: 4 } },
    );
    for (let i = 0; i < 10; i += 1) {
      expect(await caller.send(REQUEST)).toMatchObject({
        outcome: 'unknown',
        sent: false,
        reason: 'RECIPIENT_REFUSED',
        code: null,
        message: expect.stringContaining('(422)'),
      });
    }
    expect(caller.circuit()).toBe('closed');
  });

  it('has another reason where no connection came about than where one broke: only then may the money have left', async () => {
    const away = new NotSentError('No connection', { reason: 'RAIL_UNREACHABLE' });
    const sentBy = async (send: Send) => {
      const { reason, sent } = await createRailCaller(railThat(send)).send(REQUEST);
      return { reason, sent };
    };
    expect(await sentBy(() => Promise.reject(away))).toEqual({ reason: 'RAIL_NOT_ASKED', sent: false });
    expect(await sentBy(broken)).toEqual({ reason: 'RAIL_UNREACHABLE', sent: true });
  });

  it('counts a rail that did not answer before the transfer itself like any other', async () => {
    const unanswering = railThat(() => Promise.reject(new NotSentError('The recipient could not be made')));
    const caller = createRailCaller(unanswering, { limits: { breakerCalls: 4 } });
    for (let i = 0; i < 4; i += 1) expect(await caller.send(REQUEST)).toMatchObject({ sent: false });
    expect(caller.circuit()).toBe('open');
  });

  it('that keeps tenants apart has an open circuit for the one whose calls break, and says so of it', async () => {
    const send: Send = ({ tenant }) =>
      tenant.merchantId === TENANT.merchantId ? Promise.reject(new Error('ECONNRESET')) : Promise.resolve(PAID);
    const caller = createRailCaller(railThat(send, { isolatesTenants: true }), { limits: { breakerCalls: 4 } });
    for (let i = 0; i < 4; i += 1) await caller.send(REQUEST);
    expect([caller.circuit(TENANT), caller.circuit(OTHER), caller.circuit()]).toEqual(['open', 'closed', 'open']);
    expect(await caller.send({ ...REQUEST, tenant: OTHER })).toMatchObject({ outcome: 'succeeded' });
  });

  it('does not begin a call whose time is over when there is a slot, and says that nothing was sent', async () => {
    let calls = 0;
    const slow = railThat(async () => {
      calls += 1;
      await delay(60);
      return PAID;
    });
    const caller = createRailCaller(slow, { limits: { concurrency: 1 } });
    const soon = new Date(Date.now() + 30);
    const [first, second] = await Promise.all([caller.send(REQUEST), caller.send(REQUEST, undefined, soon)]);
    expect(first).toMatchObject({ outcome: 'succeeded', sent: true });
    expect(second).toMatchObject({ outcome: 'unknown', reason: 'RAIL_BUSY', sent: false });
    expect(calls).toBe(1);
  });

  it.each([
    ['may not', async () => false],
    ['is not known to be allowed to', () => Promise.reject(new Error('the database is away'))],
  ])('sends nothing that %s begin, says so, and does not count it against the rail', async (_how, mayBegin) => {
    let sends = 0;
    const rail = railThat(async () => {
      sends += 1;
      return PAID;
    });
    const caller = createRailCaller(rail, { limits: { breakerCalls: 2 } });
    for (let times = 0; times < 3; times += 1) {
      const answer = await caller.send(REQUEST, undefined, undefined, mayBegin);
      expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_CALL_ABANDONED', sent: false });
    }
    expect([sends, caller.circuit()]).toEqual([0, 'closed']);
  });

  it('asks for the names of one merchant however many another one asks for, and refuses none of them', async () => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const names = railThat(async () => PAID, {
      async nameEnquiry({ tenant }) {
        begun.push(tenant === OTHER ? 'other' : 'hostile');
        await new Promise<void>((resolve) => ends.push(resolve));
        return { ...PAID, outcome: 'found', accountName: 'ADA OBI' };
      },
    });
    const caller = createRailCaller(names, { limits: { concurrency: 4, waiting: 20 } });
    const hostile = Array.from({ length: 100 }, () => caller.nameEnquiry(REQUEST));
    const other = Array.from({ length: 5 }, () => caller.nameEnquiry({ ...REQUEST, tenant: OTHER }));
    await expect.poll(() => begun.toSorted()).toEqual(['hostile', 'hostile', 'other', 'other']);
    const endAll = setInterval(() => ends.splice(0).forEach((end) => void end()), 1);
    expect((await Promise.all(other)).map(({ outcome }) => outcome)).toEqual(new Array(5).fill('found'));
    const busy = (await Promise.all(hostile)).filter(({ reason }) => reason === 'RAIL_BUSY');
    clearInterval(endAll);
    expect(busy).toHaveLength(100 - 2 - 10);
  });

  it('holds up no transfer by name enquiries that hang', async () => {
    const hanging = railThat(async () => PAID, { nameEnquiry: () => new Promise(() => undefined) });
    const caller = createRailCaller(hanging, { limits: { concurrency: 1, nameEnquiryTimeoutMs: 300 } });
    const enquiries = Array.from({ length: 3 }, () => caller.nameEnquiry(REQUEST));
    expect(await caller.send(REQUEST)).toMatchObject({ outcome: 'succeeded' });
    await Promise.all(enquiries);
  });

  it('keeps the circuits of tenants apart where the rail asks for it', async () => {
    const rail = railThat(
      (request, signal) => (request.tenant === TENANT ? broken(request, signal) : Promise.resolve(PAID)),
      { isolatesTenants: true },
    );
    const caller = createRailCaller(rail, { limits: { breakerCalls: 4, breakerPauseMs: 10_000 } });
    for (let i = 0; i < 4; i += 1) await caller.send(REQUEST);
    expect(await caller.send(REQUEST)).toMatchObject({ reason: 'RAIL_CIRCUIT_OPEN' });
    expect(await caller.send({ ...REQUEST, tenant: OTHER })).toMatchObject({ outcome: 'succeeded' });
  });
});
