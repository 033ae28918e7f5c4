import { Id } from '@isotherm/contract/common.ts'
import { groupRecords } from '@isotherm/contract/group-records.ts'
import { Skeleton } from '@mantine/core'
import { Link, Navigate, useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../lib/can.ts'
import { useCall } from '../../lib/query.ts'
import { Failure } from '../../ui/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { RecordLocationsMap } from './record-locations.tsx'
import { RecordActions } from './record-page.tsx'
import { RecordView } from './record-view.tsx'

/** One record of a group. */
export function GroupRecordPage() {
  const { t } = useTranslation('records')
  const navigate = useNavigate()
  const { groupId = '', recordId = '' } = useParams({ strict: false }) as { groupId?: string; recordId?: string }
  const isId = Id.safeParse(recordId).success && Id.safeParse(groupId).success
  const params = { id: groupId, recordId }
  const answer = useCall(groupRecords.one, { params }, { enabled: isId, refetchMs: 60_000 })
  const mayEdit = useCan('groups.addOrEdit')
  const record = answer.data
  if (!isId || answer.error?.status === 404) return <Navigate to="/404" replace />
  const list = { to: '/groups/$groupId/records', params: { groupId } } as const
  return (
    <Page
      title={record?.name ?? t('title')}
      breadcrumb={<Link {...list}>{record?.group?.name ?? t('title')}</Link>}
      actions={
        record && (
          <RecordActions record={record} mayEdit={mayEdit} onRemoved={() => navigate({ ...list, replace: true })} />
        )
      }
    >
      {record && (
        <RecordView record={record}>
          {record.state !== 'planned' && <RecordLocationsMap groupId={groupId} recordId={recordId} />}
        </RecordView>
      )}
      {!record && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!record && !answer.error && <Skeleton height={420} radius="md" />}
    </Page>
  )
}
