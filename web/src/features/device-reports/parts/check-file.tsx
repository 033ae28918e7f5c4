import { Alert, Button } from '@mantine/core'
import { type DragEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hashOf } from '../file-hash.ts'
import classes from './report.module.css'

type State = { name: string; hash: string } | 'reading' | null

/** Compares a file with the one that was issued, on this device. */
export function CheckFile({ expected }: { expected: string }) {
  const { t } = useTranslation('deviceReports')
  const [state, setState] = useState<State>(null)
  const [isOver, setIsOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const check = async (file: File | undefined) => {
    if (!file) return
    setState('reading')
    setState({ name: file.name, hash: await hashOf(file) })
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void check(event.dataTransfer.files[0])
  }
  const isMatch = state !== null && state !== 'reading' && state.hash === expected
  return (
    <section
      className={classes.drop}
      data-over={isOver || undefined}
      aria-label={t('verify.check')}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      <h2>{t('verify.check')}</h2>
      <p className={classes.note}>{t('verify.checkText')}</p>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('verify.choose')}
        onChange={(event) => {
          void check(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => input.current?.click()}>
          {t('verify.choose')}
        </Button>
        <span className={classes.note}>{t('verify.drop')}</span>
      </div>
      <div role="status">
        {state === 'reading' && t('verify.reading')}
        {state !== null && state !== 'reading' && (
          <Alert
            color={isMatch ? 'teal' : 'red'}
            title={t(isMatch ? 'verify.match' : 'verify.noMatch')}
            className={classes.result}
          >
            {t(isMatch ? 'verify.matchText' : 'verify.noMatchText', { name: state.name, hash: state.hash })}
          </Alert>
        )}
      </div>
    </section>
  )
}
