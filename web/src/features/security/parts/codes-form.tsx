import type { Returned } from '@isotherm/contract/call.ts'
import { LoginCode } from '@isotherm/contract/second-factor.ts'
import { security } from '@isotherm/contract/security.ts'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { call } from '../../../lib/call.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { QrCode } from './qr-code.tsx'
import classes from './security.module.css'

const schema = z.strictObject({ code: LoginCode })

interface CodesFormProps {
  started: Returned<typeof security.startCodes>
  /** Hears the recovery codes that came with it; null: there were some. */
  onOn: (recoveryCodes: string[] | null) => void
  onCancel: () => void
}

/** On a phone the words are longer than their panel. */
const wraps = { label: { whiteSpace: 'normal', lineHeight: 1.35 }, root: { height: 'auto', paddingBlock: 6 } } as const

/** Shows the secret to an authenticator app, and asks for the code that it makes. */
export function CodesForm({ started, onOn, onCancel }: CodesFormProps) {
  const { t } = useTranslation('security')
  const form = useEntityForm({
    initialValues: { code: '' },
    schema,
    toBody: (values) => values,
    save: (body) => call(security.confirmCodes, { body }),
    fieldOf: { SECOND_FACTOR_WRONG: 'code' },
    onSaved: ({ recoveryCodes }) => onOn(recoveryCodes),
  })
  return (
    <EntityForm
      form={form}
      label={t('codes.title')}
      submitLabel={t('codes.confirm')}
      guarded={false}
      secondary={
        <Button variant="default" onClick={onCancel} disabled={form.saving}>
          {t('common:actions.cancel')}
        </Button>
      }
    >
      <Text size="sm">{t('codes.scan')}</Text>
      <Group align="flex-start" gap="md">
        <QrCode rows={started.qr} label={t('codes.qr')} />
        <Stack gap={4} style={{ flex: '1 1 200px' }}>
          <Text size="sm">{t('codes.orType')}</Text>
          <Text size="sm" className={classes.secret}>
            {started.secret.replace(/(.{4})(?!$)/g, '$1 ')}
          </Text>
          <div>
            <Button component="a" href={started.uri} variant="default" size="sm" mt={4} styles={wraps}>
              {t('codes.onThisDevice')}
            </Button>
          </div>
        </Stack>
      </Group>
      <TextInput
        label={t('codes.code')}
        description={t('codes.codeHelp')}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={7}
        {...form.fields.getInputProps('code')}
      />
    </EntityForm>
  )
}
