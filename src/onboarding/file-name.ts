import { withoutInvisible } from '../platform/text.ts';

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
