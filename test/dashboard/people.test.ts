import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { signInOverHttp } from './support/session.ts';
import { expectAccessible, type Person, prepareWalks, signIn } from './support/walk.ts';

const walk = prepareWalks();

const NEW = { email: 'tunde@adire.example', password: 'nine indigo cloths drying' };

const openDialog = (page: Page) => page.getByRole('dialog');

async function invite(page: Page, email: string, role: string): Promise<void> {
  await page.goto('/dashboard/settings/people');
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  await openDialog(page).getByLabel('E-mail').fill(email);
  await openDialog(page).getByLabel(role, { exact: true }).check();
  await openDialog(page).getByRole('button', { name: 'Send invitation' }).click();
}

async function join(link: string | null, { password }: Person): Promise<Page> {
  const page = await walk.open();
  await page.goto(link ?? '');
  await page.getByLabel('First name').fill('Tunde');
  await page.getByLabel('Last name').fill('Alli');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('button', { name: 'Account of Tunde Alli' }).waitFor();
  return page;
}

async function makeKey(page: Page, name: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.goto('/dashboard/developers/keys');
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page.getByRole('button', { name: 'New key' }).count();
    })
    .toBeGreaterThan(0);
  await page.getByRole('button', { name: 'New key' }).first().click();
  await openDialog(page).getByLabel('Name').fill(name);
  await openDialog(page).getByRole('button', { name: 'Create the key' }).click();
  await openDialog(page)
    .getByText(/sk_test_/)
    .first()
    .waitFor();
}

describe('people', () => {
  it('are invited by mail, join, and have the pages of their role and no others', async () => {
    const owner = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/settings/people' });
    await invite(owner, 'not an address', 'Maker');
    await owner.getByText('This is not an e-mail address.').waitFor();
    await expectAccessible(owner);
    await invite(owner, walk.demo.colleagues.approver.email, 'Maker');
    await owner.getByText('Belongs to one of your people already.').waitFor();
    await expect
      .poll(() => openDialog(owner).getByLabel('E-mail').inputValue())
      .toBe(walk.demo.colleagues.approver.email);
    await invite(owner, NEW.email, 'Maker');
    await owner
      .getByRole('row', { name: /tunde@adire\.example/ })
      .getByText('Invited')
      .last()
      .waitFor();
    const row = await owner.getByRole('row', { name: /tunde@adire\.example/ }).innerText();
    expect(row.split(NEW.email), 'who has no name yet is listed by the address, once').toHaveLength(2);
    await expectAccessible(owner);

    const maker = await join((await walk.readMail(NEW.email)).link, NEW);
    await maker.getByRole('link', { name: 'Payouts', exact: true }).first().waitFor();
    for (const name of ['API keys', 'Webhooks', 'Requests', 'Audit log']) {
      expect(await maker.getByRole('link', { name, exact: true }).count(), name).toBe(0);
    }
    await maker.goto('/dashboard/settings/people');
    await maker
      .getByRole('row', { name: /Tunde Alli/ })
      .getByText('Maker')
      .waitFor();
    await expect.poll(() => maker.getByRole('button', { name: 'Invite somebody' }).count()).toBe(0);
    // A page that is come to by its address alone asks nothing that is refused, and offers nothing.
    const refused: string[] = [];
    maker.on('response', (answer) => void (answer.status() === 403 && refused.push(answer.url())));
    for (const [address, name] of [
      ['developers/keys', 'API keys'],
      ['developers/deliveries/none', 'Deliveries'],
      ['settings/audit', 'Audit log'],
    ] as const) {
      await maker.goto(`/dashboard/${address}`);
      await maker.getByRole('heading', { level: 1, name }).waitFor();
      await maker.getByText('Your role (maker) does not show this page.').waitFor();
      expect(await maker.getByRole('main').getByRole('button').count(), address).toBe(0);
    }
    expect(refused).toEqual([]);
    await expectAccessible(maker);

    await owner.reload();
    await owner.getByRole('button', { name: 'Actions for Tunde Alli' }).click();
    await owner.getByRole('menuitem', { name: 'Change the role' }).click();
    await openDialog(owner).getByLabel('Developer', { exact: true }).check();
    await openDialog(owner).getByRole('button', { name: 'Change the role' }).click();
    await owner.getByText(/Tunde Alli is developer/).waitFor();
    await makeKey(maker, 'Till');
    await owner.reload();
    await owner.getByRole('button', { name: 'Actions for Tunde Alli' }).click();
    await owner.getByRole('menuitem', { name: 'Remove' }).click();
    await openDialog(owner).getByRole('list', { name: 'Keys that they created' }).getByText('Till').waitFor();
    await expectAccessible(owner);
    await openDialog(owner).getByRole('button', { name: 'Remove' }).click();
    await owner.getByText('Tunde Alli is removed. One key is revoked.').waitFor();
    await expect.poll(async () => (await maker.request.get('/session')).status()).toBe(401);
  });
});

