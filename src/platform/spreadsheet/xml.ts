import type { TextDecoder as Decoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { AppError } from '../errors.ts';
import { fileDamaged, fileTooComplex } from './errors.ts';
import { MAX_XML_ATTRIBUTES, MAX_XML_DEPTH, MAX_XML_TOKEN } from './limits.ts';

/** Names come without their prefix: writers of workbooks choose prefixes as they like. */
export interface XmlHandler {
  open(name: string, attribute: (name: string) => string | undefined): void;
  text?(text: string): void;
  close?(name: string): void;
}

const TOO_COMPLEX = 'The workbook is built in a way that no spreadsheet program builds one.';

/**
 * Feeds XML to a handler, piece by piece, and gives way after each. Refuses what could grow without end (deep nesting,
 * texts and tags without end) and every document type, the only place where an entity can be defined.
 *
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
  let decoder: Decoder | undefined;
  for await (const chunk of bytes) {
    decoder ??= decoderFor(chunk);
    const text = decode(decoder, chunk);
    fed += text.length;
    parser.write(text);
    // Since the last tag or text that ended, so what the parser is gathering.
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

function decoderFor(start: Buffer): Decoder {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  return new TextDecoder('utf-8', { fatal: true });
}

function decode(decoder: Decoder, chunk?: Buffer): string {
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
