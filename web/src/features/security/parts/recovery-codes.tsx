import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { download } from '../../../lib/download.ts'
import { useSession } from '../../../lib/session.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import classes from './security.module.css'

interface RecoveryCodesProps {
  codes: readonly string[]
  onKept: () => void
}

/** Recovery codes, which are shown this once: to be copied, downloaded or printed. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  const { t } = useTranslation('security')
  const email = useSession((state) => state.profile?.email)
  const text = `${t('recovery.fileHead')}\n\n${codes.join('\n')}\n`
  return (
    <Stack>
      <Alert color="yellow" variant="light" className={classes.onScreen}>
        {t('recovery.once')}
      </Alert>
      <p className={classes.onPaper}>
        {t('recovery.fileHead')}
        <br />
        {location.host}, {email}
      </p>
      <ul className={classes.codes} aria-label={t('recovery.title')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Text size="sm">{t('recovery.keep')}</Text>
      <Group gap="sm" className={classes.onScreen}>
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
      <div className={classes.onScreen}>
        <Button onClick={onKept}>{t('recovery.kept')}</Button>
      </div>
    </Stack>
  )
}
