import { onCall } from '@isotherm/contract/on-call.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchNotes } from '../refetch-on-call.ts'
import classes from './on-call.module.css'

/** Says that a note was read: it is not shown above the alarms any more. */
export function ReadButton({ id }: { id: string }) {
  const { t } = useTranslation('onCall')
  const [busy, setBusy] = useState(false)
  const mayRead = useCan(onCall.readNote)
  if (!mayRead) return null
  const read = async () => {
    setBusy(true)
    // The call has toasted what goes wrong; the note stays.
    await call(onCall.readNote, { params: { id } }, { toastAll: true }).catch(() => undefined)
    await refetchNotes()
    setBusy(false)
  }
  return (
    <Button className={classes.read} size="xs" variant="default" loading={busy} onClick={() => void read()}>
      {t('notes.read')}
    </Button>
  )
}
