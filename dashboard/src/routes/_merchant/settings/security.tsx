import { createFileRoute } from '@tanstack/react-router';
import { SecurityPage } from '../../../settings/security-page.tsx';

export const Route = createFileRoute('/_merchant/settings/security')({ component: SecurityPage });
