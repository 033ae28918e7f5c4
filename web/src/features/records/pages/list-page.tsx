import { records } from '@isotherm/contract/records.ts'
import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { AddButton } from '../../../ui/add-button.tsx'
import { Page } from '../../../ui/page.tsx'
import { useBegin } from '../../../ui/use-begin.ts'
import { ExportRecords } from '../parts/export-records.tsx'
import { RecordDrawer } from '../parts/record-drawer.tsx'
import { RecordList, useRecordParams } from '../parts/record-list.tsx'

export function RecordListPage() {
  const { t } = useTranslation('records')
  const navigate = useNavigate()
  const [mayAdd, mayEdit] = [useCan(records.add), useCan(records.end)]
  const mayExport = useCan('devices.export')
  const [isMaking, setMaking] = useState(false)
  const params = useRecordParams()
  const answer = useCall(records.list, { query: params.asked }, { keepPrevious: true, refetchMs: 30_000 })
  const open = ({ id }: { id: string }) => void navigate({ to: '/records/$recordId', params: { recordId: id } })
  const make = mayAdd && <AddButton onClick={() => setMaking(true)}>{t('new.action')}</AddButton>
  useBegin(mayAdd && (() => setMaking(true)))
  const actions = (
    <>
      {mayExport && (
        <ExportRecords
          query={params.asked}
          total={answer.data?.meta.total}
          load={(asked) => call(records.exportCsv, { query: asked }, { toastAll: true })}
        />
      )}
      {make}
    </>
  )
  return (
    <Page title={t('title')} actions={actions}>
      <Text className="high-only" size="sm" c="dimmed" maw={760} mb="sm">
        {t('explain')}
      </Text>
      <RecordList params={params} answer={answer} mayEdit={mayEdit} onOpen={open} make={make} />
      {isMaking && <RecordDrawer onClose={() => setMaking(false)} onMade={open} />}
    </Page>
  )
}
