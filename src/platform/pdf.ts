import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';

export type PdfDocument = InstanceType<typeof PDFDocument>;

const require = createRequire(import.meta.url);

/** The fonts of every document: the fourteen that every PDF reader has lack the naira sign. */
export const PDF_FONTS = {
  regular: readFileSync(require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
  bold: readFileSync(require.resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf')),
};

export const PDF_COLORS = { ink: '#16181d', muted: '#5b6170', line: '#d9dce3' };

interface PdfOptions {
  /** In points, on each side. */
  margin: number;
  /** Whether its parts are marked for screen readers; the caller adds the structure. */
  tagged?: boolean;
  /** `CreationDate` is of the subject, never the moment of drawing, so that the same subject gives the same bytes. */
  info: { Title: string; Author?: string; Subject: string; CreationDate: Date };
}

/**
 * Begins an A4 document with the fonts `regular` and `bold` embedded. The caller draws and ends it; `content` has its bytes
 * then. This file takes more than 30 MB once it is loaded: the service imports it late, or in a thread.
 */
export function openPdf(options: PdfOptions): { document: PdfDocument; content: Promise<Buffer> } {
  const document = new PDFDocument({
    ...options,
    size: 'A4',
    // PDFKit takes a font as bytes; its types only know a name.
    font: PDF_FONTS.regular as unknown as string,
    lang: 'en',
    displayTitle: true,
    pdfVersion: '1.7',
  });
  document.registerFont('bold', PDF_FONTS.bold);
  document.registerFont('regular', PDF_FONTS.regular);
  const pieces: Buffer[] = [];
  const content = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (piece: Buffer) => pieces.push(piece));
    document.on('error', reject);
    document.on('end', () => resolve(Buffer.concat(pieces)));
  });
  return { document, content };
}
