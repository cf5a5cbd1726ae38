import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTrivialPin } from '../access/index.ts';
import { listMerchants, type NewMerchant } from '../merchants/index.ts';
import { createPerson } from '../people/index.ts';
import type { DemoFile } from './demo-file.ts';
import { type MadeMerchant, type MakeMerchantDeps, makeMerchant } from './make-merchant.ts';

/** The service, called without a socket. */
interface Callable {
  inject(request: {
    method: 'GET' | 'POST';
    url: string;
    headers: Record<string, string>;
    payload?: object;
  }): Promise<{ json<T>(): T; statusCode: number }>;
}

/** Naira. */
const WALLET_AMOUNT = 10_000_000;
const STORE_AMOUNT = 1_000_000;

const PROFILE: NewMerchant = {
  businessName: 'Adire & Co',
  email: 'hello@adire.example',
  phoneNumber: '2348012345678',
  businessCategory: 'Retail',
  registrationNumber: 'RC1234567',
  address: '12 Awolowo Road, Ikoyi',
  city: 'Lagos',
  state: 'Lagos',
  country: 'Nigeria',
  directorDateOfBirth: '1988-04-12',
  bvn: '22212345901',
  cacDocuments: ['https://adire.example/cac/certificate.pdf'],
  kycCompletedFields: [
    'BASIC_DETAILS',
    'BUSINESS_DETAILS',
    'BUSINESS_DOCUMENTS',
    'DIRECTOR_DETAILS',
    'SETTLEMENT_ACCOUNT',
  ],
  owner: { firstName: 'Amaka', lastName: 'Obi', email: 'amaka@adire.example', phoneNumber: '2348012345678' },
};

const PENDING_PROFILE: NewMerchant = {
  businessName: 'Suya Spot',
  email: 'hello@suya.example',
  phoneNumber: '2348087654321',
  businessCategory: 'Food',
  registrationNumber: 'RC7654321',
  address: '3 Allen Avenue, Ikeja',
  city: 'Ikeja',
  state: 'Lagos',
  country: 'Nigeria',
  directorDateOfBirth: '1992-09-30',
  bvn: '22298765432',
  kycCompletedFields: ['BASIC_DETAILS', 'BUSINESS_DETAILS'],
};

/**
 * Fills an empty database with a demo operator and merchants. Stores, subaccounts and money are made through the API
 * itself, with the merchant's own key. Undefined when there is a merchant already, unless that is what an
 * earlier start left unfinished: then all is made anew beside it.
 */
export async function seedDemo(
  deps: MakeMerchantDeps,
  server: Callable,
  { unfinished, begin }: { unfinished: boolean; begin: () => void },
): Promise<Omit<DemoFile, 'baseUrl'> | undefined> {
  if (!unfinished && (await listMerchants(deps.database, { limit: 1 })).length > 0) return undefined;
  begin();
  const pin = randomPin();
  // An address is one person's: those of an unfinished start may be taken.
  const at = unfinished ? `+${randomBytes(3).toString('hex')}@` : '@';
  const dashboard = { email: `amaka${at}adire.example`, password: randomBytes(12).toString('base64url') };
  const operator = { email: `operator${at}manilla.example`, password: randomBytes(12).toString('base64url') };
  const approver = { email: `bola${at}adire.example`, password: randomBytes(12).toString('base64url') };
  const secondOperator = { email: `second${at}manilla.example`, password: randomBytes(12).toString('base64url') };
  const owner = { ...dashboard, firstName: 'Amaka', lastName: 'Obi' };
  const merchant = await makeMerchant(deps, { profile: PROFILE, approved: true, pin, owner });
  const pending = await makeMerchant(deps, { profile: PENDING_PROFILE, approved: false, mode: 'LIVE' });
  const { storeIds, subaccountIds } = await fillWallets(server, merchant);
  const member = { kind: 'MEMBER', merchantId: merchant.merchantId } as const;
  await createPerson(deps, { ...approver, ...member, role: 'APPROVER', firstName: 'Bola', lastName: 'Ade' });
  await createPerson(deps, { ...operator, kind: 'OPERATOR', firstName: 'Ngozi', lastName: 'Eze' });
  await createPerson(deps, { ...secondOperator, kind: 'OPERATOR', firstName: 'Tunde', lastName: 'Bello' });
  return {
    ...merchant,
    pin,
    storeIds,
    subaccountIds,
    dashboard,
    operator,
    colleagues: { approver, operator: secondOperator },
    pendingMerchant: { merchantId: pending.merchantId, secretKey: pending.secretKey },
  };
}

const MAX_ATTEMPTS = 60;
const TRY_AGAIN_MS = 500;

async function fillWallets(server: Callable, merchant: MadeMerchant) {
  const call = async <T>(method: 'GET' | 'POST', url: string, payload?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${merchant.secretKey}` };
    const ask = () => server.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
    let answer = await ask();
    // Nobody else is served yet: a machine that is busy with its start is waited for.
    for (let attempts = 0; answer.statusCode === 503 && attempts < MAX_ATTEMPTS; attempts += 1) {
      await sleep(TRY_AGAIN_MS);
      answer = await ask();
    }
    const body = answer.json<{ status: boolean; message: string; data: T }>();
    if (!body.status) throw new Error(`${method} ${url}: ${body.message}`);
    return body.data;
  };
  const { wallet } = await call<{ wallet: { id: string } }>('GET', '/wallet/merchant');
  await call('POST', '/sandbox/wallet/fund', { walletId: wallet.id, amount: WALLET_AMOUNT });
  const storeIds: string[] = [];
  for (const name of ['Ikeja', 'Yaba', 'Lekki']) {
    const store = await call<{ storeId: string; walletId: string }>('POST', '/branch/store', { name });
    await call('POST', '/sandbox/wallet/fund', { walletId: store.walletId, amount: STORE_AMOUNT });
    storeIds.push(store.storeId);
  }
  const subaccountIds: string[] = [];
  for (const name of ['Rent', 'Payroll', 'Suppliers']) {
    const subaccount = await call<{ subaccountId: string }>('POST', '/subaccount', { name });
    subaccountIds.push(subaccount.subaccountId);
  }
  return { storeIds, subaccountIds };
}

function randomPin(): string {
  const pin = String(randomInt(10_000)).padStart(4, '0');
  return isTrivialPin(pin) ? randomPin() : pin;
}
