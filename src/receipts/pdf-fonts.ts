import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The fonts of every page that is drawn: the fourteen that every reader of PDF has know no naira sign. */
export function readPdfFonts(): { regular: Buffer; bold: Buffer } {
  return {
    regular: readFileSync(require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
    bold: readFileSync(require.resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf')),
  };
}
