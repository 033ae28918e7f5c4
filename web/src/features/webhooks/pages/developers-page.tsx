import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Page } from '../../../ui/page.tsx'
import { DeliveriesPanel } from '../parts/deliveries-panel.tsx'
import { EndpointsPanel } from '../parts/endpoints-panel.tsx'

/** For Admins: the endpoints of webhooks, and what became of their messages. */
export function DevelopersPage() {
  const { t } = useTranslation('webhooks')
  return (
    <Page title={t('title')} width="wide">
      <Stack>
        <EndpointsPanel />
        <DeliveriesPanel />
      </Stack>
    </Page>
  )
}
