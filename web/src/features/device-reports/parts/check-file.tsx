import { Alert } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileButton, FileDrop } from '../../../ui/file-chooser.tsx'
import { hashOf } from '../file-hash.ts'
import classes from './report.module.css'

type State = { name: string; hash: string } | 'reading' | null

/** Compares a file with the one that was issued, on this device. */
export function CheckFile({ expected }: { expected: string }) {
  const { t } = useTranslation('deviceReports')
  const [state, setState] = useState<State>(null)
  const check = async (file: File) => {
    setState('reading')
    setState({ name: file.name, hash: await hashOf(file) })
  }
  const isMatch = state !== null && state !== 'reading' && state.hash === expected
  return (
    <FileDrop className={classes.drop} label={t('verify.check')} onFile={(file) => void check(file)}>
      <h2>{t('verify.check')}</h2>
      <p className={classes.note}>{t('verify.checkText')}</p>
      <div className={classes.buttons}>
        <FileButton label={t('verify.choose')} variant="default" onFile={(file) => void check(file)}>
          {t('verify.choose')}
        </FileButton>
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
    </FileDrop>
  )
}
