import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPinGuard, parseApiKey } from '../../src/access/index.ts';
import { type AdminDeps, runAdmin } from '../../src/admin/index.ts';
import { createLedger } from '../../src/ledger/index.ts';
import {
  listMerchantServices,
  type MerchantWalletView,
  merchantView,
  requireMerchant,
} from '../../src/merchants/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { newId } from '../../src/platform/ids.ts';
import {
  type AccessDatabase,
  authenticatorOn,
  createAccessDatabase,
  principalOf,
  silent,
  testSecrets,
} from './access-database.ts';

const secrets = testSecrets();
let store: AccessDatabase;
let printed: string[];
let warned: string[];
let opened: string[];
let input = '';
let walletsFail = false;

beforeAll(async () => {
  store = await createAccessDatabase();
});
afterAll(() => store.drop());
beforeEach(() => {
  opened = [];
  walletsFail = false;
});

async function admin(...argv: string[]): Promise<number> {
  printed = [];
  warned = [];
  const { database } = store;
  const deps: AdminDeps = {
    database,
    secrets,
    clock: systemClock,
    peppers: { file: undefined, settingsWithNew: () => [] },
    pinGuard: createPinGuard({ database, secrets, clock: systemClock }),
    ledger: createLedger({ database, logger: silent, clock: systemClock, committers: 1 }),
    refunds: () => {
      throw new Error('no refunds here');
    },
    payouts: () => {
      throw new Error('no command here asks for payouts');
    },
    collections: () => {
      throw new Error('no command here asks for money in');
    },
    actor: 'test',
    print: (line) => printed.push(line),
    warn: (line) => warned.push(line),
    readInput: () => Promise.resolve(input),
    async openWallets(tx, merchantId) {
      await requireMerchant(tx, merchantId);
      if (walletsFail) throw new Error('no wallets');
      opened.push(merchantId);
    },
  };
  return runAdmin(argv, deps);
}

async function createMerchant(...more: string[]): Promise<string> {
  const profile = ['--name', 'Ada Foods', '--email', 'hello@adafoods.example', '--phone', '2348012345678'];
  expect(await admin('create-merchant', ...profile, ...more)).toBe(0);
  return printed[0] as string;
}

