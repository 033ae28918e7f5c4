import type { DeviceSession } from '@isotherm/contract/sessions.ts'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../lib/now.ts'
import { formatDuration, formatMoment } from '../../../lib/times.ts'
import type { Column } from '../../../ui/list/column.ts'
import { Value } from '../../../ui/value.tsx'
import { SessionMaker } from './session-maker.tsx'
import { SessionState } from './session-state.tsx'

export function useSessionColumns(): Column<DeviceSession>[] {
  const { t } = useTranslation('sessions')
  const now = useNow()
  return [
    {
      key: 'device',
      title: t('columns.device'),
      sort: 'deviceName',
      render: ({ deviceName }) => <b>{deviceName}</b>,
    },
    { key: 'state', title: t('columns.state'), render: (session) => <SessionState session={session} /> },
    {
      key: 'name',
      title: t('columns.name'),
      hideBelow: 820,
      render: ({ name }) => name ?? <Value value={null} unit="" reason={t('unnamed')} />,
    },
    { key: 'by', title: t('columns.by'), hideBelow: 1366, render: (session) => <SessionMaker session={session} /> },
    {
      key: 'started',
      title: t('columns.started'),
      sort: 'startedAt',
      isTime: true,
      render: ({ startedAt }) => formatMoment(startedAt),
    },
    {
      key: 'ended',
      title: t('columns.ended'),
      hideBelow: 1100,
      isTime: true,
      render: ({ endedAt }) => (endedAt ? formatMoment(endedAt) : <Value value={null} unit="" reason={t('isOpen')} />),
    },
    {
      key: 'duration',
      title: t('columns.duration'),
      align: 'right',
      render: ({ startedAt, endedAt }) => formatDuration((endedAt ? Date.parse(endedAt) : now) - Date.parse(startedAt)),
    },
  ]
}
