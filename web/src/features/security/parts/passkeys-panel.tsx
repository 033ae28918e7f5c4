import { type OwnSecurity, type Passkey, security } from '@isotherm/contract/security.ts'
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Age } from '../../../ui/age.tsx'
import { confirm } from '../../../ui/confirm.ts'
import { Panel } from '../../../ui/panel.tsx'
import { refetchSecurity } from '../use-security.ts'
import { PasskeyDialog } from './passkey-dialog.tsx'
import classes from './security.module.css'

interface PasskeysPanelProps {
  own: OwnSecurity
  onCodes: (recoveryCodes: string[]) => void
}

/** The passkeys of a person; where the server's address takes none, what it lacks. */
export function PasskeysPanel({ own, onCodes }: PasskeysPanelProps) {
  const { t } = useTranslation('security')
  const [dialog, setDialog] = useState<Passkey | 'new' | null>(null)
  const isKnown = globalThis.PublicKeyCredential !== undefined
  const remove = (passkey: Passkey) =>
    confirm({
      title: t('passkeys.removeTitle', { name: passkey.name }),
      text: t('passkeys.removeText'),
      action: t('passkeys.remove'),
      destructive: true,
      run: async () => {
        await call(security.removePasskey, { params: { id: passkey.id } })
        toastSuccess(t('passkeys.removed'))
        await refetchSecurity()
      },
    })
  return (
    <Panel title={t('passkeys.title')} text={t('passkeys.lead')}>
      {own.passkeysMissing && <Text size="sm">{t(`passkeys.missing.${own.passkeysMissing}`)}</Text>}
      {!own.passkeysMissing && !isKnown && <Text size="sm">{t('passkeys.missing.browser')}</Text>}
      {own.passkeys.length > 0 && (
        <ul className={classes.rows} aria-label={t('passkeys.title')}>
          {own.passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div className={classes.words}>
                <b>{passkey.name}</b>
                <span className={classes.small}>
                  {t('passkeys.made', { time: formatTime(passkey.createdAt) })}
                  {' · '}
                  {passkey.lastUsedAt ? (
                    <>
                      {t('passkeys.lastUsed')} <Age at={passkey.lastUsedAt} />
                    </>
                  ) : (
                    t('passkeys.neverUsed')
                  )}
                  {passkey.isSynced && ` · ${t('passkeys.synced')}`}
                </span>
                {passkey.isOfFormerHost && <span className={classes.small}>{t('passkeys.formerHost')}</span>}
              </div>
              <Group gap="xs" wrap="nowrap">
                <Button
                  variant="default"
                  size="sm"
                  onClick={() => setDialog(passkey)}
                  aria-label={t('passkeys.renameOf', { name: passkey.name })}
                >
                  {t('passkeys.rename')}
                </Button>
                <Button
                  variant="default"
                  size="sm"
                  onClick={() => remove(passkey)}
                  aria-label={t('passkeys.removeOf', { name: passkey.name })}
                >
                  {t('passkeys.remove')}
                </Button>
              </Group>
            </li>
          ))}
        </ul>
      )}
      {!own.passkeysMissing && isKnown && (
        <Button mt="sm" onClick={() => setDialog('new')}>
          {t('passkeys.add')}
        </Button>
      )}
      {dialog && (
        <PasskeyDialog passkey={dialog === 'new' ? null : dialog} onCodes={onCodes} onClose={() => setDialog(null)} />
      )}
    </Panel>
  )
}
