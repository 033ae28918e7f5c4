import { type DeviceSession, SessionQuery, sessions } from '@isotherm/contract/sessions.ts'
import { Text } from '@mantine/core'
import { IconHistory, IconPlayerStop } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { AddButton } from '../../../ui/add-button.tsx'
import { DevicesTabs } from '../../../ui/devices-tabs.tsx'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { Page } from '../../../ui/page.tsx'
import { SessionDialog } from '../parts/session-dialog.tsx'
import { useSessionColumns } from '../parts/use-session-columns.tsx'
import { useEndSession } from '../use-session-actions.ts'

const states = ['open', 'ended'] as const
const filters = { state: states }
/** Sessions open and close without a push. */
const refetchMs = 60_000

export function SessionsPage() {
  const { t } = useTranslation('sessions')
  const navigate = useNavigate()
  const [mayAdd, mayEnd] = [useCan(sessions.create), useCan(sessions.end)]
  const [isMaking, setMaking] = useState(false)
  const params = useListParams({ sort: SessionQuery.shape.sort, filters })
  const answer = useCall(sessions.list, { query: params.asked }, { keepPrevious: true, refetchMs })
  const count = useCall(
    sessions.count,
    { query: { search: params.asked.search } },
    { keepPrevious: true, refetchMs },
  ).data
  const end = useEndSession()
  const open = ({ id }: DeviceSession) =>
    void navigate({ to: '/devices/device-session/$sessionId/history', params: { sessionId: id } })
  const make = mayAdd && <AddButton onClick={() => setMaking(true)}>{t('new.action')}</AddButton>
  return (
    <Page title={t('title')} tabs={<DevicesTabs />} actions={make}>
      <Text className="high-only" size="sm" c="dimmed" maw={760} mb="sm">
        {t('explain')}
      </Text>
      <ListView
        label={t('title')}
        answer={answer}
        params={params}
        searchLabel={t('search')}
        filters={[
          {
            name: 'state',
            label: t('state.label'),
            allLabel: t('state.all'),
            allCount: count?.total,
            options: states.map((value) => ({
              value,
              label: t(`state.${value}`),
              count: count && (value === 'open' ? count.open : count.total - count.open),
            })),
          },
        ]}
        columns={useSessionColumns()}
        rowId={(session) => session.id}
        rowName={(session) => session.name ?? session.deviceName}
        onOpen={open}
        actions={(session) => [
          { label: t('open'), icon: <IconHistory size={16} />, onClick: () => open(session) },
          ...(mayEnd && !session.endedAt
            ? [{ label: t('end.action'), icon: <IconPlayerStop size={16} />, onClick: () => end(session) }]
            : []),
        ]}
        empty={{ title: t('empty.title'), text: t('empty.text'), action: make }}
      />
      {isMaking && <SessionDialog onClose={() => setMaking(false)} />}
    </Page>
  )
}
