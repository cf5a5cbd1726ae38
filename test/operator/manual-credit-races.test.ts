import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { approveCredit, proposeCredit, rejectCredit, withdrawCredit } from '../../src/manual-credits/index.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { AppError, unavailable } from '../../src/platform/errors.ts';
import { createUploads } from '../../src/platform/uploads.ts';
import { pdf } from '../onboarding/upload.ts';
import { createTestBase, type TestBase } from '../support/base.ts';
import { addPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { rowsOf } from '../support/world.ts';
import { creditFields, newReference } from './credit-forms.ts';

/** Each race is run so often: the order in which two arrive is anybody's. */
const ROUNDS = 15;

type Service = ReturnType<typeof createContainer>;

let base: TestBase;
let proxy: TcpProxy;
/** Two processes on one database, the second through a network that loses connections on demand. */
let here: Service;
let there: Service;
const people: Record<'ada' | 'bola' | 'chidi', string> = { ada: '', bola: '', chidi: '' };

beforeAll(async () => {
  base = await createTestBase();
  const address = new URL(base.connectionString);
  proxy = await startTcpProxy(Number(address.port));
  address.hostname = '127.0.0.1';
  address.port = String(proxy.port);
  address.searchParams.delete('host');
  here = createContainer(base);
  const far = openDatabase({ connectionString: address.href, maxConnections: 8, logger: base.logger });
  there = createContainer({ ...base, database: far });
  for (const name of ['ada', 'bola', 'chidi'] as const) {
    const email = `${name}@manilla.example`;
    people[name] = await addPerson(base, { kind: 'OPERATOR', email });
  }
});
afterAll(async () => {
  expect((await brokenChecks(base.database)).map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  await Promise.all([here.ledger.drain(), there.ledger.drain()]);
  await there.database.close();
  await proxy.close();
  await base.close();
});

type Merchant = Awaited<ReturnType<TestBase['addMerchant']>>;
let merchant: Merchant;
beforeEach(async () => {
  merchant = await base.addMerchant();
});

async function propose(service: Service, { bankReference = newReference(), of = merchant } = {}) {
  const { tenant } = of;
  const { wallet } = await service.wallets.requireTenantAccounts(tenant);
  const given = { ...creditFields(base, wallet.id), bankReference };
  const content = pdf();
  const bytes = (async function* () {
    yield content;
  })();
  const tooLarge = () => new Error('too large');
  const file = await createUploads().spool('operator', bytes, { maxBytes: content.length, tooLarge });
  try {
    const document = { fileName: 'statement.pdf', file };
    return await proposeCredit(service, {
      tenant,
      given: given as Parameters<typeof proposeCredit>[1]['given'],
      document,
      personId: people.ada,
      caller: 'operator',
    });
  } finally {
    await file.close();
  }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'DONE';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

const bookedOf = async ({ tenant }: Merchant) => {
  const { wallet } = await here.wallets.requireTenantAccounts(tenant);
  return (await here.ledger.readBalance(tenant, wallet.id)).bookedMinor;
};
const statusesOf = async ({ merchantId }: Merchant) =>
  (
    await rowsOf<{ status: string }>(
      base.connectionString,
      'select status from manual_credits where merchant_id = $1 order by id',
      [merchantId],
    )
  ).map(({ status }) => status);

describe('of two at once, in two processes,', () => {
  it('who approve a credit, one does, and the wallet has the money once', async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { manualCreditId, digest } = await propose(here);
      const shown = { tenant: merchant.tenant, manualCreditId, digest };
      const codes = await Promise.all([
        codeOf(approveCredit(here, { ...shown, personId: people.bola })),
        codeOf(approveCredit(there, { ...shown, personId: people.chidi })),
        codeOf(approveCredit(there, { ...shown, personId: people.bola })),
      ]);
      expect(codes.sort()).toEqual(['DONE', 'MANUAL_CREDIT_DECIDED', 'MANUAL_CREDIT_DECIDED']);
      expect(await bookedOf(merchant)).toBe(BigInt(round) * 150_050n);
    }
  });

  it('who approve, reject and withdraw it, one does, and the wallet has the money only if it was approved', async () => {
    let approved = 0n;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const bankReference = newReference();
      const { manualCreditId, digest } = await propose(here, { bankReference });
      const shown = { tenant: merchant.tenant, manualCreditId };
      const reason = 'Not our account';
      const codes = await Promise.all([
        codeOf(approveCredit(here, { ...shown, digest, personId: people.bola })),
        codeOf(rejectCredit(there, { ...shown, reason, personId: people.chidi })),
        codeOf(withdrawCredit(there, { ...shown, reason, personId: people.ada })),
      ]);
      expect(codes.toSorted()).toEqual(['DONE', 'MANUAL_CREDIT_DECIDED', 'MANUAL_CREDIT_DECIDED']);
      const status = ['APPROVED', 'REJECTED', 'WITHDRAWN'][codes.indexOf('DONE')];
      expect((await statusesOf(merchant)).at(-1)).toBe(status);
      if (status === 'APPROVED') approved += 150_050n;
      expect(await bookedOf(merchant)).toBe(approved);
      // The reference is free again if nothing was credited, and only then.
      const again = await codeOf(propose(there, { bankReference }));
      expect(again).toBe(status === 'APPROVED' ? 'BANK_REFERENCE_TAKEN' : 'DONE');
    }
  });

  it('who propose one reference of a bank for two merchants, one does', async () => {
    const other = await base.addMerchant();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const bankReference = newReference();
      const codes = await Promise.all([
        codeOf(propose(here, { bankReference })),
        codeOf(propose(there, { bankReference: bankReference.toLowerCase(), of: other })),
        codeOf(propose(there, { bankReference: ` ${bankReference.replace('/', ' / ')}` })),
      ]);
      expect(codes.sort()).toEqual(['BANK_REFERENCE_TAKEN', 'BANK_REFERENCE_TAKEN', 'DONE']);
      expect([...(await statusesOf(merchant)), ...(await statusesOf(other))]).toHaveLength(round);
    }
  });
});

