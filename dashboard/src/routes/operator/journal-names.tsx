import { createFileRoute } from '@tanstack/react-router';
import { JournalNamesPage } from '../../daily-close/journal-names-page.tsx';

export const Route = createFileRoute('/operator/journal-names')({ component: JournalNamesPage });
