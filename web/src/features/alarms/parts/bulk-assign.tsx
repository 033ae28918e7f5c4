import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useSession } from '../../../lib/session.ts'
import { useAssign } from '../use-trigger-actions.ts'
import { AssignDialog } from './assign-dialog.tsx'

/** Takes the chosen triggers, or gives them to somebody. */
export function BulkAssign({ ids, onDone }: { ids: string[]; onDone: () => void }) {
  const { t } = useTranslation('triggers')
  const own = useSession((state) => state.profile?.id)
  const mayChoose = useCan('alarms.addOrEdit')
  const { assign, isBusy } = useAssign()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      {own !== undefined && (
        <Button
          size="xs"
          variant="default"
          loading={isBusy}
          onClick={() => {
            void assign(ids, own)
            onDone()
          }}
        >
          {t('assignee.takeThem')}
        </Button>
      )}
      {mayChoose && (
        <Button size="xs" variant="default" onClick={() => setAsking(true)}>
          {t('assignee.assign')}
        </Button>
      )}
      {isAsking && (
        <AssignDialog
          ids={ids}
          assignee={null}
          onClose={() => {
            setAsking(false)
            onDone()
          }}
        />
      )}
    </>
  )
}
