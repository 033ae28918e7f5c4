import { Button, Textarea } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { LeaveGuard } from './leave-guard.tsx'
import classes from './text-form.module.css'

interface TextFormProps {
  label: string
  description: string
  /** The words on the button. */
  action: string
  maxLength: number
  /** The search parameter that chooses between things of one page, each with such a field: changing it leaves this one. */
  tab?: string
  /** Rejects where it failed, and has said why by then: the typed text stays. */
  send: (text: string) => Promise<unknown>
}

/** A field for some lines, and a button that sends them, as Ctrl Enter does. */
export function TextForm({ label, description, action, maxLength, tab, send }: TextFormProps) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    if (busy || !text.trim()) return
    setBusy(true)
    try {
      await send(text)
      // Somebody may have typed the next one meanwhile.
      setText((now) => (now === text ? '' : now))
    } catch {
      // It was said already.
    } finally {
      setBusy(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
  }
  return (
    <form
      className={classes.form}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <LeaveGuard isUnsaved={() => text.trim() !== ''} tab={tab} />
      <Textarea
        label={label}
        description={description}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={maxLength}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={busy} disabled={!text.trim()}>
        {action}
      </Button>
    </form>
  )
}
