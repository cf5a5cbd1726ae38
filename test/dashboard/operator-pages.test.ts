import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { askApi } from './support/api.ts';
import { makeMerchant } from './support/new-merchant.ts';
import { signInOverHttp } from './support/session.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';
import { settled } from './support/watch.ts';

const walk = prepareWalks();

/** By their main heading. */
const PAGES: Record<string, string> = {
  '': 'Overview',
  '/merchants': 'Merchants',
  '/payouts': 'Payouts',
  '/payments-in': 'Payments in',
  '/refunds': 'Refunds',
  '/refunds?show=decide': 'Refunds',
  '/outcomes?show=all': 'Unknown outcomes',
  '/manual-credits': 'Manual credits',
  '/money-in': 'Money in',
  '/money-in?show=owed': 'Money in',
  '/verify': 'Money safety',
  '/rails': 'Rails',
  '/float': 'Float',
  '/reconciliation': 'Reconciliation',
  '/merchant-settlements': 'Merchant settlements',
  '/bank-holidays': 'Bank holidays',
  '/provider-settlements': 'Provider settlements',
  '/provider-settlements/fetched': 'Fetched settlements',
  '/daily-close': 'Daily close',
  '/daily-close?books=SANDBOX': 'Daily close',
  '/receivables?books=SANDBOX': 'What providers owe',
  '/daily-close?names=true': 'Names in journals',
  '/fees': 'Fees',
  '/limits': 'Limits',
  '/webhooks': 'Failing webhooks',
  '/people': 'People',
  '/audit': 'Audit log',
  '/security': 'Security',
};
const TABS = ['', '?tab=services', '?tab=money', '?tab=people', '?tab=history'];

/** In the page, as its back button would. @returns where it went. */
const goTo = (to: string): string => {
  history.pushState(null, '', to);
  const { pathname, search } = location;
  dispatchEvent(new PopStateEvent('popstate'));
  return pathname + search;
};

/** Something on every page: a review, a silent payout, a float that differs, an address that fails, an invitation. */
async function fillDesk(): Promise<void> {
  const operator = await signInOverHttp(walk.baseUrl, walk.demo.operator);
  const tenant = { merchantId: walk.demo.merchantId, mode: 'SANDBOX' };
  const merchant = await makeMerchant(walk, 'Kolanut Traders');
  const payout = { bankCode: '058', accountNumber: '0123999934', narration: 'Invoice', amount: 7_500 };
  const done = await Promise.all([
    merchant.session.ask('POST', '/onboarding/submit', {}),
    askApi(walk, 'POST', '/payout/single', { ...payout, pin: walk.demo.pin }),
    askApi(walk, 'PATCH', '/merchant/info', { sandboxWebhookURL: `${walk.baseUrl}/nowhere` }),
    operator.ask('POST', '/operator/float/check', { rails: ['sandbox'], ...tenant }),
    operator.ask('POST', '/operator/person/invite', { email: 'chidi@manilla.example' }),
    operator.ask('POST', '/operator/limit', { ...tenant, perPayout: 500_000, reason: 'A new merchant' }),
  ]);
  expect(done.map(({ status }) => status)).toEqual(done.map(() => 200));
}

beforeAll(fillDesk, 60_000);

describe("the operator's pages", () => {
  const addresses = [
    ...Object.keys(PAGES).map((path) => `/dashboard/operator${path}`),
    ...TABS.map((tab) => `/dashboard/operator/merchants/:merchantId${tab}`),
  ];

  // Each page in one of two looks, by turns; npm run screenshots has every page in all of them.
  for (const [turn, look] of [
    { phone: false, dark: false },
    { phone: true, dark: true },
  ].entries()) {
    const words = look.phone ? 'on a phone in the dark' : 'on a desk in the light';
    it(`have nothing serious by axe and never scroll sideways, ${words}`, async () => {
      const page = await walk.openAs(walk.demo.operator, look);
      for (const address of addresses.filter((_, at) => at % 2 === turn)) {
        await page.goto(address.replace(':merchantId', walk.demo.merchantId));
        await settled(page);
        await expectAccessible(page);
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect([address, await page.evaluate(overflow)]).toEqual([address, 0]);
        expect(await page.getByText('Sandbox: test money').count(), address).toBe(0);
      }
    });
  }

  it('say of a day without a posting that there was none, and have no empty frame', async () => {
    const page = await walk.openAs(walk.demo.operator, { at: '/dashboard/operator/daily-close' });
    await page.getByText('Nothing was posted on this day').waitFor();
    expect(await page.locator('.card:empty').count()).toBe(0);
  });

  it('name a check of the books that could not be completed under what needs somebody, and an error that it does not take back', async () => {
    const { pool } = walk.runtime.database;
    const kept = async (state: string) =>
      pool.query(
        `insert into verify_runs (id, state, started_at, finished_at, started_by, report)
         values ($1, $2, clock_timestamp(), clock_timestamp(), 'somebody', '{"checks":[],"sizes":null,"checksInAll":1}')`,
        // The newest run is the one with the greatest id.
        [newId(), state],
      );
    const page = await walk.openAs(walk.demo.operator);
    const failed = page.getByRole('link', {
      name: 'See what to do: The last check of the books could not be completed',
    });
    const wrong = page.getByRole('link', { name: 'See what to do: The books are wrong' });
    try {
      await settled(page);
      expect(await failed.count()).toBe(0);
      await kept('FAILED');
      await page.reload();
      await expectAccessible(page);
      await failed.click();
      await page.getByText('The checks could not be completed').waitFor();
      expect(await page.getByText('Stop all payouts', { exact: false }).count()).toBe(0);
      await kept('WRONG');
      await kept('FAILED');
      await page.goto('/dashboard/operator');
      await wrong.click();
      await page.getByText('The books were wrong at the last completed check').waitFor();
      await page.getByText('Stop the serve and work processes.').waitFor();
      await expectAccessible(page);
    } finally {
      await pool.query("delete from verify_runs where started_by = 'somebody'");
    }
  });

  it('are opened by name with the keyboard alone', async () => {
    const page = await walk.openAs(walk.demo.operator);
    for (const name of ['Merchants', 'Unknown outcomes', 'Money safety']) {
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
      await link.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name }).waitFor();
    }
  });

  it('turn a member away, whatever the address, and so do their operations', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    for (const [at, address] of addresses.entries()) {
      const to = address.replace(':merchantId', walk.demo.merchantId);
      // Some from outside, and all others as the history of a page that is open: both ask the same guard.
      if (at % 8 === 0) await page.goto(to);
      else expect(await page.evaluate(goTo, to)).toBe(to);
      await page.waitForURL((url) => url.pathname === '/dashboard/');
    }
    const member = await signInOverHttp(walk.baseUrl, walk.demo.dashboard);
    const { merchantId } = walk.demo;
    const tried = await Promise.all([
      ...['overview', 'merchant', 'outcome', 'verify', 'rail', 'float', 'settlement', 'fee', 'limit', 'person'].map(
        (name) => member.ask('GET', `/operator/${name}`),
      ),
      member.ask('POST', `/operator/merchant/${merchantId}/approve`),
      member.ask('POST', `/operator/merchant/${merchantId}/unlock-pin`, { mode: 'LIVE' }),
      member.ask('POST', '/operator/verify'),
      member.ask('POST', '/operator/limit/end', { merchantId, mode: 'LIVE' }),
    ]);
    expect(tried.map(({ status }) => status)).toEqual(tried.map(() => 403));
  });
});
