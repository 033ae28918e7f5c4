import type { Returned } from '@isotherm/contract/call.ts'
import { type OwnSecurity, security } from '@isotherm/contract/security.ts'
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import { Panel } from '../../../ui/panel.tsx'
import { ToneBadge } from '../../../ui/tone-badge.tsx'
import { refetchSecurity } from '../use-security.ts'
import { CodesForm } from './codes-form.tsx'

interface CodesPanelProps {
  own: OwnSecurity
  onCodes: (recoveryCodes: string[]) => void
}

/** The second factor by an authenticator app, and recovery codes. */
export function CodesPanel({ own, onCodes }: CodesPanelProps) {
  const { t } = useTranslation('security')
  const [started, setStarted] = useState<Returned<typeof security.startCodes> | null>(null)
  const [isStarting, setStarting] = useState(false)
  const hasFactor = own.codesSince !== null || own.passkeys.length > 0
  const start = async () => {
    setStarting(true)
    setStarted(await call(security.startCodes, undefined, { toastAll: true }).catch(() => null))
    setStarting(false)
  }
  const turnOn = async (recoveryCodes: string[] | null) => {
    setStarted(null)
    if (recoveryCodes) onCodes(recoveryCodes)
    else toastSuccess(t('codes.isOn'))
    await refetchSecurity()
  }
  const turnOff = () =>
    confirm({
      title: t('codes.offTitle'),
      text: t('codes.offText'),
      action: t('codes.off'),
      destructive: true,
      run: async () => {
        await call(security.removeCodes)
        toastSuccess(t('codes.isOff'))
        await refetchSecurity()
      },
    })
  const renew = () =>
    confirm({
      title: t('recovery.renewTitle'),
      text: t('recovery.renewText'),
      action: t('recovery.renew'),
      run: async () => {
        onCodes((await call(security.makeRecoveryCodes)).recoveryCodes)
        await refetchSecurity()
      },
    })
  return (
    <Panel title={t('codes.title')} text={t('codes.lead')}>
      {started ? (
        <CodesForm started={started} onOn={(codes) => void turnOn(codes)} onCancel={() => setStarted(null)} />
      ) : (
        <>
          <Group gap="sm" mb="sm">
            <ToneBadge tone={own.codesSince ? 'ok' : 'none'}>
              {t(own.codesSince ? 'codes.onState' : 'codes.offState')}
            </ToneBadge>
            {own.codesSince && <Text size="sm">{t('codes.since', { time: formatTime(own.codesSince) })}</Text>}
          </Group>
          {hasFactor && (
            <Text size="sm" mb="sm" c={own.recoveryCodesLeft < 3 ? 'red' : undefined}>
              {t('recovery.left', { count: own.recoveryCodesLeft })}
            </Text>
          )}
          <Group gap="sm">
            {own.codesSince === null && (
              <Button loading={isStarting} onClick={() => void start()}>
                {t('codes.start')}
              </Button>
            )}
            {hasFactor && (
              <Button variant="default" onClick={renew}>
                {t('recovery.renew')}
              </Button>
            )}
            {own.codesSince && (
              <Button variant="default" onClick={turnOff}>
                {t('codes.off')}
              </Button>
            )}
          </Group>
        </>
      )}
    </Panel>
  )
}
