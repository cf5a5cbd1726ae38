import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { AppError } from '../errors.ts';
import {
  fileDamaged,
  fileTooComplex,
  MAX_SHARED_TEXT_BYTES,
  MAX_SHARED_TEXTS,
  MAX_XML_ATTRIBUTES,
  MAX_XML_DEPTH,
  MAX_XML_TOKEN,
} from './errors.ts';

/** Many texts by number, as bytes in a few blocks: a million short strings would take many times the memory. */
export interface TextPool {
  /** @throws AppError `FILE_TOO_COMPLEX` when it is full. */
  add(text: string): void;
  /** Undefined for a number without a text. */
  get(number: number): string | undefined;
}

const BLOCK_BYTES = 256 * 1024;

export function createTextPool(): TextPool {
  const blocks: Buffer[] = [];
  let free = 0;
  let total = 0;
  let count = 0;
  // For each text: its block, its first byte there, and its length.
  let places = new Uint32Array(3 * 1_024);

  function take(bytes: number): { block: number; start: number } {
    if (bytes > free) {
      blocks.push(Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, bytes)));
      free = Math.max(BLOCK_BYTES, bytes);
    }
    const block = blocks.length - 1;
    const start = (blocks[block] as Buffer).length - free;
    free -= bytes;
    return { block, start };
  }

  return {
    add(text) {
      const bytes = Buffer.byteLength(text);
      total += bytes;
      if (total > MAX_SHARED_TEXT_BYTES || count >= MAX_SHARED_TEXTS) {
        throw fileTooComplex('The workbook holds more text than a list of payouts would.');
      }
      if ((count + 1) * 3 > places.length) {
        const larger = new Uint32Array(places.length * 2);
        larger.set(places);
        places = larger;
      }
      const { block, start } = take(bytes);
      (blocks[block] ?? Buffer.alloc(0)).write(text, start);
      places.set([block, start, bytes], count * 3);
      count += 1;
    },
    get(number) {
      if (!Number.isInteger(number) || number < 0 || number >= count) return undefined;
      const [block = 0, start = 0, bytes = 0] = places.subarray(number * 3, number * 3 + 3);
      return blocks[block]?.toString('utf8', start, start + bytes) ?? '';
    },
  };
}

/** Names come without their prefix: writers of workbooks choose prefixes freely. */
export interface XmlHandler {
  open(name: string, attribute: (name: string) => string | undefined): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** For an attribute that is on or off, and is on without a value. */
export const isOff = (value: string | undefined): boolean => value === '0' || value === 'false';

const TOO_COMPLEX = 'The workbook is built in a way that no spreadsheet program builds one.';

/**
 * Feeds XML to a handler, piece by piece, and pauses after each. It refuses what could grow without end (deep nesting,
 * texts and tags without end) and every document type, the only place where an entity can be defined.
 * @throws AppError `FILE_DAMAGED`, `FILE_TOO_COMPLEX`, or what the handler throws.
 */
export async function* parseXml(bytes: AsyncIterable<Buffer>, handler: XmlHandler): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let fed = 0;
  let depth = 0;
  let attributes = 0;
  const seen = () => {
    fed = 0;
  };
  parser.on('opentagstart', () => {
    seen();
    attributes = 0;
    depth += 1;
    if (depth > MAX_XML_DEPTH) throw fileTooComplex(TOO_COMPLEX);
  });
  parser.on('attribute', () => {
    seen();
    attributes += 1;
    if (attributes > MAX_XML_ATTRIBUTES) throw fileTooComplex(TOO_COMPLEX);
  });
  parser.on('opentag', (tag) => {
    seen();
    handler.open(localName(tag.name), (name) => attributeOf(tag.attributes, name));
  });
  parser.on('closetag', (tag) => {
    seen();
    depth -= 1;
    handler.close?.(localName(tag.name));
  });
  const onText = (text: string) => {
    seen();
    handler.text?.(text);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('comment', seen);
  parser.on('processinginstruction', seen);
  parser.on('doctype', () => {
    throw fileTooComplex('The workbook defines a document type.');
  });
  parser.on('error', () => {
    throw fileDamaged('The workbook is damaged: its XML is broken. Open it, save it again and upload that.');
  });
  let decoder: TextDecoder | undefined;
  for await (const chunk of bytes) {
    decoder ??= decoderFor(chunk);
    const text = decode(decoder, chunk);
    fed += text.length;
    parser.write(text);
    // Counted since the last tag or text ended, which is what the parser is collecting.
    if (fed > MAX_XML_TOKEN) throw fileTooComplex(TOO_COMPLEX);
    yield;
  }
  parser.write(decode(decoder ?? new TextDecoder()));
  parser.close();
  yield;
}

/** Parses to the end at once: for the small parts of a workbook. */
export async function parseWholeXml(bytes: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(bytes, handler));
}

function decoderFor(start: Buffer): TextDecoder {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  return new TextDecoder('utf-8', { fatal: true });
}

function decode(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch (error) {
    throw error instanceof AppError ? error : fileDamaged('The workbook is damaged: its texts are no characters.');
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function attributeOf(attributes: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const plain = attributes[name];
  return typeof plain === 'string' ? plain : undefined;
}
