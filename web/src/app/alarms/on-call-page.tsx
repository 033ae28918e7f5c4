import { onCall } from '@isotherm/contract/on-call.ts'
import { Button, Skeleton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AlarmsFrame } from '../../features/alarms/parts/alarms-frame.tsx'
import { HandOverNotes } from '../../features/on-call/parts/hand-over-notes.tsx'
import { RotaForm } from '../../features/on-call/parts/rota-form.tsx'
import { RotaPanel } from '../../features/on-call/parts/rota-panel.tsx'
import { useCan } from '../../lib/can.ts'
import { useCall } from '../../lib/query.ts'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/failure.tsx'
import frames from '../../ui/frames.module.css'

/** The people on call, by rota, now and in the next weeks; the notes that they leave for the next. */
export function OnCallPage() {
  const { t } = useTranslation('onCall')
  const mayAdd = useCan(onCall.addRota)
  const answer = useCall(onCall.rotas, {}, { refetchMs: 60_000 })
  const [isAdding, setAdding] = useState(false)
  const add = mayAdd && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  )
  return (
    <AlarmsFrame actions={add}>
      <div className={frames.stack}>
        {answer.data?.map((rota) => (
          <RotaPanel key={rota.id} rota={rota} />
        ))}
        {answer.data?.length === 0 && (
          <Empty title={t('empty.title')} text={t(mayAdd ? 'empty.text' : 'empty.textView')} action={add} />
        )}
        {!answer.data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
        {answer.isPending && <Skeleton height={240} radius="md" />}
        <HandOverNotes />
      </div>
      {isAdding && <RotaForm onClose={() => setAdding(false)} />}
    </AlarmsFrame>
  )
}