describe('the admin commands', () => {
  it('take a merchant from nothing to a working key and PIN', async () => {
    const merchant = await createMerchant('--bvn', '22212345901', '--director-born', '1985-04-17');
    expect(opened).toEqual([merchant]);
    expect(await admin('approve-merchant', '--merchant', merchant)).toBe(0);
    expect(await admin('enable-service', '--merchant', merchant, '--service', 'payout', '--service', 'CARD')).toBe(0);
    input = '7294';
    expect(await admin('set-pin', '--merchant', merchant)).toBe(1);
    expect(warned[0]).toContain('--mode is missing');
    expect(await admin('set-pin', '--merchant', merchant, '--mode', 'live')).toBe(0);
    expect(await admin('issue-key', '--merchant', merchant, '--live')).toBe(0);
    const [, key = ''] = (printed[0] as string).split('\t');
    expect(parseApiKey(key)).toEqual({ mode: 'LIVE', kind: 'SECRET' });
    const authenticator = authenticatorOn(store.database, secrets);
    const principal = await principalOf(authenticator, key);
    authenticator.close();
    expect(principal).toMatchObject({ merchant: { approved: true }, pin: { version: 1, lockedUntil: null } });
    expect([...principal.services].sort()).toEqual(['CARD', 'PAYOUT']);
    expect(await admin('list-keys', '--merchant', merchant)).toBe(0);
    expect(printed.join()).toContain(`sk_live_...${key.slice(-4)}\tACTIVE`);
    expect(printed.join()).not.toContain(key);
  });

  it('let stores and subaccounts use the BVN and phone of their merchant, and take that back', async () => {
    const merchant = await createMerchant();
    const isShared = async () => {
      const row = await requireMerchant(store.database, merchant);
      return row.enable_same_bvn_or_phone_number_for_wallet_creation;
    };
    expect(await isShared()).toBe(false);
    expect(await admin('share-contacts', '--merchant', merchant)).toBe(0);
    expect(await isShared()).toBe(true);
    expect(await admin('unshare-contacts', '--merchant', merchant)).toBe(0);
    expect(await isShared()).toBe(false);
    expect(await admin('share-contacts', '--merchant', newId())).toBe(1);
    expect(warned.join()).toContain('merchant');
  });

  it('create the merchant and its wallets together or not at all', async () => {
    await admin('list-merchants', '--limit', '1000');
    const before = printed.length;
    walletsFail = true;
    await expect(createMerchant()).rejects.toThrow('no wallets');
    await admin('list-merchants', '--limit', '1000');
    expect(printed).toHaveLength(before);
  });

  it('refuse in words what the state of a merchant forbids, and keep the history of what was done', async () => {
    const merchant = await createMerchant();
    expect(await admin('suspend-merchant', '--merchant', merchant)).toBe(1);
    expect(warned[0]).toContain('MERCHANT_STATUS_CONFLICT');
    for (const command of ['reject', 'approve', 'suspend', 'reinstate']) {
      expect(await admin(`${command}-merchant`, '--merchant', merchant, '--reason', 'checked')).toBe(0);
    }
    expect(await admin('approve-merchant', '--merchant', merchant)).toBe(1);
    const { rows } = await store.database.pool.query(
      'select action, from_status, to_status, actor, reason from merchant_status_changes where merchant_id = $1 order by id',
      [merchant],
    );
    const by = { actor: 'test', reason: 'checked' };
    expect(rows).toEqual([
      { action: 'reject', from_status: 'PENDING', to_status: 'PENDING', ...by },
      { action: 'approve', from_status: 'PENDING', to_status: 'ACTIVE', ...by },
      { action: 'suspend', from_status: 'ACTIVE', to_status: 'SUSPENDED', ...by },
      { action: 'reinstate', from_status: 'SUSPENDED', to_status: 'ACTIVE', ...by },
    ]);
  });

  it('take an empty text for a reason that nobody gave: a script stops a merchant also without one', async () => {
    const merchant = await createMerchant();
    expect(await admin('approve-merchant', '--merchant', merchant, '--reason', '')).toBe(0);
    expect(await admin('suspend-merchant', '--merchant', merchant, '--reason', ' ')).toBe(0);
    const { rows } = await store.database.pool.query(
      'select action, reason from merchant_status_changes where merchant_id = $1 order by id',
      [merchant],
    );
    expect(rows).toEqual([
      { action: 'approve', reason: null },
      { action: 'suspend', reason: null },
    ]);
  });

  const NOBODY = '0193a4b2-7c11-7d2e-9f00-5f3a1c2b4d6e';
  const PROFILE = ['--name', 'Ada Foods', '--email', 'ada@b.example', '--phone', '2348012345678'];

  it.each([
    ['an unknown command', ['make-money'], 'no command "make-money"'],
    ['a missing option', ['issue-key'], '--merchant is missing'],
    ['an unknown option', ['list-merchants', '--secret'], '--secret'],
    ['an id that is none', ['list-keys', '--merchant', '17'], '--merchant must be an id'],
    ['an unknown merchant', ['issue-key', '--merchant', NOBODY], 'MERCHANT_NOT_FOUND'],
    ['limits of an unknown merchant', ['set-limits', '--mode', 'LIVE', '--merchant', NOBODY], 'MERCHANT_NOT_FOUND'],
    ['the keys of an unknown merchant', ['list-keys', '--merchant', NOBODY], 'MERCHANT_NOT_FOUND'],
    [
      'an option that is given twice',
      ['list-merchants', '--status=PENDING', '--status=ACTIVE'],
      '--status is given twice',
    ],
    [
      'a name to look for that is none',
      ['try-screening', '--mode', 'LIVE', '--name', ' '],
      '--name must be a few words',
    ],
    ['a day before there were any', ['create-merchant', ...PROFILE, '--director-born', '0000-01-01'], 'must be a date'],
    ['a status that is none', ['list-merchants', '--status', 'RICH'], 'PENDING, ACTIVE, SUSPENDED'],
    ['an e-mail address that is none', ['create-operator', '--email', 'ada'], 'e-mail'],
    ['what is missing, all of it', ['set-reserve', '--days', '5'], '--mode, --percent and --reason are missing.'],
    ['an option that is mistyped', ['create-merchant', '--nmae', 'Ada'], 'no option --nmae. Did you mean --name?'],
    ['an option without its value', ['list-keys', '--merchant'], '--merchant needs a value.'],
    [
      'an option in place of a value',
      ['list-keys', '--merchant', '--mode'],
      '--merchant needs a value. One that begins',
    ],
    ['a switch with a value', ['rotate-pepper', '--finish=yes'], '--finish takes no value.'],
    ['a value without an option', ['list-merchants', 'ACTIVE'], '"ACTIVE" belongs to no option'],
    ['limits that change nothing', ['set-limits', '--mode', 'LIVE'], 'Nothing is given to set: --per-payout,'],
    [
      'a field by the option that was typed',
      ['create-merchant', ...PROFILE.slice(0, 4), '--phone', 'x'],
      '--phone must be',
    ],
    [
      'a name that no page has room for',
      ['create-merchant', ...PROFILE.slice(2), '--name', 'x'.repeat(121)],
      '--name must',
    ],
    [
      'half a name of an owner',
      ['create-merchant', ...PROFILE, '--owner-last-name', 'Obi'],
      'needs --owner-first-name',
    ],
    [
      'an account without a digit',
      ['try-screening', '--mode', 'LIVE', '--account', 'none'],
      '--account must have digits',
    ],
  ])('answer %s with exit code 1 and words', async (_name, argv, words) => {
    expect(await admin(...argv)).toBe(1);
    expect(warned.join('\n')).toContain(words);
    expect(printed).toEqual([]);
  });

  it.each([
    ['lst-keys', 'There is no command "lst-keys". Did you mean list-keys?'],
    ['List-Merchant', 'Did you mean list-merchants?'],
    ['pin', 'Did you mean set-pin or unlock-pin?'],
    ['list', 'commands have it in their names.'],
    ['make-money', 'There is no command "make-money".\n'],
  ])('say of %s in a few lines that it is none of them, and which are likely', async (word, sentence) => {
    expect(await admin(word)).toBe(1);
    expect(warned.join('\n')).toContain(sentence);
    expect(warned.join('\n').split('\n').length).toBeLessThan(4);
  });

  it('name the option whose value is none that a key may have, with what it may have', async () => {
    const id = await createMerchant();
    expect(await admin('issue-key', '--merchant', id, '--scope', 'pay')).toBe(1);
    expect(warned.join()).toContain('--scope "pay" is none that a secret key may have: public:read, ');
    expect(await admin('issue-key', '--merchant', id, '--public', '--scope', 'payout:write')).toBe(1);
    expect(warned.join()).toContain('a public key may have: public:read, session:create.');
    expect(await admin('issue-key', '--merchant', id, '--ip', '10.0.0.1\u202E')).toBe(1);
    expect(warned.join()).toContain('--ip must not contain invisible characters.');
    expect(await admin('issue-key', '--merchant', id, '--ip', '10.0.0.300')).toBe(1);
    expect(warned.join()).toContain('--ip has 10.0.0.300, which is no IP address or range');
    expect(printed).toEqual([]);
  });

  it('are listed by a word in their names', async () => {
    expect(await admin('help', 'pin')).toBe(0);
    const listed = (printed[0] as string).split('\n').filter((line) => line.startsWith('  '));
    expect(listed.map((line) => line.trim().split(' ')[0])).toEqual(['set-pin', 'unlock-pin']);
    // One letter begins words as any other does, and is not the end of a plural.
    expect(await admin('help', 's')).toBe(0);
    const begun = (printed.at(-1) as string).split('\n').filter((line) => line.startsWith('  '));
    expect(begun.length).toBeGreaterThan(5);
    expect(begun.filter((line) => !/^ {2}(s|\S+-s)/.test(line))).toEqual([]);
    expect(await admin('set-pin', 'help')).toBe(0);
    expect(printed[0]).toContain('npm run admin -- set-pin');
  });

  it('say that there is nothing where there is nothing', async () => {
    expect(await admin('list-tier-limits')).toBe(0);
    expect([printed, warned]).toEqual([[], ['No limit of a tier is set: tiers limit nobody.']]);
  });

  it('explain themselves', async () => {
    expect(await admin('--help')).toBe(0);
    for (const name of ['create-merchant', 'rotate-key', 'set-pin', 'create-operator'])
      expect(printed[0]).toContain(name);
    expect(await admin('rotate-key', '--help')).toBe(0);
    expect(printed[0]).toContain('--overlap-hours');
  });

  it('make an operator once, with a password that is shown once and stored as a slow hash', async () => {
    expect(await admin('create-operator', '--email', 'Ops@Bank.example')).toBe(0);
    const [, password = ''] = (printed[0] as string).split('\t');
    expect(password.length).toBeGreaterThanOrEqual(24);
    const { rows } = await store.database.pool.query("select * from people where email = 'ops@bank.example'");
    expect(rows[0]).toMatchObject({ kind: 'OPERATOR', merchant_id: null });
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=7168,t=5,p=1\$/);
    expect(rows[0].password_hash).not.toContain(password);
    expect(await admin('create-operator', '--email', 'ops@bank.example')).toBe(1);
    expect(warned[0]).toContain('EMAIL_TAKEN');
  });

  it('switches all of several services on or off, or none: one that is unknown leaves the others off', async () => {
    const id = await createMerchant();
    const services = ['--service', 'BRANCH', '--service', 'NOT_A_SERVICE'];
    expect(await admin('enable-service', '--merchant', id, ...services)).toBe(1);
    expect(warned.join()).toContain('NOT_A_SERVICE');
    expect(await admin('enable-service', '--merchant', id, '--service', 'BRANCH')).toBe(0);
    expect(await admin('disable-service', '--merchant', id, ...services)).toBe(1);
    expect((await listMerchantServices(store.database, id)).map(({ key }) => key)).toEqual(['BRANCH']);
    expect(await admin('disable-service', '--merchant', id, '--service', 'BRANCH')).toBe(0);
    const { rows } = await store.database.pool.query('select 1 from merchant_services where merchant_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});

describe('the Merchant object', () => {
  it('has every field of the interface with its type, and the BVN masked', async () => {
    const id = await createMerchant('--bvn', '22212345901', '--director-born', '1985-04-17');
    await admin('enable-service', '--merchant', id, '--service', 'BRANCH');
    const wallet: MerchantWalletView = {
      id,
      bankName: 'Manilla Wallet',
      accountName: 'Ada Foods',
      accountNumber: '9912345678',
      bookedBalance: 10.5,
      availableBalance: 10.5,
    };
    const row = await requireMerchant(store.database, id);
    const view = merchantView(row, await listMerchantServices(store.database, id), wallet);
    expect(view).toMatchObject({
      id,
      logo: null,
      postalCode: null,
      status: 'PENDING',
      initialStatus: 'NEW',
      reviewStatus: 'PENDING',
      businessType: 'REGISTERED',
      directorDateOfBirth: '1985-04-17',
      bvn: '222*****901',
      consentForm: null,
      agencyNetworkConsentForm: null,
      ownerDetails: null,
      cacDocuments: [],
      kycCompletedFields: [],
      wallet,
      merchantEnabledServices: [
        { key: 'BRANCH', name: 'Branches', id: expect.any(String), description: expect.any(String) },
      ],
    });
    expect(Object.keys(view)).toHaveLength(36);
    expect(secrets.open(row.bvn_sealed as string, `merchants/${id}/bvn_sealed`)).toBe('22212345901');
  });
});
