import { withoutInvisible } from './text.ts';

/** A scan of several pages in colour; larger ones are photographs that nobody made smaller. */
export const MAX_DOCUMENT_BYTES = 5 * 1024 * 1024;

const MAX_NAME_LENGTH = 100;

/**
 * A name that is safe to save a file under: no path, nothing invisible, nothing that a shell or a file system reads as
 * more than a name, and the ending that its content has. `../../etc/passwd.exe` of a PDF is `passwd.pdf`.
 */
export function safeFileName(given: string, ending: string): string {
  const base = withoutInvisible(given).toWellFormed().split(/[\\/]/).at(-1) ?? '';
  const stem = base
    .replace(/\.[A-Za-z0-9]{1,8}$/, '')
    .replaceAll(/[^\p{L}\p{N}\p{M} ._()-]/gu, '_')
    .replace(/^[ .]+/, '')
    .trimEnd();
  return `${[...stem].slice(0, MAX_NAME_LENGTH).join('') || 'document'}.${ending}`;
}

/**
 * The types that a document may have, recognized by its first bytes. A name or a header proves nothing: anyone can
 * write them.
 */
const SIGNATURES = [
  { contentType: 'application/pdf', ending: 'pdf', begins: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { contentType: 'image/png', ending: 'png', begins: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { contentType: 'image/jpeg', ending: 'jpg', begins: [0xff, 0xd8, 0xff] },
] as const;

interface FileType {
  contentType: string;
  ending: string;
}

/** Undefined for a type that is not accepted. */
export function typeOfBytes(bytes: Buffer): FileType | undefined {
  return SIGNATURES.find(({ begins }) => begins.every((byte, at) => bytes[at] === byte));
}
