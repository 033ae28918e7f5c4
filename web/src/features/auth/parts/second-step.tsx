import type { SecondStep as Step } from '@isotherm/contract/second-factor.ts'
import { Button, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { enter, finishLogIn, SecondSchema } from '../log-in.ts'
import { PasskeyButton } from './passkey-button.tsx'

interface SecondStepProps {
  step: Step['secondFactor']
  onEntered: (to: Awaited<ReturnType<typeof enter>>) => void
  /** The first step was single sign-on: a passkey ends this login, and is none by itself. */
  isBySso?: boolean
  /** Back to the first step. */
  onLeave: () => void
}

const empty = { code: '', recoveryCode: '' }

/** The second step of a login: a code of the app, or one of the recovery codes. */
export function SecondStep({ step, isBySso = false, onEntered, onLeave }: SecondStepProps) {
  const { t } = useTranslation('auth')
  const takesCodes = step.methods.includes('code')
  const [isRecovery, setRecovery] = useState(!takesCodes)
  const field = isRecovery ? 'recoveryCode' : 'code'
  const form = useEntityForm({
    initialValues: empty,
    schema: SecondSchema,
    toBody: (values) => ({ token: step.token, [field]: values[field] }),
    save: async (body) => enter(await finishLogIn(body)),
    fieldOf: { SECOND_FACTOR_WRONG: field },
    onSaved: onEntered,
  })
  const turn = () => {
    // The other field is the one that is needed then.
    form.startFrom({ ...empty })
    form.fields.clearErrors()
    setRecovery(!isRecovery)
  }
  return (
    <EntityForm
      form={form}
      submitLabel={t('login.submit')}
      guarded={false}
      label={t('second.title')}
      secondary={
        <Button variant="default" onClick={onLeave} disabled={form.saving}>
          {t('common:actions.back')}
        </Button>
      }
    >
      <Text size="sm">{t(isRecovery ? 'second.recoveryText' : 'second.text')}</Text>
      <TextInput
        key={field}
        label={t(isRecovery ? 'second.recoveryCode' : 'second.code')}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        maxLength={isRecovery ? 60 : 7}
        spellCheck={false}
        autoFocus
        {...form.fields.getInputProps(field)}
      />
      {takesCodes && (
        <div>
          <Button variant="subtle" size="compact-sm" px={0} onClick={turn}>
            {t(isRecovery ? 'second.useCode' : 'second.useRecoveryCode')}
          </Button>
        </div>
      )}
      {step.methods.includes('passkey') && (
        <div>
          <PasskeyButton onEntered={onEntered} stepToken={isBySso ? step.token : undefined} />
        </div>
      )}
    </EntityForm>
  )
}
