import { Download, type LucideIcon, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { downloadFile } from '../api/files.ts';
import { useMay, useMode } from '../api/session.ts';
import { IconButton } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { formatBytes } from '../format/text.ts';
import type { Document } from './document-words.ts';

interface DocumentFileProps {
  document: Document;
  open: boolean;
  icon: LucideIcon;
}

/** A document that was added: to save again, and to take away until a review accepted it. */
export function DocumentFile({ document, open, icon: Icon }: DocumentFileProps) {
  const { documentId, fileName, bytes, uploadedAt, removable } = document;
  const mode = useMode();
  const mayOpen = useMay()('document:read', mode);
  const remove = useAction('delete', '/onboarding/document/{documentId}', {
    changes: ['/onboarding', '/merchant/info'],
  });
  const [asking, setAsking] = useState(false);

  function download(): void {
    const address = `/onboarding/document/${documentId}/content`;
    downloadFile(address, mode, fileName).catch((error: unknown) => toast({ tone: 'bad', text: messageOf(error) }));
  }

  return (
    <div className="flex items-center gap-3 rounded-control border bg-sunken px-3 py-1.5">
      <Icon className="size-4 shrink-0 text-muted" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="truncate">{fileName}</p>
        <p className="text-xs text-muted">
          {formatBytes(bytes)}, added <Moment at={uploadedAt} />
        </p>
      </div>
      {mayOpen && <IconButton icon={Download} label={`Download ${fileName}`} onClick={download} />}
      {open && removable && <IconButton icon={Trash2} label={`Remove ${fileName}`} onClick={() => setAsking(true)} />}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Remove ${fileName}?`}
        confirm="Remove document"
        danger
        onConfirm={() => remove.run({ path: { documentId } })}
      >
        <p>It is deleted. You can add it again as long as you have the file.</p>
      </ConfirmDialog>
    </div>
  );
}
