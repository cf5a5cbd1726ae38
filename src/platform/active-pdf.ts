import { inflateSync } from 'node:zlib';

/**
 * Names of a PDF that let it run something, open another file or hide what it holds. `OpenAction` and `AA` alone only say
 * when; what they would do has one of these names. Short ones, such as `JS`, stand in any picture by chance; a script is
 * never without `JavaScript` or `Rendition`.
 */
const ACTIVE: ReadonlySet<string> = new Set([
  'JavaScript',
  'Launch',
  'EmbeddedFile',
  'EmbeddedFiles',
  'RichMedia',
  'Rendition',
  'Movie',
  'Sound',
  'XFA',
  'SubmitForm',
  'ImportData',
  'GoToR',
  'GoToE',
  'Encrypt',
]);

/** What the packed objects of one file may come to: a file that unpacks to more is made to. */
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;

/**
 * Whether a PDF holds more than pages to look at, or cannot be read well enough to say so: then it is not shown in a page
 * of ours. Looks at all names of the file, also at those that are written with `#`, and into its packed objects. Linear
 * in the size of the file.
 */
export function hasActiveContent(pdf: Buffer): boolean {
  const text = pdf.toString('latin1');
  if (hasActiveName(text)) return true;
  let left = MAX_UNPACKED_BYTES;
  let before = 0;
  for (const { index, 0: keyword } of text.matchAll(/(?<!end)stream\r?\n/g)) {
    const from = index + keyword.length;
    // The dictionary is somewhere since the keyword before. One that is there to mislead does not unpack.
    const dictionary = namesWritten(text.slice(before, index));
    before = from;
    if (!dictionary.includes('/ObjStm')) continue;
    const objects = dictionary.includes('/Predictor') ? undefined : unpacked(pdf.subarray(from), left);
    if (objects === undefined || hasActiveName(objects)) return true;
    left -= objects.length;
  }
  return false;
}

/** Undefined where it is packed in a way that is not read here, or comes to too much. */
function unpacked(bytes: Buffer, most: number): string | undefined {
  try {
    // What follows the packed bytes is the rest of the file, which the format lets be.
    return inflateSync(bytes, { maxOutputLength: Math.max(1, most) }).toString('latin1');
  } catch {
    return undefined;
  }
}

function hasActiveName(text: string): boolean {
  for (const [, name = ''] of namesWritten(text).matchAll(/\/([A-Za-z]{3,14})(?![A-Za-z])/g)) {
    if (ACTIVE.has(name)) return true;
  }
  return false;
}

/** `/J#61vaScript` is `/JavaScript`. */
function namesWritten(text: string): string {
  return text.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
