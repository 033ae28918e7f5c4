import { useTranslation } from 'react-i18next'
import { useCan } from '../../lib/can.ts'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { FleetScreen } from './fleet-screen.tsx'

/** Everything on one map. Who may not see devices is told so, and nothing is asked in their name. */
export function MapsPage() {
  const { t } = useTranslation('maps')
  const mayView = useCan('devices.view')
  return (
    <Page title={t('title')} width={mayView ? 'bleed' : 'wide'}>
      {mayView ? <FleetScreen /> : <Empty title={t('notAllowed.title')} text={t('notAllowed.text')} />}
    </Page>
  )
}
