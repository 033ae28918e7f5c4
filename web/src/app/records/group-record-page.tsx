import { groupRecords } from '@isotherm/contract/group-records.ts'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../lib/can.ts'
import { useEntity } from '../../lib/use-entity.ts'
import { EntityPage } from '../../ui/entity-page.tsx'
import { RecordLocationsMap } from './record-locations.tsx'
import { RecordActions } from './record-page.tsx'
import { RecordSections } from './record-sections.tsx'
import { RecordView } from './record-view.tsx'

/** One record of a group. */
export function GroupRecordPage() {
  const { t } = useTranslation('records')
  const navigate = useNavigate()
  const { groupId = '' } = useParams({ strict: false }) as { groupId?: string }
  const answer = useEntity(groupRecords.one, { id: 'groupId', recordId: 'recordId' })
  const mayEdit = useCan(groupRecords.end)
  const record = answer.entity
  const list = { to: '/groups/$groupId/records', params: { groupId } } as const
  return (
    <EntityPage
      answer={answer}
      title={record?.name ?? t('title')}
      breadcrumb={<Link {...list}>{record?.group?.name ?? t('title')}</Link>}
      tabs={<RecordSections record={record} />}
      actions={(record) => (
        <RecordActions record={record} mayEdit={mayEdit} onRemoved={() => navigate({ ...list, replace: true })} />
      )}
    >
      {(record) => (
        <RecordView record={record}>
          {record.state !== 'planned' && <RecordLocationsMap groupId={groupId} recordId={record.id} />}
        </RecordView>
      )}
    </EntityPage>
  )
}
