import { onCall } from '@isotherm/contract/on-call.ts'
import { Paper } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { formatTime } from '../../../lib/times.ts'
import { AnchorLink } from '../../../ui/links.tsx'
import shared from '../../../ui/marks.module.css'
import classes from './on-call.module.css'
import { ReadButton } from './read-button.tsx'

/** Only the newest notes are looked at. */
const perPage = 20

/** The newest hand-over note that nobody but its author has read, then the one before; nobody is shown their own. */
export function HandOverNews() {
  const { t } = useTranslation('onCall')
  const own = useSession((state) => state.profile?.id)
  const answer = useCall(onCall.notes, { query: { page: 1, perPage } }, { refetchMs: 60_000 })
  const note = answer.data?.data.find(({ readAt, by }) => !readAt && by.id !== own)
  if (!note) return null
  return (
    <Paper component="aside" className={classes.news} aria-label={t('notes.news')}>
      <div className={classes.newsText}>
        <b>{t('notes.news')}</b>
        <span className={classes.noteText}>{note.text}</span>
        <span className={shared.small}>{t('notes.by', { name: note.by.name, time: formatTime(note.at) })}</span>
      </div>
      <div className={classes.newsButtons}>
        {note.canRead && <ReadButton id={note.id} />}
        <AnchorLink size="sm" to="/alarms/on-call">
          {t('notes.all')}
        </AnchorLink>
      </div>
    </Paper>
  )
}
