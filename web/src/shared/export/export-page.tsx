import { ExportTabs } from '../../ui/export-tabs.tsx'
import { Page, type PageProps } from '../../ui/page.tsx'

/** The frame of the screens of the export section. */
export const ExportPage = (props: Pick<PageProps, 'title' | 'actions' | 'width' | 'children'>) => (
  <Page {...props} tabs={<ExportTabs />} />
)