describe('who decides about what others make', () => {
  it('is invited by one and agreed to by another, and both see it wait', async () => {
    const owner = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/settings/people' });
    const rules = { isMakerCheckerEnabled: true, rules: [{ fromAmount: 1_000_000, approvals: 1 }] };
    const { ask } = await signInOverHttp(walk.baseUrl, walk.demo.dashboard);
    expect((await ask('PATCH', '/approval/rules', rules)).status).toBe(200);
    await invite(owner, 'chika@adire.example', 'Approver');
    await owner.getByText('It waits until a second person has agreed.').waitFor();
    const list = owner.getByRole('list', { name: 'Waits for a second person' });
    await list.getByText('Invite chika@adire.example as approver').waitFor();
    await expect.poll(() => list.getByRole('button', { name: 'Agree' }).count()).toBe(0);
    await expectAccessible(owner);

    const approver = await walk.openAs(walk.demo.colleagues.approver, { at: '/dashboard/settings/people' });
    await approver.getByRole('button', { name: 'Agree' }).click();
    await expectAccessible(approver);
    await openDialog(approver).getByRole('button', { name: 'Agree' }).click();
    await approver.getByText('Agreed, and done.').waitFor();
    await approver
      .getByRole('row', { name: /chika@adire\.example/ })
      .getByText('Invited')
      .last()
      .waitFor();
  });
});

describe('signing in safely', () => {
  it('begins a page anew where somebody else signs in in another tab, and sends nothing of it as them', async () => {
    const { dashboard: owner, colleagues } = walk.demo;
    const page = await walk.openAs(owner, { at: '/dashboard/wallet' });
    await page.getByRole('button', { name: 'Add test money' }).click();
    await openDialog(page).getByLabel('Amount').fill('4321');
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/sandbox/wallet/fund')) sent += 1;
    });
    const { email, password } = colleagues.approver;
    await page.context().request.post('/session', { data: { email, password } });
    await openDialog(page).getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Somebody else has signed in on this browser.').waitFor();
    await page.getByRole('button', { name: 'Account of Bola' }).waitFor();
    expect(sent).toBe(1);
    await expectAccessible(page);

    const other = await page.context().newPage();
    await other.goto('/dashboard/sign-in');
    await signIn(other, owner);
    await page.getByRole('button', { name: 'Account of Amaka' }).waitFor();
  });

  it('takes a second factor, asks its code the next time, and takes each recovery code once', async () => {
    const person = walk.demo.colleagues.approver;
    const page = await walk.openAs(person, { at: '/dashboard/settings/security' });
    await page.getByRole('button', { name: 'Turn it on' }).click();
    const dialog = openDialog(page);
    await dialog.getByRole('img', { name: /Code to scan/ }).waitFor();
    const secret = await dialog.getByText(/^[A-Z2-7]{16,}$/).innerText();
    await dialog.getByLabel('Code of the app').fill('000000');
    await dialog.getByRole('button', { name: 'Turn it on' }).click();
    await dialog.getByText('It is wrong or was used already.').waitFor();
    await expectAccessible(page);
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await dialog.getByLabel('Code of the app').fill(totp.generate());
    await dialog.getByRole('button', { name: 'Turn it on' }).click();
    const list = page.getByRole('list', { name: 'Recovery codes' });
    await list.waitFor();
    const codes = await list.getByRole('listitem').allInnerTexts();
    expect(codes).toHaveLength(10);
    await expectAccessible(page);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as a file' }).click();
    expect((await saved).suggestedFilename()).toBe('manilla-recovery-codes.txt');
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('10 recovery codes are left.').waitFor();

    const [code = ''] = codes;
    const first = await walk.open();
    await askedForCode(first, person, code);
    await first.getByRole('button', { name: /^Account of/ }).waitFor();
    const second = await walk.open();
    await askedForCode(second, person, code);
    await second.getByText('It is wrong or was used already.').waitFor();
  });

  it('ends a session from the list, and the other browser says so in words', async () => {
    const here = await walk.openAs(walk.demo.dashboard);
    const there = await walk.openAs(walk.demo.dashboard);
    await here.goto('/dashboard/settings/security');
    await here
      .getByRole('button', { name: /^End the session of/ })
      .first()
      .click();
    await openDialog(here).getByRole('button', { name: 'End session' }).click();
    await here.getByText('The session is ended.').waitFor();
    await expectAccessible(here);
    await expect.poll(async () => (await there.request.get('/session')).status()).toBe(401);
    const ended = there.getByRole('dialog', { name: 'Your session has ended' });
    // Unless its stream has said so first, which takes the page behind it out of reach.
    await there
      .getByRole('link', { name: 'Stores', exact: true })
      .click({ timeout: 5_000 })
      .catch(() => ended.waitFor());
    await ended.waitFor();
    await expectAccessible(there);
  });

  it('changes the password only for who knows it, and not to a common one', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { phone: true, at: '/dashboard/settings/security' });
    const change = page.getByRole('button', { name: 'Change the password' });
    const next = 'eleven blue dye pots';
    await page.getByLabel('Current password').fill('certainly not this one');
    await page.getByLabel('New password').fill(next);
    await change.click();
    await page.getByText('It is wrong.').waitFor();
    await page.getByLabel('Current password').fill(walk.demo.dashboard.password);
    await page.getByLabel('New password').fill('password12345678');
    await change.click();
    await page.getByText(/guessed first/).waitFor();
    await page.getByLabel('New password').fill(next);
    await change.click();
    await page.getByText('The password is changed.').waitFor();
    await expectAccessible(page);
    await walk.openAs({ email: walk.demo.dashboard.email, password: next });
  });
});

async function askedForCode(page: Page, person: Person, code: string): Promise<void> {
  await page.goto('/dashboard/sign-in');
  await signIn(page, person);
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}
