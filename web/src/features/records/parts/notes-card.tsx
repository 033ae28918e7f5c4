import { type AdditionKind, type RecordDetails, type RecordNote, records } from '@isotherm/contract/records.ts'
import { ActionIcon, Button, Paper, Textarea } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import { LeaveGuard } from '../../../ui/form/leave-guard.tsx'
import frames from '../../../ui/frames.module.css'
import { type SeenSigners, signersNow } from '../signers.ts'
import { refetchRecords } from '../use-record-actions.ts'
import { AdditionDialog } from './addition-dialog.tsx'
import classes from './records.module.css'

interface CardProps {
  record: RecordDetails
  mayEdit: boolean
}

export function NotesCard({ record, mayEdit }: CardProps) {
  const { t } = useTranslation('records')
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [asked, setAsked] = useState<SeenSigners | null>(null)
  const send = async (kind: AdditionKind, seenSignatures: number) => {
    const body = { text, kind, seenSignatures }
    await call(records.addNote, { params: { id: record.id }, body }, { toastAll: true })
    // Somebody may have typed the next one meanwhile.
    setText((now) => (now === text ? '' : now))
    toastSuccess(t('notes.added'))
    await refetchRecords()
  }
  const add = async () => {
    setBusy(true)
    try {
      const found = await signersNow(record.id)
      if (found.signers.length > 0) setAsked(found)
      else await send('part', found.seenSignatures)
    } catch {
      // The call has toasted what goes wrong; what was typed stays.
    } finally {
      setBusy(false)
    }
  }
  const remove = async (note: RecordNote) => {
    const found = await signersNow(record.id, note).catch(() => null)
    if (!found) return
    const { signers, seenSignatures } = found
    confirm({
      title: t('notes.removeTitle'),
      text: note.text,
      warning: signers.length > 0 && t('addendum.removalVoids', { names: signers.join(', ') }),
      action: t('common:actions.delete'),
      destructive: true,
      run: async () => {
        await call(records.removeNote, { params: { id: note.id }, query: { seenSignatures } })
        await refetchRecords()
      },
    })
  }
  return (
    <Paper component="section" className={frames.panel} aria-labelledby="record-notes">
      <h2 id="record-notes">{t('notes.title')}</h2>
      {record.notes.length === 0 && <p className={frames.note}>{t('notes.empty')}</p>}
      <ul className={classes.list}>
        {record.notes.map((note) => (
          <li key={note.id} className={classes.item}>
            <div>
              <p className={classes.text}>{note.text}</p>
              <div className={frames.note}>
                {note.isAddendum && `${t('addendum.mark')} · `}
                {note.by}, {formatTime(note.at)}
              </div>
            </div>
            {mayEdit && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('notes.remove')}
                onClick={() => void remove(note)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {mayEdit && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (text.trim()) void add()
          }}
        >
          <LeaveGuard isUnsaved={() => text.trim() !== ''} />
          <Textarea
            mt="sm"
            label={t('notes.new')}
            autosize
            minRows={2}
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" mt="xs" loading={busy} disabled={!text.trim()}>
            {t('notes.add')}
          </Button>
        </form>
      )}
      {asked && (
        <AdditionDialog
          signers={asked.signers}
          add={(kind) => send(kind, asked.seenSignatures)}
          onClose={() => setAsked(null)}
        />
      )}
    </Paper>
  )
}
