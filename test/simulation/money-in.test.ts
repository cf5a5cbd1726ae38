import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { setWalletProvider } from '../../src/virtual-accounts/index.ts';
import type { CreditRow } from '../rails/providers/wallet-books.ts';
import { createTestBase, type TestBase } from '../support/base.ts';
import { makeDataDir, removeDataDir, type ServiceProcess, startService } from '../support/service.ts';
import { rowsOf } from '../support/world.ts';
import { type Provider, startProviders } from './providers.ts';

/**
 * A bad day for money in: transfers at three providers, reported once, many times, wrongly, by forgers, late or never, while
 * the processes of the service are killed and one provider cannot be reached for half of the day. When nothing is left to
 * do, each provider's books and ours agree payment by payment. `MONEY_IN_CASES` makes it long.
 */
const CASES = Number(process.env['MONEY_IN_CASES'] ?? 135);
const PROCESSES = 2;
const MERCHANTS_EACH = 3;
const AT_ONCE = 16;
const KILL_EVERY_MS = 5_000;
const MIN_KILLS = Math.min(40, Math.ceil(CASES / 100));
/** The longest that the day may take to end: the poller looks each minute, and a dead poller is waited for. */
const DRAIN_MS = 240_000 + CASES * 30;
/** What a provider's webhook queue does when nobody answers. */
const SENDS = 4;

let base: TestBase;
let providers: Provider[];
const services: ServiceProcess[] = [];
const dataDir = makeDataDir();
let killed = 0;
const env = () => ({
  DATABASE_URL: base.connectionString,
  PIN_PEPPER: 'a pepper of thirty-two characters',
  KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  DEMO_DATA: 'false',
  LOG_LEVEL: 'fatal',
});

beforeAll(async () => {
  base = await createTestBase();
  providers = await startProviders(base);
  for (const { name } of providers) {
    await setWalletProvider({ ...base, clock: systemClock }, { mode: 'SANDBOX', name, preferredBank: null });
    for (let at = 0; at < MERCHANTS_EACH; at += 1) await base.addMerchant({ profile: { bvn: '22212345901' } });
  }
  for (let at = 0; at < PROCESSES; at += 1) services.push(await startService({ dataDir, env: env() }));
});
afterAll(async () => {
  await removeDataDir(dataDir, services);
  for (const provider of providers) await provider.close();
  await base.close();
});

const query = <T extends object>(sql: string) => rowsOf<T>(base.connectionString, sql);

/** Every number that a provider opened for the merchants that were asked for there first. */
async function numbersOf({ name }: Provider): Promise<string[]> {
  const find = () =>
    query<{ account_number: string }>(`select account_number from receiving_numbers where rail = '${name}'`);
  await expect.poll(async () => (await find()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(MERCHANTS_EACH);
  return (await find()).map(({ account_number }) => account_number);
}

/** Sends it to any of the processes, and again where none answers that it has it. */
async function send({ name }: Provider, { headers, rawBody }: ReturnType<Provider['webhook']>): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const { baseUrl } = services[Math.floor(Math.random() * services.length)] as ServiceProcess;
    const request = { method: 'POST', headers: headers as Record<string, string>, body: new Uint8Array(rawBody) };
    const status = await fetch(`${baseUrl}/rail/sandbox/${name}/webhook`, request).then(
      (answer) => answer.status,
      () => 503,
    );
    if (status < 500 || attempt === SENDS) return status;
    await sleep(500 * attempt);
  }
}

type Case = (provider: Provider, credit: CreditRow) => Promise<unknown>;

