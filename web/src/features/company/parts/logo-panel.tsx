import { type Company, company as companyCalls, logoLimits } from '@isotherm/contract/company.ts'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { rememberProfile } from '../../../lib/profile.ts'
import { useCall } from '../../../lib/query.ts'
import { toastError, toastSuccess } from '../../../lib/toast.ts'
import { BlobPicture } from '../../../ui/blob-picture.tsx'
import { confirm } from '../../../ui/confirm.ts'
import { FileButton } from '../../../ui/file-chooser.tsx'
import classes from './logo.module.css'

/** The logo of the company: everybody sees it, an Admin changes it. */
export function LogoPanel({ company: { logoVersion }, readOnly }: { company: Company; readOnly: boolean }) {
  const { t } = useTranslation('company')
  return (
    <Stack gap="xs">
      <Title order={2}>{t('logo.title')}</Title>
      <Text size="sm" c="dimmed" maw={480}>
        {t('logo.help')}
      </Text>
      <div className={classes.plate} data-has-logo={logoVersion !== null || undefined}>
        {logoVersion === null ? (
          <Text size="sm" c="dimmed">
            {t('logo.none')}
          </Text>
        ) : (
          <Picture version={logoVersion} />
        )}
      </div>
      {!readOnly && <Buttons hasLogo={logoVersion !== null} />}
    </Stack>
  )
}

function Picture({ version }: { version: string }) {
  const { t } = useTranslation('company')
  const { data } = useCall(companyCalls.logo, { params: { version } }, { staleTimeMs: Number.POSITIVE_INFINITY })
  return data && <BlobPicture blob={data} alt={t('logo.alt')} className={classes.picture} />
}

function Buttons({ hasLogo }: { hasLogo: boolean }) {
  const { t } = useTranslation('company')
  const [isSending, setIsSending] = useState(false)
  const send = async (file: File) => {
    if (file.size > logoLimits.bytes) return toastError(t('logo.tooLarge'))
    setIsSending(true)
    try {
      rememberProfile({ company: await call(companyCalls.changeLogo, { body: { file } }, { toastAll: true }) })
      toastSuccess(t('logo.saved'))
    } catch {
      // The call has toasted it.
    } finally {
      setIsSending(false)
    }
  }
  const remove = () =>
    confirm({
      title: t('logo.sure.title'),
      text: t('logo.sure.text'),
      action: t('logo.sure.action'),
      destructive: true,
      run: async () => {
        rememberProfile({ company: await call(companyCalls.removeLogo) })
        toastSuccess(t('logo.removed'))
      },
    })
  return (
    <Group gap="xs">
      <FileButton
        label={t('logo.file')}
        accept="image/png,image/jpeg"
        variant="default"
        loading={isSending}
        onFile={(file) => void send(file)}
      >
        {t(hasLogo ? 'logo.replace' : 'logo.add')}
      </FileButton>
      {hasLogo && (
        <Button variant="subtle" color="red" onClick={remove}>
          {t('logo.remove')}
        </Button>
      )}
    </Group>
  )
}
