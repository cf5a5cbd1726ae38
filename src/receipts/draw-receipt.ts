import { create, type Font } from 'fontkit';
import { openPdf, PDF_COLORS, PDF_FONTS, type PdfDocument } from '../platform/pdf.ts';
import { withoutInvisible } from '../platform/text.ts';
import type { Receipt } from './receipt.ts';

/** Longer than any name that a bank gives; what is cut says so. */
const MOST_CHARACTERS = 300;

/**
 * A text as a page can show it: one line, composed, without what nobody sees, and with the number of each character that
 * the page has no letter for, such as `[U+4E2D]`. So nothing is left out silently, and nothing is drawn as another letter.
 * Scripts that are written from right to left come as numbers, in the order in which they are kept.
 */
function printable(text: string, hasLetter: (codePoint: number) => boolean): string {
  const characters = Array.from(
    withoutInvisible(text)
      .normalize('NFC')
      .replaceAll(/\p{Zs}/gu, ' ')
      .trim(),
  );
  const shown = characters.slice(0, MOST_CHARACTERS).map((character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    return hasLetter(codePoint) ? character : `[U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
  return characters.length > MOST_CHARACTERS ? `${shown.join('')}… (cut)` : shown.join('');
}

const known = create(PDF_FONTS.regular) as Font;

const MARGIN = 56;
const LABEL_WIDTH = 130;
const WARNING = '#8a4b00';
const WARNING_GROUND = '#fff3d6';

const TEST = 'TEST. This is of the sandbox: no real money was paid.';
const HEADING = 'Receipt';
const FOOTER =
  'The bank confirmed this payment at the time above. Should it return the money later, this receipt is void.';
const UNPRINTABLE =
  'A character in brackets, such as [U+4E2D], is one that this page has no letter for; the number names it.';

/**
 * The receipt as a PDF, tagged, with its fonts in it. The same receipt is the same bytes: nothing of the moment at which
 * it is drawn is in it. It takes tens of milliseconds of processor time.
 */
export function drawReceipt(receipt: Receipt): Promise<Buffer> {
  const shown = printed(receipt);
  const { document, content } = openPdf({
    margin: MARGIN,
    tagged: true,
    info: {
      Title: `${receipt.isTest ? 'TEST ' : ''}${receipt.heading ?? HEADING} ${shown.reference}`,
      Author: shown.payer,
      Subject: `Payment of ${receipt.amount}`,
      CreationDate: receipt.paidAt,
    },
  });
  document.addStructure(document.struct('Document', {}, partsOf(document, shown)));
  document.end();
  return content;
}

interface Printed extends Receipt {
  payer: string;
  hasUnprintable: boolean;
}

/** What the fonts have no letter for is written as its number: never left out, and never drawn as something else. */
function printed(receipt: Receipt): Printed {
  const has = (codePoint: number) => known.hasGlyphForCodePoint(codePoint);
  const lines = receipt.lines.map(({ label, value }) => ({ label, value: printable(value, has) }));
  const hasUnprintable = receipt.lines.some(
    ({ value }, at) => value !== lines[at]?.value && /\[U\+/.test(lines[at]?.value ?? ''),
  );
  const payer = lines.find(({ label }) => label === 'Paid by')?.value ?? '';
  return { ...receipt, lines, payer, hasUnprintable, reference: printable(receipt.reference, has) };
}

function partsOf(document: PdfDocument, receipt: Printed): PDFKit.PDFStructureElementChild[] {
  const { lines, isTest, amount, payer, hasUnprintable, heading = HEADING, footer = FOOTER } = receipt;
  return [
    ...(isTest ? [document.struct('P', {}, () => drawTest(document))] : []),
    document.struct('P', {}, () => write(document, payer, { font: 'bold', size: 11 })),
    document.struct('H1', {}, () => {
      write(document, heading, { size: 11, color: PDF_COLORS.muted, gap: 2 });
      write(document, amount, { font: 'bold', size: 30, gap: 18 });
    }),
    document.struct(
      'Table',
      {},
      lines.map((line) => rowOf(document, line)),
    ),
    document.struct('P', {}, () => {
      document.moveDown(1);
      write(document, footer, { size: 9, color: PDF_COLORS.muted });
      if (hasUnprintable) write(document, UNPRINTABLE, { size: 9, color: PDF_COLORS.muted });
    }),
  ];
}

interface Look {
  font?: 'regular' | 'bold';
  size: number;
  color?: string;
  /** Points below it. */
  gap?: number;
}

function write(
  document: PdfDocument,
  text: string,
  { font = 'regular', size, color = PDF_COLORS.ink, gap = 6 }: Look,
): void {
  document.font(font).fontSize(size).fillColor(color);
  document.text(text, MARGIN, document.y, { width: document.page.width - 2 * MARGIN });
  document.y += gap;
}

function drawTest(document: PdfDocument): void {
  const { y } = document;
  const width = document.page.width - 2 * MARGIN;
  document.rect(MARGIN, y, width, 28).fill(WARNING_GROUND);
  document
    .font('bold')
    .fontSize(11)
    .fillColor(WARNING)
    .text(TEST, MARGIN + 10, y + 8, { width: width - 20 });
  document.y = y + 44;
}

/** A term and its value, as high as the value needs; what does not fit on this page begins on the next one. */
function rowOf(document: PdfDocument, { label, value }: { label: string; value: string }): PDFKit.PDFStructureElement {
  const left = MARGIN + LABEL_WIDTH;
  const width = document.page.width - MARGIN - left;
  let top = 0;
  const term = document.struct('TH', {}, () => {
    document.font('regular').fontSize(10.5);
    const height = document.heightOfString(value, { width });
    if (document.y + height + 16 > document.page.height - MARGIN) document.addPage();
    top = document.y + 8;
    document
      .moveTo(MARGIN, document.y)
      .lineTo(left + width, document.y)
      .lineWidth(0.5)
      .strokeColor(PDF_COLORS.line)
      .stroke();
    document.fillColor(PDF_COLORS.muted).text(label, MARGIN, top, { width: LABEL_WIDTH - 10 });
  });
  const description = document.struct('TD', {}, () => {
    document.font('regular').fontSize(10.5).fillColor(PDF_COLORS.ink).text(value, left, top, { width });
    document.y += 8;
  });
  return document.struct('TR', {}, [term, description]);
}
