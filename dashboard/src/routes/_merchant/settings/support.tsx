import { createFileRoute } from '@tanstack/react-router';
import { SupportPage } from '../../../settings/support-page.tsx';

export const Route = createFileRoute('/_merchant/settings/support')({ component: SupportPage });
