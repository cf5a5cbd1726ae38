import { useMemo, useState } from 'react';
import { useAction } from '../api/action.ts';
import { watchUpload } from '../api/files.ts';
import type { Mode } from '../api/types.ts';

export interface ImportFields {
  rail: string;
  mode: Mode;
  merchantId: string;
  amountsInKobo: boolean;
}

export interface Import {
  /** Sends the file and gives the id of the import when all of it is compared. @throws ApiError */
  send(file: File, fields: ImportFields): Promise<string>;
  /** Bytes on their way, and of how many; undefined while nothing is sent. */
  sent: { bytes: number; total: number } | undefined;
}

/** A settlement file on its way to being compared. */
export function useImport(): Import {
  const [sent, setSent] = useState<Import['sent']>();
  const fetch = useMemo(() => watchUpload((bytes, total) => setSent({ bytes, total: total ?? bytes })), []);
  const take = useAction('post', '/operator/settlement', { changes: ['/operator'], fetch });

  async function send(file: File, fields: ImportFields): Promise<string> {
    setSent({ bytes: 0, total: file.size });
    try {
      return (await take.run({ body: formOf(file, fields) })).importId;
    } finally {
      setSent(undefined);
    }
  }
  return { send, sent };
}

/** The file comes last: the service reads the fields before it. */
function formOf(file: File, fields: ImportFields): FormData {
  const form = new FormData();
  form.append('rail', fields.rail);
  form.append('mode', fields.mode);
  if (fields.merchantId.trim() !== '') form.append('merchantId', fields.merchantId.trim());
  if (fields.amountsInKobo) form.append('amountsInKobo', 'true');
  form.append('file', file);
  return form;
}
