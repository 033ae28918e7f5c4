import { onCall, onCallLimits } from '@isotherm/contract/on-call.ts'
import { Paper, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Failure } from '../../../ui/failure.tsx'
import { TextForm } from '../../../ui/form/text-form.tsx'
import frames from '../../../ui/frames.module.css'
import { PageButtons } from '../../../ui/list/page-buttons.tsx'
import shared from '../../../ui/marks.module.css'
import { Renewing } from '../../../ui/renewing.tsx'
import { refetchNotes } from '../refetch-on-call.ts'
import classes from './on-call.module.css'
import { ReadButton } from './read-button.tsx'

/** The notes of those on call for the next, newest first, and a field for one more. */
export function HandOverNotes() {
  const { t } = useTranslation('onCall')
  const [page, setPage] = useState(1)
  const mayAdd = useCan(onCall.addNote)
  const answer = useCall(onCall.notes, { query: { page, perPage: 10 } }, { keepPrevious: true, refetchMs: 60_000 })
  const { data } = answer
  return (
    <Paper component="section" className={frames.panel} aria-label={t('notes.title')}>
      <h2>{t('notes.title')}</h2>
      {mayAdd && data?.canWrite && <NewNote onAdded={() => setPage(1)} />}
      {!data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton height={80} radius="md" />}
      {data?.meta.total === 0 && <p className={frames.note}>{t('notes.empty')}</p>}
      {data && data.meta.total > 0 && (
        <Renewing isOld={answer.isPlaceholderData}>
          <ul className={classes.notes}>
            {data.data.map((note) => (
              <li key={note.id}>
                <span className={classes.noteText}>{note.text}</span>
                <span className={shared.small}>{t('notes.by', { name: note.by.name, time: formatTime(note.at) })}</span>
                <span className={shared.small}>
                  {note.readAt
                    ? t('notes.readBy', { name: note.readBy, time: formatTime(note.readAt) })
                    : t('notes.unread')}
                </span>
                {note.canRead && <ReadButton id={note.id} />}
              </li>
            ))}
          </ul>
        </Renewing>
      )}
      {data && data.meta.pageCount > 1 && <PageButtons page={page} pageCount={data.meta.pageCount} onTurn={setPage} />}
    </Paper>
  )
}

function NewNote({ onAdded }: { onAdded: () => void }) {
  const { t } = useTranslation('onCall')
  const send = async (text: string) => {
    await call(onCall.addNote, { body: { text } }, { toastAll: true })
    toastSuccess(t('done.noted'))
    onAdded()
    await refetchNotes()
  }
  return (
    <div className={classes.newNote}>
      <TextForm
        label={t('notes.new')}
        description={t('notes.help')}
        action={t('notes.add')}
        maxLength={onCallLimits.noteLength}
        send={send}
      />
    </div>
  )
}
