import { groupRecords } from '@isotherm/contract/group-records.ts'
import type { Group } from '@isotherm/contract/groups.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GroupFrame } from '../../features/groups/parts/group-frame.tsx'
import { ExportRecords } from '../../features/records/parts/export-records.tsx'
import { RecordDrawer } from '../../features/records/parts/record-drawer.tsx'
import { RecordList, useRecordParams } from '../../features/records/parts/record-list.tsx'
import { call } from '../../lib/call.ts'
import { useCan } from '../../lib/can.ts'
import { useCall } from '../../lib/query.ts'
import { AddButton } from '../../ui/add-button.tsx'
import { PageActions } from '../../ui/slots.tsx'

/** The records of one group. */
export function GroupRecordsPage() {
  return <GroupFrame>{(group) => <Records key={group.id} group={group} />}</GroupFrame>
}

function Records({ group }: { group: Group }) {
  const { t } = useTranslation('records')
  const navigate = useNavigate()
  const [mayAdd, mayEdit] = [useCan(groupRecords.add), useCan(groupRecords.end)]
  const mayExport = useCan('groups.export')
  const [isMaking, setMaking] = useState(false)
  const params = useRecordParams()
  const answer = useCall(
    groupRecords.list,
    { params: { id: group.id }, query: params.asked },
    { keepPrevious: true, refetchMs: 30_000 },
  )
  const open = ({ id }: { id: string }) =>
    void navigate({ to: '/groups/$groupId/records/$recordId', params: { groupId: group.id, recordId: id } })
  const make = mayAdd && <AddButton onClick={() => setMaking(true)}>{t('new.action')}</AddButton>
  return (
    <>
      <PageActions>
        {mayExport && (
          <ExportRecords
            query={params.asked}
            total={answer.data?.meta.total}
            load={(asked) =>
              call(groupRecords.exportCsv, { params: { id: group.id }, query: asked }, { toastAll: true })
            }
          />
        )}
        {make}
      </PageActions>
      <RecordList params={params} answer={answer} mayEdit={mayEdit} onOpen={open} make={make} />
      {isMaking && <RecordDrawer group={group} onClose={() => setMaking(false)} onMade={open} />}
    </>
  )
}
