import { PartnerListPage } from '../../features/partners/pages/list-page.tsx'
import { ExportPage } from '../../shared/export/export-page.tsx'

/** The partners of dispatch, below the tabs of export: one list. */
export const ExportPartnersPage = () => <PartnerListPage Frame={ExportPage} />