/** What may happen to a transfer that arrived; each ends in one payment, but for the one that failed. */
const CASE_BY_NAME: Record<string, Case> = {
  'is reported once': (provider, credit) => send(provider, provider.webhook(credit)),
  'is reported five times at once': (provider, credit) =>
    Promise.all(Array.from({ length: 5 }, () => send(provider, provider.webhook(credit)))),
  'is never reported': async () => undefined,
  'is reported with another amount': (provider, credit) =>
    send(provider, provider.webhook(credit, { amountMinor: credit.amountMinor * 100n })),
  'is reported before the provider finds it': (provider, credit) => {
    credit.hidden = 1;
    return send(provider, provider.webhook(credit));
  },
  'is reported while it is under way': async (provider, credit) => {
    credit.status = 'pending';
    await send(provider, provider.webhook(credit));
    await sleep(2_000);
    credit.status = 'confirmed';
  },
  'is reported and has failed': (provider, credit) => {
    credit.status = 'failed';
    return send(provider, provider.webhook(credit));
  },
  'is reported by a forger, and then by the provider': async (provider, credit) => {
    const { headers, rawBody } = provider.webhook(credit);
    const forged = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}x`]));
    // None of the processes may be there to refuse it.
    expect([401, 503]).toContain(await send(provider, { headers: forged, rawBody }));
    await send(provider, { headers, rawBody });
  },
  'comes with one that is made up, signed as the provider signs': async (provider, credit) => {
    const madeUp = {
      ...credit,
      id: credit.id + 5_000_000,
      reference: `${credit.reference}z`,
      amountMinor: 9_000_000_00n,
    };
    await send(provider, provider.webhook(madeUp));
    await send(provider, provider.webhook(credit));
  },
};
const CASES_OF_A_DAY = Object.values(CASE_BY_NAME);

/** All cases by turns at one provider, some at once. */
async function playDay(provider: Provider, numbers: readonly string[], count: number): Promise<void> {
  let at = 0;
  const next = async (): Promise<void> => {
    while (at < count) {
      const here = at;
      at += 1;
      const accountNumber = numbers[here % numbers.length] as string;
      const credit = provider.deposit(accountNumber, BigInt(100_00 + here));
      await CASES_OF_A_DAY[here % CASES_OF_A_DAY.length]?.(provider, credit);
    }
  };
  await Promise.all(Array.from({ length: Math.ceil(AT_ONCE / providers.length) }, next));
}

/** Kill -9 of one process after the other at random moments, each started again at its address. */
function startKilling(): { stop(): Promise<void> } {
  let isStopping = false;
  const killing = (async () => {
    while (!isStopping) {
      await sleep(KILL_EVERY_MS * (0.5 + Math.random()));
      if (isStopping) return;
      const at = killed % services.length;
      const { port } = services[at] as ServiceProcess;
      await services[at]?.end('SIGKILL');
      services[at] = await startService({ dataDir, port, env: env() });
      killed += 1;
    }
  })();
  return {
    stop() {
      isStopping = true;
      return killing;
    },
  };
}

interface Payment {
  rail: string;
  provider_transaction_id: string;
  amount_minor: string;
  status: string;
}
const paymentsOf = ({ name }: Provider) =>
  query<Payment>(
    `select rail, provider_transaction_id, amount_minor, status from inbound_payments where rail = '${name}'`,
  );
const confirmedAt = ({ books }: Provider) => books.credits.filter(({ status }) => status === 'confirmed');

/** Waits until each transfer that a provider confirms is a payment. */
async function expectAllIn(provider: Provider, timeout: number): Promise<void> {
  await expect
    .poll(async () => (await paymentsOf(provider)).length, { timeout, interval: 500, message: provider.name })
    .toBe(confirmedAt(provider).length);
}

describe('three providers on a bad day', () => {
  it(
    'have the same books as the service in the end, payment by payment, whatever is killed and whoever cannot be reached',
    async () => {
      const numbers = await Promise.all(providers.map(numbersOf));
      const failing = providers.at(-1) as Provider;
      const others = providers.slice(0, -1);
      failing.line.onClientData(() => 'cut');
      const killing = startKilling();
      try {
        const each = Math.ceil(CASES / providers.length);
        await Promise.all(providers.map((provider, at) => playDay(provider, numbers[at] as string[], each)));
        // The failing one is away all the while, and nobody else's merchants wait for it.
        await Promise.all(others.map((provider) => expectAllIn(provider, DRAIN_MS)));
        expect(await paymentsOf(failing)).toEqual([]);
        failing.line.onClientData(() => 'pass');
        await expectAllIn(failing, DRAIN_MS);
        await expect.poll(() => killed, { timeout: DRAIN_MS }).toBeGreaterThanOrEqual(MIN_KILLS);
      } finally {
        await killing.stop();
      }
      for (const provider of providers) {
        const theirs = confirmedAt(provider).map((credit) => `${provider.idOf(credit)} ${credit.amountMinor} CREDITED`);
        const ours = (await paymentsOf(provider)).map(
          (payment) => `${payment.provider_transaction_id} ${payment.amount_minor} ${payment.status}`,
        );
        expect(ours.sort()).toEqual(theirs.sort());
      }
      process.stdout.write(`${CASES} transfers at ${providers.length} providers, ${killed} processes killed\n`);
      const report = await verifyBooks(base.database);
      expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
    },
    3 * DRAIN_MS,
  );
});
