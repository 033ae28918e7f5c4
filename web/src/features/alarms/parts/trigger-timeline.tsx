import { alarmLimits } from '@isotherm/contract/alarm-rules.ts'
import { triage } from '@isotherm/contract/triage.ts'
import type { Trigger } from '@isotherm/contract/triggers.ts'
import { Button, Textarea } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Failure } from '../../../ui/failure.tsx'
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
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const add = async () => {
    if (busy || !text.trim()) return
    setBusy(true)
    try {
      await call(triage.addComment, { params: { id }, body: { text } }, { toastAll: true })
      setText('')
      toastSuccess(t('alarms:done.commented'))
      await refetchTriggers()
    } catch {
      // The call has toasted it; what was typed stays.
    } finally {
      setBusy(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void add()
  }
  return (
    <form
      className={classes.newComment}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <Textarea
        label={t('timeline.comment')}
        description={t('timeline.stays')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={alarmLimits.noteLength}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={busy} disabled={!text.trim()}>
        {t('timeline.send')}
      </Button>
    </form>
  )
}
