import { alarmLimits } from '@isotherm/contract/alarm-rules.ts'
import { triage } from '@isotherm/contract/triage.ts'
import type { Trigger } from '@isotherm/contract/triggers.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Failure } from '../../../ui/failure.tsx'
import { TextForm } from '../../../ui/form/text-form.tsx'
import shared from '../../../ui/marks.module.css'
import { timelineOf } from '../timeline.ts'
import { refetchTriggers } from '../use-trigger-actions.ts'
import classes from './triggers.module.css'

/** The acts and comments of a trigger, the newest last; below them a field for one more comment. */
export function TriggerTimeline({ trigger }: { trigger: Trigger }) {
  const { t } = useTranslation('triggers')
  const { id } = trigger
  const answer = useCall(triage.comments, { params: { id } }, { enabled: trigger.comments > 0 })
  return (
    <section aria-label={t('timeline.title')}>
      <h3>{t('timeline.title')}</h3>
      {answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      <ol className={classes.timeline}>
        {timelineOf(trigger, answer.data ?? [], t).map(({ key, at, text, comment }) => (
          <li key={key} data-comment={comment !== undefined || undefined}>
            {comment && <b>{comment.by.name}</b>}
            <span className={classes.timelineText}>{text}</span>
            <time className={shared.small} dateTime={at}>
              {formatTime(at)}
            </time>
          </li>
        ))}
      </ol>
      {trigger.canHandle && <NewComment id={id} />}
    </section>
  )
}

function NewComment({ id }: { id: string }) {
  const { t } = useTranslation('triggers')
  const send = async (text: string) => {
    await call(triage.addComment, { params: { id }, body: { text } }, { toastAll: true })
    toastSuccess(t('alarms:done.commented'))
    await refetchTriggers()
  }
  return (
    <div className={classes.newComment}>
      <TextForm
        label={t('timeline.comment')}
        description={t('timeline.stays')}
        action={t('timeline.send')}
        maxLength={alarmLimits.noteLength}
        tab="trigger"
        send={send}
      />
    </div>
  )
}
