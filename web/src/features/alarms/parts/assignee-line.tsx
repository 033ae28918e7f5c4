import type { Trigger } from '@isotherm/contract/triggers.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../lib/session.ts'
import { useAssign } from '../use-trigger-actions.ts'
import { AssignDialog } from './assign-dialog.tsx'
import classes from './triggers.module.css'

/** The person who looks after a trigger; one tap takes it, another gives it to somebody. */
export function AssigneeLine({ trigger }: { trigger: Trigger }) {
  const { t } = useTranslation('triggers')
  const own = useSession((state) => state.profile?.id)
  const [isAsking, setAsking] = useState(false)
  const { assign, isBusy } = useAssign()
  const { id, assignee, canHandle, state } = trigger
  const mayAssign = canHandle && state !== 'resolved'
  return (
    <div className={classes.assignee}>
      <span className={classes.assigneeName}>
        {assignee ? t('assignedTo', { name: assignee.name }) : t('assignee.nobody')}
      </span>
      {mayAssign && (
        <span className={classes.assigneeActs}>
          {own !== undefined && assignee?.id !== own && (
            <Button
              className={classes.assign}
              size="xs"
              variant="default"
              loading={isBusy}
              onClick={() => void assign([id], own)}
            >
              {t('assignee.take')}
            </Button>
          )}
          <Button className={classes.assign} size="xs" variant="default" onClick={() => setAsking(true)}>
            {t(assignee ? 'assignee.change' : 'assignee.assign')}
          </Button>
        </span>
      )}
      {isAsking && <AssignDialog ids={[id]} assignee={assignee} onClose={() => setAsking(false)} />}
    </div>
  )
}
