import { Alert, Button, CopyButton, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { download } from '../../../lib/download.ts'
import classes from './security.module.css'

interface RecoveryCodesProps {
  codes: readonly string[]
  onKept: () => void
}

/** Recovery codes, which are shown this once: to be copied, downloaded or printed. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const { t } = useTranslation('security')
  const text = `${t('recovery.fileHead')}\n\n${codes.join('\n')}\n`
  return (
    <Stack>
      <Alert color="yellow" variant="light">
        {t('recovery.once')}
      </Alert>
      <ul className={classes.codes} aria-label={t('recovery.title')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Text size="sm">{t('recovery.keep')}</Text>
      <Group gap="sm">
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {t(copied ? 'recovery.copied' : 'recovery.copy')}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          onClick={() => download(new Blob([text], { type: 'text/plain' }), 'isotherm-recovery-codes.txt')}
        >
          {t('recovery.download')}
        </Button>
        <Button variant="default" onClick={() => window.print()}>
          {t('recovery.print')}
        </Button>
      </Group>
      <div>
        <Button onClick={onKept}>{t('recovery.kept')}</Button>
      </div>
    </Stack>
  )
}
