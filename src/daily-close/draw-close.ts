import { decimalText } from '../money/index.ts';
import { lagosTimeText } from '../platform/clock.ts';
import { openPdf, PDF_COLORS, type PdfDocument } from '../platform/pdf.ts';
import type { CloseFigures } from './close-figures.ts';
import type { DailyCloseRow } from './queries.ts';
import { TOTAL_WORDS } from './views.ts';

const MARGIN = 48;
const ROW = 15;

/** `1234567.50` as `1,234,567.50`. */
const naira = (kobo: string): string => decimalText(BigInt(kobo)).replace(/\B(?=(\d{3})+(?!\d)(?=.*\.))/g, ',');

/** The close as a PDF, its fonts in it. The same close is the same bytes: who signed it and when, and exactly what. */
export function drawClose(close: DailyCloseRow, figures: CloseFigures): Promise<Buffer> {
  const { mode, day } = figures;
  const test = mode === 'SANDBOX' ? 'TEST ' : '';
  const { document, content } = openPdf({
    margin: MARGIN,
    info: {
      Title: `${test}Daily close ${day}, version ${close.version}`,
      Subject: close.figures_digest,
      CreationDate: close.signed_at,
    },
  });
  heading(document, close, `${test}Daily close of ${day}`);
  table(
    document,
    'What the day comes to',
    ['', 'Naira'],
    [
      ...Object.entries(figures.totals).map(([name, amount]) => [
        TOTAL_WORDS[name as keyof typeof TOTAL_WORDS],
        naira(amount),
      ]),
    ],
  );
  table(
    document,
    'Accounts, all merchants together (credits less debits)',
    ['', 'Opening', 'Debits', 'Credits', 'Closing'],
    figures.kinds.map(({ kind, opening, debits, credits, closing }) => [
      wordsOf(kind),
      naira(opening),
      naira(debits),
      naira(credits),
      naira(closing),
    ]),
  );
  table(
    document,
    'What each provider owes',
    ['', 'Opening', 'Confirmed', 'Settled', 'Kept', 'Taken back', 'Closing'],
    figures.providers.map((one) => [
      one.rail,
      naira(one.opening),
      naira(one.confirmed),
      naira(one.settled),
      naira(one.kept),
      naira(String(BigInt(one.returned) + BigInt(one.refunded) + BigInt(one.disputed) - BigInt(one.deducted))),
      naira(one.closing),
    ]),
  );
  table(
    document,
    'Postings',
    ['', 'Transfers', 'Naira'],
    figures.postings.map(({ code, debitKind, creditKind, rail, transfers, amount }) => [
      `${wordsOf(code)}: ${wordsOf(debitKind)} to ${wordsOf(creditKind)}${rail === null ? '' : ` (${rail})`}`,
      String(transfers),
      naira(amount),
    ]),
  );
  document.end();
  return content;
}

const wordsOf = (name: string): string => name.toLowerCase().replaceAll('_', ' ');

function heading(document: PdfDocument, close: DailyCloseRow, title: string): void {
  const text = (line: string, size = 9, color = PDF_COLORS.muted) =>
    document.font('regular').fontSize(size).fillColor(color).text(line, MARGIN);
  document.font('bold').fontSize(18).fillColor(PDF_COLORS.ink).text(title, MARGIN);
  text(
    `Version ${close.version}. Every amount is of the ledger, in naira, of the day from midnight to midnight in Lagos.`,
  );
  text(`Signed by ${close.signed_name}, ${lagosTimeText(close.signed_at)}`, 9, PDF_COLORS.ink);
  if (close.second_name !== null && close.second_at !== null) {
    text(`Signed too by ${close.second_name}, ${lagosTimeText(close.second_at)}`, 9, PDF_COLORS.ink);
  }
  if (close.reopened_name !== null && close.reopened_at !== null) {
    text(
      `Counts no more: reopened by ${close.reopened_name}, ${lagosTimeText(close.reopened_at)}. ${close.reopened_reason ?? ''}`,
      9,
      PDF_COLORS.ink,
    );
  }
  text(`SHA-256 of what was signed: ${close.figures_digest}`, 8);
  document.moveDown(1);
}

function table(
  document: PdfDocument,
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  if (rows.length === 0) return;
  const width = document.page.width - 2 * MARGIN;
  const numbers = heads.length - 1;
  const numberWidth = Math.min(90, (width * 0.72) / numbers);
  const nameWidth = width - numbers * numberWidth;
  if (document.y + 3 * ROW > document.page.height - MARGIN) document.addPage();
  document.font('bold').fontSize(10.5).fillColor(PDF_COLORS.ink).text(title, MARGIN, document.y, { width });
  document.y += 4;
  const draw = (cells: readonly string[], color: string) => {
    document.font('regular').fontSize(8);
    const height = Math.max(ROW, document.heightOfString(cells[0] ?? '', { width: nameWidth - 6 }) + 6);
    if (document.y + height > document.page.height - MARGIN) document.addPage();
    const top = document.y;
    document
      .moveTo(MARGIN, top)
      .lineTo(MARGIN + width, top)
      .lineWidth(0.5)
      .strokeColor(PDF_COLORS.line)
      .stroke();
    cells.forEach((cell, at) => {
      const left = at === 0 ? MARGIN : MARGIN + nameWidth + (at - 1) * numberWidth;
      const how = at === 0 ? { width: nameWidth - 6 } : { width: numberWidth, align: 'right' as const };
      document.fillColor(color).text(cell, left, top + 3, how);
    });
    document.y = top + height;
  };
  draw(heads, PDF_COLORS.muted);
  for (const row of rows) draw(row, PDF_COLORS.ink);
  document.y += 12;
}