describe('an approval whose answer is lost', () => {
  it('is in the books once: anyone who repeats it gets that it is decided', async () => {
    const { manualCreditId, digest } = await propose(here);
    const dying = {
      ...here,
      ledger: {
        ...here.ledger,
        commit: async (movement: Parameters<typeof here.ledger.commit>[0]) => {
          await here.ledger.commit(movement);
          throw unavailable('The process is gone.');
        },
      },
    };
    const shown = { tenant: merchant.tenant, manualCreditId, digest, personId: people.bola };
    expect(await codeOf(approveCredit(dying, shown))).toBe('SERVICE_UNAVAILABLE');
    expect(await codeOf(approveCredit(here, shown))).toBe('MANUAL_CREDIT_DECIDED');
    expect(await codeOf(approveCredit(there, shown))).toBe('MANUAL_CREDIT_DECIDED');
    expect(await bookedOf(merchant)).toBe(150_050n);
  });

  it('behind a COMMIT that is lost, before the database had it or after, has one effect', {
    timeout: 60_000,
  }, async () => {
    for (const [at, fate] of (['cut', 'pass-then-cut', 'cut', 'pass-then-cut'] as const).entries()) {
      const { manualCreditId, digest } = await propose(here);
      let lost = 0;
      proxy.onClientData((bytes) => {
        if (!bytes.includes('commit\0') || lost > 0) return 'pass';
        lost += 1;
        return fate;
      });
      const shown = { tenant: merchant.tenant, manualCreditId, digest, personId: people.bola };
      expect(await codeOf(approveCredit(there, shown))).toBe('DONE');
      expect(lost).toBe(1);
      expect(await codeOf(approveCredit(here, shown))).toBe('MANUAL_CREDIT_DECIDED');
      expect(await bookedOf(merchant)).toBe(BigInt(at + 1) * 150_050n);
    }
  });

  it('leaves nothing where the process died before it: it may be approved again', async () => {
    const { manualCreditId, digest } = await propose(here);
    const dying = {
      ...here,
      ledger: { ...here.ledger, commit: () => Promise.reject(unavailable('The process is gone.')) },
    };
    const shown = { tenant: merchant.tenant, manualCreditId, digest, personId: people.bola };
    expect(await codeOf(approveCredit(dying, shown))).toBe('SERVICE_UNAVAILABLE');
    expect(await bookedOf(merchant)).toBe(0n);
    expect(await statusesOf(merchant)).toEqual(['PENDING']);
    expect(await codeOf(approveCredit(here, shown))).toBe('DONE');
    expect(await bookedOf(merchant)).toBe(150_050n);
  });
});
