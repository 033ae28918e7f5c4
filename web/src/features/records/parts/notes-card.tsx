import { type AdditionKind, type RecordDetails, type RecordNote, records } from '@isotherm/contract/records.ts'
import { ActionIcon, Button, Paper, Textarea } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import frames from '../../../ui/frames.module.css'
import { signersNow } from '../signers.ts'
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
  const [signers, setSigners] = useState<string[]>([])
  const send = async (kind: AdditionKind) => {
    await call(records.addNote, { params: { id: record.id }, body: { text, kind } }, { toastAll: true })
    // Somebody may have typed the next one meanwhile.
    setText((now) => (now === text ? '' : now))
    toastSuccess(t('notes.added'))
    await refetchRecords()
  }
  const add = async () => {
    setBusy(true)
    try {
      const found = await signersNow(record.id)
      setSigners(found)
      if (found.length === 0) await send('part')
    } catch {
      // The call has toasted what goes wrong; what was typed stays.
    } finally {
      setBusy(false)
    }
  }
  const remove = async (note: RecordNote) => {
    const names = await signersNow(record.id, note).catch(() => null)
    if (!names) return
    confirm({
      title: t('notes.removeTitle'),
      text: note.text,
      warning: names.length > 0 && t('addendum.removalVoids', { names: names.join(', ') }),
      action: t('common:actions.delete'),
      destructive: true,
      run: async () => {
        await call(records.removeNote, { params: { id: note.id } })
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
      {signers.length > 0 && <AdditionDialog signers={signers} add={send} onClose={() => setSigners([])} />}
    </Paper>
  )
}
