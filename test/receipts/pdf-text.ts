import { inflateSync } from 'node:zlib';

/**
 * What a PDF of ours says, line by line, read back from its bytes: each text is drawn as numbers of letters, and the map
 * beside its font says which characters those are. A letter without a character there is one that a reader could not copy.
 */
export function textOfPdf(pdf: Buffer): string {
  const objects = objectsOf(pdf);
  const maps = new Map<string, ReadonlyMap<number, string>>();
  for (const [id, { head }] of objects) {
    const reference = /\/ToUnicode (\d+) 0 R/.exec(head)?.[1];
    if (reference !== undefined) maps.set(id, charactersOf(objects.get(reference)?.stream ?? ''));
  }
  const fonts = new Map<string, ReadonlyMap<number, string>>();
  for (const { head } of objects.values()) {
    for (const [, name = '', id = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = maps.get(id);
      if (map !== undefined) fonts.set(name, map);
    }
  }
  const pages = [...objects.values()].filter(({ stream }) => /\bBT\b/.test(stream));
  return pages.map(({ stream }) => linesOf(stream, fonts)).join('\n');
}

interface PdfObject {
  head: string;
  stream: string;
}

function objectsOf(pdf: Buffer): Map<string, PdfObject> {
  const text = pdf.toString('latin1');
  const objects = new Map<string, PdfObject>();
  for (const found of text.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [, id = '', body = ''] = found;
    const at = body.indexOf('\nstream\n');
    const head = at < 0 ? body : body.slice(0, at);
    const bytes = at < 0 ? '' : body.slice(at + '\nstream\n'.length, body.lastIndexOf('\nendstream'));
    const isPacked = head.includes('/FlateDecode') && !head.includes('/FontFile');
    const stream = isPacked ? inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1') : bytes;
    objects.set(id, { head, stream });
  }
  return objects;
}

/** By the number of a letter, as `beginbfrange` and `beginbfchar` say. */
function charactersOf(map: string): Map<number, string> {
  const characters = new Map<number, string>();
  const textOf = (hex: string) =>
    (hex.match(/[0-9a-fA-F]{4}/g) ?? []).map((unit) => String.fromCharCode(Number.parseInt(unit, 16))).join('');
  for (const [, first = '', , list = ''] of map.matchAll(/<(\w+)> <(\w+)> \[([^\]]*)\]/g)) {
    const begin = Number.parseInt(first, 16);
    [...list.matchAll(/<([^>]*)>/g)].forEach(([, hex = ''], at) => {
      characters.set(begin + at, textOf(hex.replaceAll(' ', '')));
    });
  }
  return characters;
}

function linesOf(content: string, fonts: ReadonlyMap<string, ReadonlyMap<number, string>>): string {
  const lines: string[] = [];
  for (const [, block = ''] of content.matchAll(/\bBT\n([\s\S]*?)\nET/g)) {
    const font = fonts.get(/\/(F\d+) /.exec(block)?.[1] ?? '');
    const glyphs = [...block.matchAll(/<([0-9a-fA-F]+)>/g)].map(([, hex = '']) => hex).join('');
    lines.push(
      (glyphs.match(/.{4}/g) ?? []).map((glyph) => font?.get(Number.parseInt(glyph, 16)) ?? '\ufffd').join(''),
    );
  }
  return lines.join('\n');
}
