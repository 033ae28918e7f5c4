import { apiBase } from '@isotherm/contract/call.ts'
import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CallsPanel } from '../../features/developer/parts/calls-panel.tsx'
import { CodePanel } from '../../features/developer/parts/code-panel.tsx'
import { KeysPanel } from '../../features/developer/parts/keys-panel.tsx'
import { ClockPanel } from '../../features/sandbox/parts/clock-panel.tsx'
import { SandboxPanel } from '../../features/sandbox/parts/sandbox-panel.tsx'
import { DeliveriesPanel } from '../../features/webhooks/parts/deliveries-panel.tsx'
import { EndpointsPanel } from '../../features/webhooks/parts/endpoints-panel.tsx'
import { isInSandbox } from '../../lib/tab-storage.ts'
import frames from '../../ui/frames.module.css'
import { Page } from '../../ui/page.tsx'
import classes from './developers.module.css'

/** For Admins: all that other programs need to work with Isotherm. */
export function DevelopersPage() {
  const { t } = useTranslation('developer')
  return (
    <Page
      title={t('title')}
      actions={
        <Button
          component="a"
          href={`${apiBase}/docs`}
          target="_blank"
          variant="default"
          rightSection={<IconExternalLink size={16} />}
        >
          {t('docs')}
        </Button>
      }
    >
      <div className={classes.sides}>
        <div className={frames.stack}>
          <KeysPanel />
          <EndpointsPanel />
          {isInSandbox ? <ClockPanel /> : <SandboxPanel />}
        </div>
        <CodePanel />
      </div>
      <div className={frames.stack}>
        <DeliveriesPanel />
        <CallsPanel />
      </div>
    </Page>
  )
}
