import type { Page } from 'playwright-core';

/** What a browser says about a refusal of the service or a cut line: expected in walks, and shown in the page. */
const EXPECTED = /status of (4\d\d|503)|net::ERR_/;

/** Collects what must never happen on a page: a thrown error, a message of the console, a breach of the content policy. */
export function watchPage(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`thrown on ${page.url()}: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (EXPECTED.test(message.text())) return;
    problems.push(`${message.type()} on ${page.url()}: ${message.text()}`);
  });
  page.on('requestfailed', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') problems.push(`asked a stranger: ${request.url()}`);
  });
}
