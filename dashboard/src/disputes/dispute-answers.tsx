import { DownloadButton } from '../components/download-button.tsx';
import { Status } from '../components/status.tsx';
import { Moment } from '../components/values.tsx';
import { formatBytes } from '../format/text.ts';
import type { DisputeAnswer } from './dispute-steps.ts';

const STATUS_WORDS: Record<DisputeAnswer['status'], string> = {
  QUEUED: 'Being sent',
  SENT: 'With the provider',
  REFUSED: 'Refused',
};

interface DisputeAnswersProps {
  disputeId: string;
  answers: readonly DisputeAnswer[];
}

/** What was said to a dispute, word for word, with its files. */
export function DisputeAnswers({ disputeId, answers }: DisputeAnswersProps) {
  return (
    <ul className="divide-y">
      {answers.map(({ answerId, action, status, message, files, madeAt }) => (
        <li key={answerId} className="py-3 first:pt-0 last:pb-0">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <p className="font-medium">{action === 'ACCEPT' ? 'Accepted' : 'Contested'}</p>
            <span className="flex flex-wrap items-center gap-x-3">
              <Status status={status === 'SENT' ? 'DONE' : status} word={STATUS_WORDS[status]} />
              <Moment at={madeAt} className="text-xs text-muted" />
            </span>
          </div>
          {message !== null && <p className="mt-1 whitespace-pre-line wrap-anywhere">{message}</p>}
          {files.length > 0 && (
            <ul className="mt-2 flex flex-wrap gap-2">
              {files.map(({ fileId, fileName, sizeBytes }) => (
                <li key={fileId} className="min-w-0">
                  <DownloadButton
                    size="small"
                    address={`/collection/dispute/${disputeId}/file/${fileId}`}
                    fileName={fileName}
                  >
                    <span className="wrap-anywhere whitespace-normal">
                      {fileName} <span className="text-muted">{formatBytes(sizeBytes)}</span>
                    </span>
                  </DownloadButton>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}
