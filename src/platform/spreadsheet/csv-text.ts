import { TextDecoder } from 'node:util';
import { bytesOf } from '../uploads.ts';
import { fileDamaged, fileEmpty, fileEncodingUnknown } from './errors.ts';

/** How the bytes of a text file become characters. */
type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * By its byte order mark; else UTF-8 where every byte is, and Windows-1252, which older spreadsheets write, where not.
 * Reads the whole file.
 * @throws AppError `FILE_EMPTY`
 */
export async function detectEncoding(fd: number): Promise<TextEncodingName> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  let size = 0;
  for await (const chunk of bytesOf(fd)) {
    if (size === 0) {
      if (chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
      if (chunk[0] === 0xfe && chunk[1] === 0xff) return 'utf-16be';
    }
    size += chunk.length;
    isUtf8 = isUtf8 && decodes(decoder, chunk);
  }
  if (size === 0) throw fileEmpty();
  return isUtf8 && decodes(decoder) ? 'utf-8' : 'windows-1252';
}

function decodes(decoder: TextDecoder, chunk?: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: chunk !== undefined });
    return true;
  } catch {
    return false;
  }
}

/** No text has these: whatever holds them is an image, a program, or text in an encoding that does not say so. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY = /[\u0001-\u0008\u000e-\u001f]/;

/** The file's text, piece by piece, without a byte order mark. @throws AppError `FILE_ENCODING_UNKNOWN`, `FILE_DAMAGED` */
export async function* textOf(fd: number, encoding: TextEncodingName): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw fileEncodingUnknown('The file holds bytes that are no characters.');
    }
  };
  for await (const chunk of bytesOf(fd)) yield checked(decode(chunk));
  yield checked(decode());
}

function checked(text: string): string {
  if (text.includes('\0')) throw fileEncodingUnknown('The file holds NUL characters, so it is no plain text.');
  if (BINARY.test(text)) throw fileDamaged('The file holds control characters, so it is no plain text.');
  return text;
}
