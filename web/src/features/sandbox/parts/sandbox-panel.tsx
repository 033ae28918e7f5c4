import { type Sandbox, sandbox } from '@isotherm/contract/sandbox.ts'
import { Button, Group, Skeleton, Text } from '@mantine/core'
import { IconExternalLink, IconFlask } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { formatDate } from '../../../lib/times.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { useSandboxActions } from '../use-sandbox-actions.ts'

/** The sandbox of the company, for Admins: made, opened in a tab of its own, and ended. */
export function SandboxPanel() {
  const { t } = useTranslation('sandbox')
  const answer = useCall(sandbox.show)
  const { make, isBusy, ...actions } = useSandboxActions()
  const known = answer.data?.sandbox
  return (
    <Panel title={t('title')} text={t('lead')}>
      {!answer.data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton height={64} role="status" aria-label={t('common:list.loading')} />}
      {known === null && (
        <Empty
          title={t('none')}
          text={t('noneText')}
          action={
            <Button leftSection={<IconFlask size={16} />} loading={isBusy} onClick={make}>
              {t('make')}
            </Button>
          }
        />
      )}
      {known && <Known known={known} isBusy={isBusy} {...actions} />}
    </Panel>
  )
}

interface KnownProps {
  known: Sandbox
  isBusy: boolean
  /** Where the browser opened no tab: opens it. */
  openTab: (() => void) | null
  open: () => void
  end: () => void
}

function Known({ known, isBusy, openTab, open, end }: KnownProps) {
  const { t } = useTranslation('sandbox')
  return (
    <>
      <Text fw={600}>{known.name}</Text>
      <Text size="sm" c="dimmed" mb="sm">
        {t('madeBy', { name: known.madeBy, date: formatDate(known.madeAt) })}
      </Text>
      {openTab && (
        <Text size="sm" mb="sm" role="status">
          {t('blocked')}
        </Text>
      )}
      <Group gap="sm">
        <Button rightSection={<IconExternalLink size={16} />} loading={isBusy} onClick={openTab ?? open}>
          {t(openTab ? 'openTab' : 'open')}
        </Button>
        <Button variant="subtle" color="red" onClick={end}>
          {t('end')}
        </Button>
      </Group>
    </>
  )
}
