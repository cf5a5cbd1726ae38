import { describe, expect, it } from 'vitest';
import { expectAccessible, prepareWalks, signIn } from './support/walk.ts';

const walk = prepareWalks();

describe('signing in', () => {
  it('leads through the sign-in to the page that was asked for, and out again', async () => {
    const page = await walk.open();
    await page.goto('/dashboard/stores');
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await expectAccessible(page);
    await signIn(page, walk.demo.dashboard);
    await page.getByRole('heading', { level: 1, name: 'Stores' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/stores');
    await expect.poll(() => page.getByText('Sandbox: test money').isVisible()).toBe(true);
    await expectAccessible(page);

    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });

  it('keeps what was typed when the password is wrong, and says so in one sentence for every address', async () => {
    const page = await walk.open();
    await page.goto('/dashboard/sign-in');
    const sentences: string[] = [];
    for (const email of [walk.demo.dashboard.email, 'nobody@nowhere.example']) {
      await signIn(page, { email, password: 'certainly not this one' });
      sentences.push(await page.getByRole('alert').innerText());
      await expect.poll(() => page.getByLabel('E-mail').inputValue()).toBe(email);
      await page.reload();
    }
    expect(sentences[0]).toBe(sentences[1]);
  });

  it('names what is missing next to the field and takes the focus there', async () => {
    const page = await walk.open();
    await page.goto('/dashboard/sign-in');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Enter your e-mail address.').waitFor();
    expect(await page.getByLabel('E-mail').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('E-mail').evaluate((field) => field === document.activeElement)).toBe(true);
    await expectAccessible(page);
  });

  it('asks to sign in again over the page when the session has ended, and goes on where one was', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/stores' });
    await page.getByRole('link', { name: 'Lekki' }).waitFor();
    await page.context().clearCookies();
    // Whatever the page asks next finds out; a real click would wait for the dialog to go.
    await page.getByRole('link', { name: 'Subaccounts', exact: true }).dispatchEvent('click');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await expectAccessible(page);
    await signIn(page, walk.demo.dashboard);
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Payroll' }).waitFor();
  });

  it('says to who opens an address after the session ended that it did, and to nobody who signed out or never was here', async () => {
    const ended = 'Your session has ended.';
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/stores' });
    await page.getByRole('link', { name: 'Lekki' }).waitFor();
    await page.context().clearCookies();
    await page.goto('/dashboard/subaccounts');
    await page.getByText(ended).waitFor();
    await expectAccessible(page);
    await signIn(page, walk.demo.dashboard);
    await page.getByRole('link', { name: 'Payroll' }).waitFor();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    for (const other of [page, await walk.open()]) {
      await other.goto('/dashboard/subaccounts');
      await other.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      expect(await other.getByText(ended).count()).toBe(0);
    }
  });

  it('asks once for changes in a tab whose session has ended, says so, and hears of them after signing in', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/stores' });
    const other = await walk.openAs(walk.demo.dashboard);
    const streams: number[] = [];
    page.on('response', (answer) => {
      if (new URL(answer.url()).pathname === '/stream') streams.push(answer.status());
    });
    const { csrfToken } = (await (await other.request.get('/session')).json()).data;
    await other.request.post('/session/revoke-others', { headers: { 'x-csrf-token': csrfToken } });
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    // Three times as long as the longest first pause.
    await page.waitForTimeout(4_500);
    expect(streams).toEqual([401]);
    await signIn(page, walk.demo.dashboard);
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => streams, { timeout: 10_000 }).toEqual([401, 200]);
  });

  it('brings the operator to the operator', async () => {
    const operator = await walk.open();
    await operator.goto('/dashboard/sign-in');
    await signIn(operator, walk.demo.operator);
    await operator.waitForURL((url) => url.pathname === '/dashboard/operator');
    await operator.getByRole('heading', { level: 1 }).waitFor();
    await expectAccessible(operator);
  });

  it('sends nobody to a stranger after signing in', async () => {
    const page = await walk.open();
    // Read as a host by browsers, and as a path by what looks for `//` alone.
    await page.goto(`/dashboard/sign-in?next=${encodeURIComponent('/\\evil.example/')}`);
    await signIn(page, walk.demo.dashboard);
    await page.getByRole('button', { name: /^Account of/ }).waitFor();
    expect(new URL(page.url()).origin).toBe(walk.baseUrl);
  });
});

describe('the frame', () => {
  it('fits a phone: the menu opens, leads on and closes', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { phone: true, dark: true });
    await page.getByRole('button', { name: 'Menu' }).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.getByRole('link', { name: 'Stores', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Stores' }).waitFor();
    await menu.waitFor({ state: 'detached' });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  });

  it('keeps the mode in the address, on every link, and shows it in words', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Live' }).click();
    await page.getByText('Live: real money').waitFor();
    await page.getByRole('link', { name: 'Stores', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Stores' }).waitFor();
    expect(new URL(page.url()).searchParams.get('mode')).toBe('live');
    await page.reload();
    await page.getByText('Live: real money').waitFor();
    await page.getByRole('navigation', { name: 'Mode' }).getByRole('link', { name: 'Sandbox' }).click();
    await page.getByText('Sandbox: test money').waitFor();
    expect(new URL(page.url()).searchParams.get('mode')).toBeNull();
  });
});
