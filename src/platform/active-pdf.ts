import { setImmediate } from 'node:timers/promises';
import { inflate, type Zlib } from 'node:zlib';

/**
 * Names of a PDF that let it run something, open another file or hide its content. `OpenAction` and `AA` only say when
 * an action runs; the action itself has one of these names. Short names, such as `JS`, occur in any picture by chance;
 * a script always has `JavaScript` or `Rendition` too.
 */
const ACTIVE = [
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
];

/**
 * The most that the packed objects of one file may unpack to. They are names and references without text or pictures:
 * some 100 KB in a document of a hundred pages.
 */
const MAX_UNPACKED_BYTES = 4 * 1024 * 1024;
/** The least that each packed stream counts for: writers put a hundred objects or more, 10 KB, into one. */
const MIN_STREAM_BYTES = 8 * 1024;
/** Bytes that are searched without a pause: at worst some milliseconds of the thread, which also answers requests. */
const PIECE_BYTES = 128 * 1024;

/**
 * Whether a PDF holds more than pages, or cannot be read well enough to be sure: then it is not shown in a page of
 * ours. It checks all names of the file, also those that are written with `#`, and those in its packed objects. Linear
 * in the size of the file, whatever is in it.
 */
export async function hasActiveContent(pdf: Buffer): Promise<boolean> {
  let left = MAX_UNPACKED_BYTES;
  for (let found = await lookFrom(pdf, 0); found !== undefined; ) {
    if (found === 'ACTIVE' || left <= 0) return true;
    const objects = await unpacked(pdf.subarray(found, found + left), left);
    // Packed objects contain no other packed objects.
    if (objects === undefined || (await lookFrom(objects.bytes, 0)) !== undefined) return true;
    left -= Math.max(MIN_STREAM_BYTES, objects.taken, objects.bytes.length);
    found = await lookFrom(pdf, found);
  }
  return false;
}

/**
 * Undefined where it is packed in a way that is not read here, or unpacks to too much. Empty output still costs input,
 * so the bytes that were read count as well.
 */
function unpacked(packed: Buffer, most: number): Promise<{ bytes: Buffer; taken: number } | undefined> {
  return new Promise((resolve) => {
    // After the packed bytes comes the rest of the file, which the format allows.
    inflate(packed, { maxOutputLength: most, info: true }, (error, result) => {
      if (error !== null) {
        resolve(undefined);
        return;
      }
      const { buffer, engine } = result as unknown as { buffer: Buffer; engine: Zlib };
      resolve({ bytes: buffer, taken: engine.bytesWritten });
    });
  });
}

type Meaning = 'ACTIVE' | 'OBJECTS' | 'PREDICTOR';

/**
 * The names that are searched for, letter by letter: no string is made of the others, of which a file may have
 * millions.
 */
interface Letters {
  next: (Letters | undefined)[];
  meaning: Meaning | undefined;
}

const NAMES = lettersOf([
  ...ACTIVE.map((name) => [name, 'ACTIVE'] as const),
  ['ObjStm', 'OBJECTS'],
  ['Predictor', 'PREDICTOR'],
]);

function lettersOf(names: readonly (readonly [name: string, meaning: Meaning])[]): Letters {
  const newLetters = (): Letters => ({ next: new Array<undefined>(128).fill(undefined), meaning: undefined });
  const first = newLetters();
  for (const [name, meaning] of names) {
    let letters = first;
    for (const byte of Buffer.from(name)) letters = letters.next[byte] ??= newLetters();
    letters.meaning = meaning;
  }
  return first;
}

const SLASH = 0x2f;
const NUMBER_SIGN = 0x23;
const SMALL_S = 0x73;
const STREAM = Buffer.from('stream');
const END = Buffer.from('end');
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** What was seen since the last keyword of a stream. */
interface Seen {
  objects: boolean;
  predictor: boolean;
}

/**
 * The place where packed objects begin; or a name that is not allowed, or packed objects that begin in a way that is
 * not read here.
 */
type Found = number | 'ACTIVE';

/** The first of these from a place on; undefined where there is none. */
async function lookFrom(bytes: Buffer, from: number): Promise<Found | undefined> {
  const seen: Seen = { objects: false, predictor: false };
  for (let at = from; at < bytes.length; at += PIECE_BYTES) {
    if (at > from) await setImmediate();
    const found = lookAtPiece(bytes, at, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function lookAtPiece(bytes: Buffer, from: number, seen: Seen): Found | undefined {
  const end = Math.min(from + PIECE_BYTES, bytes.length);
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === SLASH) {
      const meaning = meaningAt(bytes, at + 1);
      if (meaning === 'ACTIVE') return 'ACTIVE';
      if (meaning === 'OBJECTS') seen.objects = true;
      else if (meaning === 'PREDICTOR') seen.predictor = true;
    } else if (byte === SMALL_S && standsAt(bytes, STREAM, at) && !standsAt(bytes, END, at - END.length)) {
      // The dictionary is somewhere after the keyword before. A false one does not unpack.
      if (seen.objects) return (seen.predictor ? undefined : behindLine(bytes, at + STREAM.length)) ?? 'ACTIVE';
      seen.predictor = false;
    }
  }
  return undefined;
}

/** The meaning of the name whose letters begin here. `/J#61vaScript` is `/JavaScript`. */
function meaningAt(bytes: Buffer, from: number): Meaning | undefined {
  let letters: Letters | undefined = NAMES;
  for (let at = from; letters !== undefined; at += 1) {
    let letter = bytes[at] ?? 0;
    if (letter === NUMBER_SIGN) {
      const code = 16 * digitOf(bytes[at + 1]) + digitOf(bytes[at + 2]);
      if (code >= 0) {
        letter = code;
        at += 2;
      }
    }
    if (!isLetter(letter)) return letters.meaning;
    letters = letters.next[letter];
  }
  return undefined;
}

/** For a byte that is no digit, a number so far below zero that no other digit makes up for it. */
function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const small = byte | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : -256;
}

function isLetter(byte: number): boolean {
  const small = byte | 0x20;
  return small >= 0x61 && small <= 0x7a;
}

function standsAt(bytes: Buffer, word: Buffer, from: number): boolean {
  for (let at = 0; at < word.length; at += 1) if (bytes[from + at] !== word[at]) return false;
  return true;
}

/** Undefined where no line ends here. */
function behindLine(bytes: Buffer, at: number): number | undefined {
  const end = bytes[at] === CARRIAGE_RETURN ? at + 1 : at;
  return bytes[end] === LINE_FEED ? end + 1 : undefined;
}
