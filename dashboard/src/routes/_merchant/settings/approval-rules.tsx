import { createFileRoute } from '@tanstack/react-router';
import { RulesPage } from '../../../settings/approval-rules-page.tsx';

export const Route = createFileRoute('/_merchant/settings/approval-rules')({ component: RulesPage });
