import { support } from '@isotherm/contract/support.ts'
import { useTranslation } from 'react-i18next'
import frames from '../../../ui/frames.module.css'
import { OpenHere } from '../../../ui/open-here.tsx'
import { Page } from '../../../ui/page.tsx'
import { RequestForm } from '../parts/request-form.tsx'
import { RequestList } from '../parts/request-list.tsx'
import { StorePanel } from '../parts/store-panel.tsx'
import classes from '../parts/support.module.css'
import { SupportTabs } from '../parts/support-tabs.tsx'

/** Asks the provider for help or suggests something; what was asked stands below with its answers, the store beside it. */
export function SupportPage() {
  const { t } = useTranslation('support')
  return (
    <Page title={t('title')} tabs={<SupportTabs />}>
      <div className={classes.sides}>
        <div className={frames.stack}>
          <OpenHere row={support.ask}>
            <RequestForm />
          </OpenHere>
          <RequestList />
        </div>
        <StorePanel />
      </div>
    </Page>
  )
}
